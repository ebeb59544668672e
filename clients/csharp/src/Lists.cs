using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading.Tasks;

namespace AffiliateHub
{
    /// <summary>How often a request is sent at most, and the pauses between: they double, up to the longest.</summary>
    /// <remarks>A pause that the hub asks for is heeded up to the longest; with a longer one the call ends with the hub's answer, whose RetryAfter says how long.</remarks>
    public sealed class Retries
    {
        private static readonly Random Spread = new Random();
        public int Attempts { get; set; } = 6;
        public TimeSpan FirstPause { get; set; } = TimeSpan.FromMilliseconds(500);
        public TimeSpan LongestPause { get; set; } = TimeSpan.FromSeconds(30);
        /// <summary>The longest time for all attempts and pauses together; null is none.</summary>
        public TimeSpan? Deadline { get; set; }

        /// <summary>The pause after so many failed attempts; null if what is asked for is too long.</summary>
        public TimeSpan? Pause(int failed, TimeSpan asked, TimeSpan elapsed)
        {
            double spread;
            lock (Spread) spread = 0.8 + 0.4 * Spread.NextDouble();
            var grown = Math.Min(LongestPause.TotalSeconds, FirstPause.TotalSeconds * Math.Pow(2, failed - 1)) * spread;
            var pause = TimeSpan.FromSeconds(Math.Max(grown, asked.TotalSeconds));
            var tooLate = Deadline != null && elapsed + pause > Deadline.Value;
            return asked > LongestPause || tooLate ? (TimeSpan?)null : pause;
        }

        // After 429 nothing was done. After anything else the request may have been taken, so only what may be repeated is.
        internal static bool MaySendAgain(int status, bool mayRepeat) => status == 429 || (mayRepeat && (status == 0 || status == 409 || status >= 500));
    }

    /// <summary>A list, page after page as they are needed: while (await all.NextAsync()) { all.Current ... }</summary>
    public sealed class Walk<T>
    {
        private readonly Func<At, Task<Part<T>>> fetch;
        private Part<T> part;
        private int place;

        internal Walk(Func<At, Task<Part<T>>> fetch) { this.fetch = fetch; }

        /// <summary>The entry that NextAsync went to.</summary>
        public T Current => part.Entries[place];

        /// <summary>Go on to the next entry; false at the end.</summary>
        public async Task<bool> NextAsync()
        {
            place++;
            while (part == null || place >= part.Entries.Count)
            {
                if (part != null && part.Next == null) return false;
                part = await fetch(part?.Next ?? At.First).ConfigureAwait(false);
                place = 0;
            }
            return true;
        }
    }

    internal sealed class Part<T>
    {
        internal Part(IList<T> entries, At next) { Entries = entries; Next = next; }
        internal IList<T> Entries { get; }
        internal At Next { get; }
    }

    internal sealed class At
    {
        internal static readonly At First = new At { Number = 1 };
        internal string Cursor { get; private set; }
        internal long Number { get; private set; }
        internal static At Next(string cursor) => cursor == null ? null : new At { Cursor = cursor };
        internal static At Page(long page, long size, long total) => page * size < total ? new At { Number = page + 1 } : null;
    }

    internal static class Query
    {
        internal static void Put(IList<KeyValuePair<string, string>> given, string name, object value)
        {
            if (value == null) return;
            var text = value is bool flag ? (flag ? "true" : "false") : Convert.ToString(value, CultureInfo.InvariantCulture);
            given.Add(new KeyValuePair<string, string>(name, text));
        }
    }

    /// <summary>Follows what changed, part by part: while (await news.NextAsync()) { news.Part ... }</summary>
    public sealed class Changes
    {
        private readonly Hub hub;
        private readonly ListChangesQuery query;
        private readonly CallOptions options;

        internal Changes(Hub hub, ListChangesQuery query, CallOptions options)
        {
            this.hub = hub;
            this.query = query;
            this.options = options;
        }

        /// <summary>The part that NextAsync waited for; keep its Cursor.</summary>
        public ChangeList Part { get; private set; }

        /// <summary>Wait for the next part; false at the end.</summary>
        public async Task<bool> NextAsync()
        {
            if (Part != null && query.Wait == 0 && !Part.More) return false;
            Part = await hub.ListChangesAsync(query, options).ConfigureAwait(false);
            query.After = Part.Cursor;
            return true;
        }
    }
}
