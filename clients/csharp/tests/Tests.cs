// The client against a real hub (HUB_BASE_URL, HUB_KEY, HUB_SECRET) and a proxy that fails (FAULTY_BASE_URL), compiled
// with the sources of the client; the argument is the file of the shared vectors.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using AffiliateHub;

internal static class Tests
{
    private static IDictionary<string, object> vectors;
    private static Hub hub;
    private static Hub faulty;

    private static int Main(string[] given)
    {
        vectors = Json.Read<IDictionary<string, object>>(File.ReadAllText(given[0]));
        hub = Hub.FromEnvironment();
        faulty = new Hub(new HubSettings { BaseUrl = Known("FAULTY_BASE_URL"), Key = Known("HUB_KEY"), Secret = Known("HUB_SECRET"), Retries = Quick() });
        var tests = new Dictionary<string, Func<Task>>
        {
            { "signatures are those of the shared vectors", Signatures },
            // Not last: Mono aborts the timer that gave up if the program ends within its callback.
            { "a call ends with its deadline, and when the caller gives up", Deadlines },
            { "a missing setting is named at once", MissingSettings },
            { "a message is returned only if it is the hub's", Messages },
            { "JSON is read and written as it is", JsonIsKept },
            { "changes are followed to their end, and from a cursor that was kept", ChangesAreFollowed },
            { "a request that is held open outlives the usual time limit", HeldOpen },
            { "headers can be read, and iterators ask for as many as there may be", HeadersAndPages },
            { "an order is reported and looked up", Orders },
            { "webhooks count once by their event id", EventIds },
            { "lists are paged to their end", Lists },
            { "files are sent as they are", Files },
            { "refusals are errors with codes", Refusals },
            { "after a lost answer, 503 and 429 the same is said again", SaidAgain },
            { "an end comes", AnEnd },
            { "what would be done twice is not repeated", NotRepeated },
            { "pauses grow to a bound and heed what is asked", Pauses },
            { "a limit that is long ends the call with its pause", LongLimit },
        };
        var failures = 0;
        foreach (var test in tests)
        {
            try
            {
                test.Value().GetAwaiter().GetResult();
                Console.WriteLine("ok      " + test.Key);
            }
            catch (Exception fault)
            {
                failures++;
                Console.WriteLine("FAILED  " + test.Key + "\n" + fault);
            }
        }
        return failures == 0 ? 0 : 1;
    }

    private static string Known(string name) => Environment.GetEnvironmentVariable(name);

    private static Retries Quick() => new Retries { Attempts = 4, FirstPause = TimeSpan.FromMilliseconds(10) };

    private static string New(string kind) => kind + "-" + Guid.NewGuid().ToString("N");

    private static ConversionInput Order() => new ConversionInput { ExternalOrderId = New("cs"), OrderAmount = "49.90" };

    private static ProductInput Product(string id) => new ProductInput { ExternalProductId = id, Name = "x", ProductUrl = "https://shop.example/p", Price = "1.00" };

    private static int Attempts(string key)
    {
        using (var client = new WebClient()) return int.Parse(client.DownloadString(Known("FAULTY_ROOT") + "/attempts/" + key));
    }

    private static void Same(object expected, object seen)
    {
        if (!Equals(expected, seen)) throw new Exception($"expected {expected}, but saw {seen}");
    }

    private static async Task<T> Fault<T>(Func<Task> act) where T : Exception
    {
        try { await act(); }
        catch (T fault) { return fault; }
        throw new Exception("expected " + typeof(T).Name);
    }

    private static IEnumerable<Func<string, string>> Vectors(string kind)
    {
        foreach (IDictionary<string, object> each in (List<object>)vectors[kind]) yield return name => (string)each[name];
    }

    private static Task Signatures()
    {
        foreach (var each in Vectors("requests"))
        {
            var body = Encoding.UTF8.GetBytes(each("body"));
            Same(each("signature"), Signing.Signature(each("secret"), each("timestamp"), each("nonce"), body));
            Same(each("signatureV2"), Signing.SignatureV2(each("secret"), each("timestamp"), each("nonce"), each("method"), each("target"), body));
        }
        return Task.FromResult(0);
    }

    private static async Task MissingSettings()
    {
        var fault = await Fault<MissingSetting>(async () => { await Task.Yield(); new Hub(new HubSettings { Key = "k" }); });
        Same(true, fault.Message.StartsWith("Set BaseUrl and Secret:"));
        var secret = Known("HUB_SECRET");
        Environment.SetEnvironmentVariable("HUB_SECRET", null);
        fault = await Fault<MissingSetting>(async () => { await Task.Yield(); Hub.FromEnvironment(); });
        Environment.SetEnvironmentVariable("HUB_SECRET", secret);
        Same(true, fault.Message.StartsWith("Set HUB_SECRET:"));
    }

    private static async Task Messages()
    {
        var each = Vectors("webhooks").First();
        var body = Encoding.UTF8.GetBytes(each("body"));
        var now = long.Parse(each("timestamp"));
        Func<string, string, Dictionary<string, string>> with = (name, value) =>
        {
            var headers = new Dictionary<string, string> { { "webhook-id", each("id") }, { "webhook-timestamp", each("timestamp") }, { "webhook-signature", "v1,AAAA " + each("signature") } };
            headers[name] = value;
            return headers;
        };
        var right = with("x", "");
        var message = Webhooks.Verify(each("secret"), right, body, now);
        Same("commission.payable", message.Type);
        Same("3.99", ((CommissionNews)message.Data).Amount);
        var wrong = new List<Action>
        {
            () => Webhooks.Verify(each("secret"), right, body.Concat(new byte[] { 32 }).ToArray(), now),
            () => Webhooks.Verify(each("secret"), right, body, now + 301),
            () => Webhooks.Verify("whsec_QUFBQQ==", right, body, now),
            () => Webhooks.Verify("whsec_?", right, body, now),
            () => Webhooks.Verify(each("secret"), with("webhook-id", "msg_other"), body, now),
            () => Webhooks.Verify(each("secret"), with("webhook-timestamp", "soon"), body, now),
            () => Webhooks.Verify(each("secret"), name => null, body, now),
        };
        foreach (var verify in wrong) await Fault<WebhookFault>(async () => { await Task.Yield(); verify(); });
    }

    private static async Task JsonIsKept()
    {
        var patch = new CampaignPatch { Title = "A\"\\\n\u0001 Schöne 👟", Description = Field<string>.Null, EndDate = "2027-01-01T00:00:00Z", CookieDurationDays = 3L };
        var text = Json.Write(patch);
        Same("{\"title\":\"A\\\"\\\\\\u000a\\u0001 Schöne \\ud83d\\udc5f\",\"description\":null,\"endDate\":\"2027-01-01T00:00:00Z\",\"cookieDurationDays\":3}", text);
        var read = Json.Read<CampaignPatch>(text);
        Same(patch.Title, read.Title);
        Same(true, read.Description.IsNull && !read.StartDate.IsGiven);
        Same(3L, read.CookieDurationDays.Value);
        Same(-1.5, ((List<object>)Json.Read<object>(" [ 1 , -1.5e0, true, null, {\"a\":[]} ] "))[1]);
        foreach (var broken in new[] { "", "{", "[1", "\"a", "{\"a\"}", "nul", "1 2", "\"\\x\"", "\"\\u12", new string('[', 1000) })
            await Fault<FormatException>(async () => { await Task.Yield(); Json.Read<object>(broken); });
    }

    private static async Task ChangesAreFollowed()
    {
        Func<Task> import = () => hub.ImportProductsAsync(new ProductsPayload { Products = new[] { Product(New("feed")) } });
        await import();
        var all = hub.FollowChanges(new ListChangesQuery { Types = "product", Wait = 0, Limit = 1 });
        while (await all.NextAsync()) { }
        Same(false, all.Part.More);
        await import();
        var news = hub.FollowChanges(new ListChangesQuery { After = all.Part.Cursor, Types = "product", Wait = 5 });
        Same(true, await news.NextAsync());
        Same(1, news.Part.Data.Count);
        var rest = hub.FollowChanges(new ListChangesQuery { After = news.Part.Cursor, Types = "product", Wait = 0 });
        Same(true, await rest.NextAsync());
        Same(0, rest.Part.Data.Count);
        Same(false, await rest.NextAsync());
    }

    private static async Task HeldOpen()
    {
        var impatient = Hub.FromEnvironment(new HubSettings { Timeout = TimeSpan.FromMilliseconds(500), Retries = new Retries { Attempts = 2 } });
        var all = impatient.FollowChanges(new ListChangesQuery { Wait = 0 });
        while (await all.NextAsync()) { }
        var began = DateTime.UtcNow;
        var news = impatient.FollowChanges(new ListChangesQuery { After = all.Part.Cursor, Types = "campaign", Wait = 1 });
        Same(true, await news.NextAsync());
        Same(0, news.Part.Data.Count);
        Same(true, DateTime.UtcNow - began >= TimeSpan.FromMilliseconds(900));
    }

    private static async Task HeadersAndPages()
    {
        var answered = new List<Answered>();
        var asked = new Asking();
        var watched = Hub.FromEnvironment(new HubSettings { OnAnswer = answered.Add, Http = new System.Net.Http.HttpMessageInvoker(asked) });
        await watched.ListBalancesAsync();
        Same("GET /v1/balances 200", $"{answered[0].Method} {answered[0].Path} {answered[0].Status}");
        Same(true, answered[0].Headers.ETag.Tag.StartsWith("\""));
        Same("affiliate-hub-csharp/" + Hub.Version, asked.Agents[0]);
        foreach (var query in new[] { null, new ListLinksQuery { Limit = 3 } })
        {
            var all = watched.IterateLinks(query);
            while (await all.NextAsync()) { }
        }
        Same("?limit=200 ?limit=3", string.Join(" ", asked.Queries.Skip(1)));
    }

    private sealed class Asking : System.Net.Http.DelegatingHandler
    {
        internal readonly List<string> Agents = new List<string>();
        internal readonly List<string> Queries = new List<string>();

        internal Asking() : base(new System.Net.Http.HttpClientHandler()) { }

        protected override Task<System.Net.Http.HttpResponseMessage> SendAsync(System.Net.Http.HttpRequestMessage request, CancellationToken cancellation)
        {
            Agents.Add(request.Headers.GetValues("User-Agent").Single());
            Queries.Add(request.RequestUri.Query);
            return base.SendAsync(request, cancellation);
        }
    }

    private static async Task Orders()
    {
        var order = Order();
        var accepted = await hub.ReportConversionAsync(order);
        Same(AcceptedStatus.Received, accepted.Status);
        Same(AcceptedStatus.Duplicate, (await hub.ReportConversionAsync(order)).Status);
        Same("conversion", (await hub.GetEventAsync(accepted.EventId)).Type);
    }

    private static async Task EventIds()
    {
        var id = New("cs");
        foreach (var expected in new[] { "QUEUED", "DUPLICATE" })
            Same(expected, (await hub.SendOrderPaidAsync(new OrderPaidWebhook { ExternalOrderId = id }, id)).Status);
    }

    private static async Task Lists()
    {
        var products = Enumerable.Range(0, 5).Select(n => Product("CS-" + n)).ToList();
        Same(5L, (await hub.ImportProductsAsync(new ProductsPayload { Products = products })).Created);
        var found = new SortedSet<string>();
        var all = hub.IterateProducts(new ListProductsQuery { PageSize = 2, Search = "CS-" });
        while (await all.NextAsync()) found.Add(all.Current.ExternalProductId);
        Same("CS-0 CS-1 CS-2 CS-3 CS-4", string.Join(" ", found));
        var reported = new HashSet<string>();
        for (var n = 0; n < 3; n++) reported.Add((await hub.ReportConversionAsync(Order())).EventId);
        var events = hub.IterateEvents(new ListEventsQuery { Limit = 1 });
        while (await events.NextAsync()) reported.Remove(events.Current.EventId);
        Same(0, reported.Count);
    }

    private static async Task Files()
    {
        var upload = await hub.UploadOrdersAsync("externalOrderId,orderAmount\n" + New("cs") + ",1.00\n");
        Same("orders", (await hub.GetUploadAsync(upload.UploadId)).Kind);
    }

    private static async Task Refusals()
    {
        var fault = await Fault<HubError>(() => hub.ReportConversionAsync(new ConversionInput { OrderAmount = "ten" }));
        Same("400 validation_failed externalOrderId 2", $"{fault.Status} {fault.Code} {fault.Param} {fault.Messages.Count}");
        Same(true, fault.DocUrl.EndsWith("/docs/errors#validation_failed"));
        Same("not_found", (await Fault<HubError>(() => hub.GetEventAsync("evt_none/../x"))).Code);
        var stranger = new Hub(new HubSettings { BaseUrl = Known("HUB_BASE_URL"), Key = Known("HUB_KEY"), Secret = "sec_wrong" });
        fault = await Fault<HubError>(() => stranger.ListProductsAsync());
        Same("401 ", $"{fault.Status} {fault.Code}");
        var once = new CallOptions { IdempotencyKey = New("key") };
        await hub.ReportConversionAsync(Order(), once);
        Same("idempotency_mismatch", (await Fault<HubError>(() => hub.ReportConversionAsync(Order(), once))).Code);
    }

    private static async Task SaidAgain()
    {
        foreach (var each in new Dictionary<string, int> { { "lost", 2 }, { "busy", 3 }, { "limited", 2 } })
        {
            var key = New(each.Key);
            Same("RECEIVED", (await faulty.ReportConversionAsync(Order(), new CallOptions { IdempotencyKey = key })).Status);
            Same(each.Value, Attempts(key));
        }
    }

    private static async Task AnEnd()
    {
        var key = New("down");
        Same("store_unavailable", (await Fault<HubError>(() => faulty.ReportConversionAsync(Order(), new CallOptions { IdempotencyKey = key }))).Code);
        Same(4, Attempts(key));
    }

    private static async Task NotRepeated()
    {
        await Fault<NoAnswer>(() => faulty.CreateLinkAsync(new LinkInput { AffiliateId = "aff_cut" }));
        Same(1, Attempts("cut"));
        Same(true, Retries.MaySendAgain(429, false) && !Retries.MaySendAgain(503, false) && !Retries.MaySendAgain(401, true));
    }

    private static Task Pauses()
    {
        var retries = new Retries { FirstPause = TimeSpan.FromSeconds(1), LongestPause = TimeSpan.FromSeconds(8) };
        foreach (var each in new Dictionary<int, double> { { 1, 1 }, { 2, 2 }, { 3, 4 }, { 4, 8 }, { 9, 8 } })
        {
            var seconds = retries.Pause(each.Key, TimeSpan.Zero, TimeSpan.Zero).Value.TotalSeconds;
            Same(true, seconds >= 0.799 * each.Value && seconds <= 1.201 * each.Value);
        }
        Same(TimeSpan.FromSeconds(7), retries.Pause(1, TimeSpan.FromSeconds(7), TimeSpan.Zero));
        Same(null, retries.Pause(1, TimeSpan.FromHours(1), TimeSpan.Zero));
        retries.Deadline = TimeSpan.FromSeconds(10);
        Same(null, retries.Pause(1, TimeSpan.Zero, TimeSpan.FromSeconds(9.9)));
        return Task.FromResult(0);
    }

    private static async Task LongLimit()
    {
        var key = New("patience");
        var fault = await Fault<RateLimited>(() => faulty.ReportConversionAsync(Order(), new CallOptions { IdempotencyKey = key }));
        Same(TimeSpan.FromHours(1), fault.RetryAfter);
        Same(1, Attempts(key));
    }

    private static async Task Deadlines()
    {
        var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        var began = DateTime.UtcNow;
        var settings = new HubSettings { BaseUrl = $"http://127.0.0.1:{((IPEndPoint)silent.LocalEndpoint).Port}", Key = "k", Secret = "s" };
        settings.Retries = new Retries { Deadline = TimeSpan.FromMilliseconds(200) };
        await Fault<NoAnswer>(() => new Hub(settings).ListBalancesAsync());
        settings.Retries = new Retries();
        using (var ends = new CancellationTokenSource(100))
            await Fault<OperationCanceledException>(() => new Hub(settings).ListBalancesAsync(new CallOptions { Cancellation = ends.Token }));
        settings.BaseUrl = "http://127.0.0.1:1"; // refused at once, so that the pause is what ends
        settings.Retries = new Retries { FirstPause = TimeSpan.FromHours(1), LongestPause = TimeSpan.FromHours(1) };
        using (var ends = new CancellationTokenSource(300))
            await Fault<OperationCanceledException>(() => new Hub(settings).ListBalancesAsync(new CallOptions { Cancellation = ends.Token }));
        silent.Stop();
        Same(true, DateTime.UtcNow - began < TimeSpan.FromSeconds(8));
    }
}
