// java Sign.java SECRET TIMESTAMP NONCE BODY
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Sign {
    /** Returns the X-Signature of a request: the nonce is new for each, the body the exact bytes that are sent. */
    static String sign(String secret, String timestamp, String nonce, String body) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        String signed = timestamp + "." + nonce + "." + body;
        return HexFormat.of().formatHex(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
    }

    public static void main(String[] given) throws Exception {
        System.out.println(sign(given[0], given[1], given[2], given[3]));
    }
}
