using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace AffiliateHub
{
    /// <summary>What the hub answered to an attempt, its headers included: ETag, RateLimit, X-Request-ID.</summary>
    public sealed class Answered
    {
        public string Method { get; internal set; }
        public string Path { get; internal set; }
        public int Status { get; internal set; }
        public HttpResponseHeaders Headers { get; internal set; }
    }

    /// <summary>Where the hub is, with which key requests are signed, and how they are sent.</summary>
    public sealed class HubSettings
    {
        /// <summary>The hub's address with /api at its end.</summary>
        public string BaseUrl { get; set; }
        public string Key { get; set; }
        public string Secret { get; set; }
        public Retries Retries { get; set; } = new Retries();
        /// <summary>The longest time for one attempt.</summary>
        public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(10);
        /// <summary>What sends the requests; its own time limit has to be longer.</summary>
        public HttpMessageInvoker Http { get; set; }
        /// <summary>Called with what the hub answered to each attempt.</summary>
        public Action<Answered> OnAnswer { get; set; }

        internal void Require()
        {
            Require(new[] { "BaseUrl", "Key", "Secret" }, new[] { BaseUrl, Key, Secret });
        }

        internal static void Require(string[] names, string[] values)
        {
            var missing = names.Where((_, place) => string.IsNullOrEmpty(values[place])).ToList();
            if (missing.Count > 0) throw new MissingSetting(missing);
        }
    }

    /// <summary>How one call is sent.</summary>
    public sealed class CallOptions
    {
        /// <summary>Derived from your own ids: the same for every attempt to say the same thing.</summary>
        public string IdempotencyKey { get; set; }
        /// <summary>Ends attempts and pauses.</summary>
        public CancellationToken Cancellation { get; set; }
    }

    internal sealed class Call
    {
        internal string Method, Path, EventId;
        internal IList<KeyValuePair<string, string>> Asked;
        internal object Body;
        internal bool IsIdempotent, MayRepeat;
    }

    internal sealed class Attempt
    {
        internal int Status;
        internal string Body;
        internal TimeSpan Asked;
        internal Exception Fault;
    }

    /// <summary>The client: it signs each attempt anew and sends again what may be repeated, under one idempotency key.</summary>
    public sealed partial class Hub
    {
        /// <summary>The client's own version; servers see it in the User-Agent.</summary>
        public const string Version = "0.1.0";
        /// <summary>For how many seconds the hub holds a request for changes open at most.</summary>
        public const int LongestWait = 20;

        private static readonly HttpClient Shared = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false, UseCookies = false }) { Timeout = System.Threading.Timeout.InfiniteTimeSpan };
        private readonly HubSettings settings;

        public Hub(HubSettings settings)
        {
            settings.Require();
            this.settings = settings;
        }

        /// <summary>A client with HUB_BASE_URL, HUB_KEY and HUB_SECRET; the settings have the rest.</summary>
        public static Hub FromEnvironment(HubSettings settings = null)
        {
            var names = new[] { "HUB_BASE_URL", "HUB_KEY", "HUB_SECRET" };
            var values = names.Select(Environment.GetEnvironmentVariable).ToArray();
            HubSettings.Require(names, values);
            var given = settings ?? new HubSettings();
            given.BaseUrl = values[0];
            given.Key = values[1];
            given.Secret = values[2];
            return new Hub(given);
        }

        /// <summary>What changed, part by part, from query.After on; without it, from everything that there is.</summary>
        /// <remarks>Keep a part's Cursor once its Data is dealt with, and go on from that the next time. While nothing changes, each part comes after Wait seconds (20) and is empty; with Wait 0 the last part is the end.</remarks>
        public Changes FollowChanges(ListChangesQuery query = null, CallOptions options = null)
        {
            var asked = query?.Copy() ?? new ListChangesQuery();
            asked.Wait = asked.Wait ?? LongestWait;
            asked.Limit = asked.Limit ?? 200;
            return new Changes(this, asked, options);
        }

        private static string Uri(string text) => System.Uri.EscapeDataString(text);

        private async Task<T> SendAsync<T>(Call call, CallOptions options)
        {
            var given = options ?? new CallOptions();
            var key = given.IdempotencyKey ?? (call.IsIdempotent ? Guid.NewGuid().ToString("N") : null); // of the call: its attempts count once
            var text = call.Body as string;
            var body = Encoding.UTF8.GetBytes(text ?? (call.Body == null ? "" : Json.Write(call.Body)));
            var query = call.Asked == null || call.Asked.Count == 0 ? "" : "?" + string.Join("&", call.Asked.Select(each => $"{Uri(each.Key)}={Uri(each.Value)}"));
            var address = new Uri(settings.BaseUrl.TrimEnd('/') + call.Path + query);
            var began = DateTime.UtcNow;
            for (var failed = 1; ; failed++)
            {
                var attempt = await TryAsync(call, address, body, text == null ? "application/json" : "text/csv", key, began, given.Cancellation).ConfigureAwait(false);
                given.Cancellation.ThrowIfCancellationRequested();
                if (attempt.Fault == null && attempt.Status < 400) return Read<T>(attempt.Body);
                var again = Retries.MaySendAgain(attempt.Status, call.MayRepeat) && failed < settings.Retries.Attempts;
                var pause = again ? settings.Retries.Pause(failed, attempt.Asked, DateTime.UtcNow - began) : null;
                if (pause == null && attempt.Fault != null) throw new NoAnswer($"{call.Method} {call.Path} was not answered: {attempt.Fault.Message}", attempt.Fault);
                if (pause == null) throw HubError.Of(attempt.Status, attempt.Body, attempt.Asked);
                await Task.Delay(pause.Value, given.Cancellation).ConfigureAwait(false);
            }
        }

        private static T Read<T>(string body) => typeof(T) == typeof(string) ? (T)(object)body : body == "" ? default(T) : Json.Read<T>(body);

        private async Task<Attempt> TryAsync(Call call, Uri address, byte[] body, string type, string key, DateTime began, CancellationToken cancellation)
        {
            var limit = settings.Timeout + TimeSpan.FromSeconds(Held(call)); // the hub holds the request open for so long
            if (settings.Retries.Deadline != null)
            {
                var left = settings.Retries.Deadline.Value - (DateTime.UtcNow - began);
                limit = left < limit ? (left > TimeSpan.Zero ? left : TimeSpan.FromMilliseconds(1)) : limit;
            }
            using (var ends = CancellationTokenSource.CreateLinkedTokenSource(cancellation))
            using (var request = Request(call, address, body, type, key))
            {
                ends.CancelAfter(limit);
                try
                {
                    using (var response = await (settings.Http ?? Shared).SendAsync(request, ends.Token).ConfigureAwait(false))
                    {
                        var answer = response.Content == null ? "" : await response.Content.ReadAsStringAsync().ConfigureAwait(false);
                        var status = (int)response.StatusCode;
                        settings.OnAnswer?.Invoke(new Answered { Method = call.Method, Path = call.Path, Status = status, Headers = response.Headers });
                        return new Attempt { Status = status, Body = answer, Asked = response.Headers.RetryAfter?.Delta ?? TimeSpan.Zero };
                    }
                }
                catch (Exception fault) when (fault is HttpRequestException || fault is OperationCanceledException || fault is System.IO.IOException || fault is System.Net.WebException)
                {
                    return new Attempt { Fault = fault };
                }
            }
        }

        private static int Held(Call call)
        {
            var asked = call.Asked?.FirstOrDefault(each => each.Key == "wait").Value;
            return asked == null ? 0 : int.Parse(asked, CultureInfo.InvariantCulture);
        }

        private HttpRequestMessage Request(Call call, Uri address, byte[] body, string type, string key)
        {
            var request = new HttpRequestMessage(new HttpMethod(call.Method), address);
            // A connection of its own: on one that is used again, and ends, .NET sends a request again by itself, signed as before.
            request.Headers.ConnectionClose = true;
            request.Headers.ExpectContinue = false;
            request.Headers.TryAddWithoutValidation("User-Agent", "affiliate-hub-csharp/" + Version);
            if (call.EventId != null) request.Headers.TryAddWithoutValidation("X-External-Event-Id", call.EventId);
            if (key != null) request.Headers.TryAddWithoutValidation("X-Idempotency-Key", key);
            foreach (var each in Signing.Headers(settings.Key, settings.Secret, call.Method, address.PathAndQuery, body)) request.Headers.TryAddWithoutValidation(each.Key, each.Value);
            if (call.Method != "GET" && call.Method != "DELETE")
            {
                request.Content = new ByteArrayContent(body);
                request.Content.Headers.TryAddWithoutValidation("Content-Type", type);
            }
            return request;
        }
    }
}
