using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Text;

namespace AffiliateHub
{
    /// <summary>The signature of a request: HMAC-SHA256 over the timestamp, the nonce and what is asked.</summary>
    public static class Signing
    {
        /// <summary>Version 1 covers the exact bytes of the body.</summary>
        public static string Signature(string secret, string timestamp, string nonce, byte[] body)
        {
            var begin = Encoding.UTF8.GetBytes($"{timestamp}.{nonce}.");
            var signed = new byte[begin.Length + body.Length];
            begin.CopyTo(signed, 0);
            body.CopyTo(signed, begin.Length);
            return Hex(Hmac(Encoding.UTF8.GetBytes(secret), signed));
        }

        /// <summary>Version 2 also covers the method and the target: the path with its query as they are sent.</summary>
        public static string SignatureV2(string secret, string timestamp, string nonce, string method, string target, byte[] body)
        {
            using (var sha = SHA256.Create())
            {
                var text = $"v2.{timestamp}.{nonce}.{method}.{target}.{Hex(sha.ComputeHash(body))}";
                return Hex(Hmac(Encoding.UTF8.GetBytes(secret), Encoding.UTF8.GetBytes(text)));
            }
        }

        internal static IEnumerable<KeyValuePair<string, string>> Headers(string key, string secret, string method, string target, byte[] body)
        {
            var timestamp = Now().ToString(System.Globalization.CultureInfo.InvariantCulture);
            var nonce = Guid.NewGuid().ToString("N");
            yield return new KeyValuePair<string, string>("X-API-Key", key);
            yield return new KeyValuePair<string, string>("X-Timestamp", timestamp);
            yield return new KeyValuePair<string, string>("X-Nonce", nonce);
            yield return new KeyValuePair<string, string>("X-Signature-Version", "2");
            yield return new KeyValuePair<string, string>("X-Signature", SignatureV2(secret, timestamp, nonce, method, target, body));
        }

        internal static long Now() => DateTimeOffset.UtcNow.ToUnixTimeSeconds();

        internal static byte[] Hmac(byte[] key, byte[] text)
        {
            using (var mac = new HMACSHA256(key)) return mac.ComputeHash(text);
        }

        private static string Hex(byte[] bytes) => BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant();
    }
}
