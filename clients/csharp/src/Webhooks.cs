using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace AffiliateHub
{
    /// <summary>A message is not taken for the hub's; the text says why.</summary>
    public sealed class WebhookFault : Exception
    {
        public WebhookFault(string message) : base(message) { }
    }

    /// <summary>A message of the hub; Data is of the class of its type, such as CommissionNews.</summary>
    public sealed class WebhookMessage
    {
        [Wire("type", IsRequired = true)] public string Type { get; set; }
        [Wire("timestamp", IsRequired = true)] public string Timestamp { get; set; }
        [Wire("data", IsRequired = true)] public object Data { get; set; }
    }

    /// <summary>Messages of the hub, verified by the Standard Webhooks specification.</summary>
    public static class Webhooks
    {
        private const long Tolerance = 300;

        /// <summary>Return the message if the hub signed it in the last five minutes, else throw a WebhookFault.</summary>
        /// <param name="secret">The subscription's, whsec_...</param>
        /// <param name="header">Gives a header of the request by its name, null if there is none: name => (string)request.Headers[name].</param>
        /// <param name="body">The bytes that arrived.</param>
        /// <param name="now">Another time in Unix seconds, for tests.</param>
        public static WebhookMessage Verify(string secret, Func<string, string> header, byte[] body, long? now = null)
        {
            string id = header("Webhook-Id"), timestamp = header("Webhook-Timestamp"), signatures = header("Webhook-Signature");
            long seconds;
            if (string.IsNullOrEmpty(id) || string.IsNullOrEmpty(signatures) || !long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out seconds))
                throw new WebhookFault("a header of the signature is missing");
            if (Math.Abs((now ?? Signing.Now()) - seconds) > Tolerance) throw new WebhookFault("the message is too old");
            var signed = Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(body).ToArray();
            var expected = "v1," + Convert.ToBase64String(Signing.Hmac(KeyOf(secret), signed));
            if (!signatures.Split(' ').Any(each => IsEqual(each, expected))) throw new WebhookFault("the signature is another one");
            return Json.Read<WebhookMessage>(Encoding.UTF8.GetString(body));
        }

        /// <summary>The same with the headers in a dictionary, in any case.</summary>
        public static WebhookMessage Verify(string secret, IEnumerable<KeyValuePair<string, string>> headers, byte[] body, long? now = null)
        {
            var known = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
            foreach (var each in headers) known[each.Key] = each.Value;
            string found;
            return Verify(secret, name => known.TryGetValue(name, out found) ? found : null, body, now);
        }

        private static byte[] KeyOf(string secret)
        {
            try
            {
                return Convert.FromBase64String(secret.StartsWith("whsec_", StringComparison.Ordinal) ? secret.Substring(6) : secret);
            }
            catch (FormatException)
            {
                throw new WebhookFault("the secret is not that of a subscription");
            }
        }

        // In the same time wherever they differ.
        private static bool IsEqual(string one, string other)
        {
            var difference = one.Length ^ other.Length;
            for (var place = 0; place < other.Length; place++) difference |= (place < one.Length ? one[place] : 0) ^ other[place];
            return difference == 0;
        }
    }
}
