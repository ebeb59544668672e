using System;
using System.Collections.Generic;
using System.Linq;

namespace AffiliateHub
{
    /// <summary>The hub refused a request; Code says why, and is empty for a 401.</summary>
    public class HubError : Exception
    {
        internal HubError(int status, IDictionary<string, object> body, TimeSpan retryAfter)
            : base($"{$"{status} {Text(body, "code")}".TrimEnd()}: {string.Join("; ", Said(body))}")
        {
            Status = status;
            RetryAfter = retryAfter;
            Code = Text(body, "code") ?? "";
            Messages = Said(body);
            Param = Text(body, "param");
            DocUrl = Text(body, "docUrl");
            RequestId = Text(body, "requestId");
        }

        public int Status { get; }
        public string Code { get; }
        /// <summary>Every fault of the input.</summary>
        public IList<string> Messages { get; }
        public string Param { get; }
        public string DocUrl { get; }
        public string RequestId { get; }
        /// <summary>How long the hub asks to wait, zero if it does not.</summary>
        public TimeSpan RetryAfter { get; }

        /// <summary>The error for an answer; its body may be a proxy's, and no JSON.</summary>
        internal static HubError Of(int status, string raw, TimeSpan retryAfter)
        {
            IDictionary<string, object> body;
            try
            {
                body = Json.Read<object>(raw) as IDictionary<string, object> ?? new Dictionary<string, object>();
            }
            catch (FormatException)
            {
                body = new Dictionary<string, object> { { "message", raw.Substring(0, Math.Min(200, raw.Length)) } };
            }
            return status == 429 ? new RateLimited(body, retryAfter) : new HubError(status, body, retryAfter);
        }

        private static string Text(IDictionary<string, object> body, string name)
        {
            object value;
            return body.TryGetValue(name, out value) ? value as string : null;
        }

        private static IList<string> Said(IDictionary<string, object> body)
        {
            object value;
            body.TryGetValue("message", out value);
            if (value is List<object> all) return all.Select(each => $"{each}").ToList();
            return value == null ? new List<string>() : new List<string> { $"{value}" };
        }
    }

    /// <summary>Too many requests; RetryAfter says when there is room again.</summary>
    public sealed class RateLimited : HubError
    {
        internal RateLimited(IDictionary<string, object> body, TimeSpan retryAfter) : base(429, body, retryAfter) { }
    }

    /// <summary>The client was not told where the hub is, or with which key to sign.</summary>
    public sealed class MissingSetting : ArgumentException
    {
        internal MissingSetting(IEnumerable<string> names)
            : base($"Set {string.Join(" and ", names)}: the hub's address with /api at its end, and a key's two parts.") { }
    }

    /// <summary>No attempt was answered; whether the last was taken is not known.</summary>
    public sealed class NoAnswer : Exception
    {
        internal NoAnswer(string message, Exception cause) : base(message, cause) { }
    }
}
