// java Sign.java SECRET TIMESTAMP NONCE METHOD TARGET BODY
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Sign {
    /** Returns the X-Signature of version 2: a new nonce for each, the target with its query, the body as sent. */
    static String sign(String secret, String timestamp, String nonce, String method, String target, String body)
            throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(body.getBytes(StandardCharsets.UTF_8));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        String hex = HexFormat.of().formatHex(digest);
        String signed = String.join(".", "v2", timestamp, nonce, method, target, hex);
        return HexFormat.of().formatHex(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
    }

    public static void main(String[] given) throws Exception {
        System.out.println(sign(given[0], given[1], given[2], given[3], given[4], given[5]));
    }
}
