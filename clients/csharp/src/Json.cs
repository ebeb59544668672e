using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Reflection;
using System.Text;

namespace AffiliateHub
{
    /// <summary>A member that may be left out (default), null (Null) or a value, which is given as it is.</summary>
    public struct Field<T> : IField
    {
        private readonly T value;
        private Field(T value) { this.value = value; IsGiven = true; IsNull = false; }
        private Field(bool isNull) { value = default(T); IsGiven = isNull; IsNull = isNull; }
        /// <summary>Whether it is null or a value.</summary>
        public bool IsGiven { get; }
        /// <summary>Whether it is null.</summary>
        public bool IsNull { get; }
        /// <summary>The value, its type's default without one.</summary>
        public T Value => value;
        /// <summary>The null of such a member.</summary>
        public static Field<T> Null => new Field<T>(true);
        public static implicit operator Field<T>(T value) => value == null ? Null : new Field<T>(value);
        object IField.Written => IsNull ? null : (object)value;
        Type IField.Inner => typeof(T);
        object IField.Of(object read) => read == null ? Null : new Field<T>((T)read);
    }

    internal interface IField
    {
        bool IsGiven { get; }
        object Written { get; }
        Type Inner { get; }
        object Of(object read);
    }

    [AttributeUsage(AttributeTargets.Property)]
    internal sealed class WireAttribute : Attribute
    {
        internal WireAttribute(string name) { Name = name; }
        internal string Name { get; }
        public bool IsRequired { get; set; }
    }

    /// <summary>JSON without a package: objects are classes of this client, or dictionaries, lists, texts and numbers.</summary>
    internal static class Json
    {
        internal static string Write(object value)
        {
            var text = new StringBuilder();
            Write(value, text);
            return text.ToString();
        }

        internal static T Read<T>(string text)
        {
            var at = 0;
            var value = Parse(text, ref at, 0);
            Skip(text, ref at);
            if (at != text.Length) throw new FormatException("there is something behind the JSON");
            return (T)Shape(value, typeof(T));
        }

        private static void Write(object value, StringBuilder text)
        {
            if (value == null) text.Append("null");
            else if (value is string) Quote((string)value, text);
            else if (value is bool) text.Append((bool)value ? "true" : "false");
            else if (value is IFormattable) text.Append(((IFormattable)value).ToString(null, CultureInfo.InvariantCulture));
            else if (value is IDictionary<string, object>) WriteMembers((IDictionary<string, object>)value, text);
            else if (value is IEnumerable) WriteEntries((IEnumerable)value, text);
            else WriteMembers(Members(value), text);
        }

        private static void WriteMembers(IEnumerable<KeyValuePair<string, object>> members, StringBuilder text)
        {
            var separator = '{';
            foreach (var member in members)
            {
                text.Append(separator);
                Quote(member.Key, text);
                text.Append(':');
                Write(member.Value, text);
                separator = ',';
            }
            text.Append(separator == '{' ? "{}" : "}");
        }

        private static void WriteEntries(IEnumerable entries, StringBuilder text)
        {
            var separator = '[';
            foreach (var entry in entries)
            {
                text.Append(separator);
                Write(entry, text);
                separator = ',';
            }
            text.Append(separator == '[' ? "[]" : "]");
        }

        private static IEnumerable<KeyValuePair<string, object>> Members(object value)
        {
            foreach (var property in value.GetType().GetProperties())
            {
                var wire = property.GetCustomAttribute<WireAttribute>();
                if (wire == null) continue;
                var given = property.GetValue(value);
                if (given is IField field)
                {
                    if (field.IsGiven) yield return new KeyValuePair<string, object>(wire.Name, field.Written);
                }
                else if (given != null || wire.IsRequired) yield return new KeyValuePair<string, object>(wire.Name, given);
            }
        }

        private static void Quote(string written, StringBuilder text)
        {
            text.Append('"');
            foreach (var each in written)
            {
                if (each == '"' || each == '\\') text.Append('\\').Append(each);
                else if (each < ' ' || char.IsSurrogate(each)) text.Append("\\u").Append(((int)each).ToString("x4", CultureInfo.InvariantCulture));
                else text.Append(each);
            }
            text.Append('"');
        }

        private static object Shape(object value, Type type)
        {
            if (typeof(IField).IsAssignableFrom(type))
            {
                var field = (IField)Activator.CreateInstance(type);
                return field.Of(Shape(value, field.Inner));
            }
            var inner = Nullable.GetUnderlyingType(type) ?? type;
            if (value == null || inner == typeof(object) || inner == typeof(string) || inner == typeof(bool)) return value;
            if (inner == typeof(long) || inner == typeof(double)) return Convert.ChangeType(value, inner, CultureInfo.InvariantCulture);
            if (inner == typeof(IDictionary<string, object>)) return value;
            if (inner.IsGenericType && inner.GetGenericTypeDefinition() == typeof(IList<>)) return Listed((List<object>)value, inner.GetGenericArguments()[0]);
            return Filled((IDictionary<string, object>)value, inner);
        }

        private static object Listed(List<object> entries, Type type)
        {
            var list = (IList)Activator.CreateInstance(typeof(List<>).MakeGenericType(type));
            foreach (var entry in entries) list.Add(Shape(entry, type));
            return list;
        }

        private static object Filled(IDictionary<string, object> members, Type type)
        {
            var made = Activator.CreateInstance(type);
            foreach (var property in type.GetProperties())
            {
                var wire = property.GetCustomAttribute<WireAttribute>();
                object value;
                if (wire == null || !members.TryGetValue(wire.Name, out value)) continue;
                var shaped = property.PropertyType;
                if (made is WebhookMessage && wire.Name == "data") shaped = MessageData.Of((string)members["type"]);
                property.SetValue(made, Shape(value, shaped));
            }
            return made;
        }

        private static object Parse(string text, ref int at, int depth)
        {
            if (depth > 100) throw new FormatException("the JSON is nested too deeply");
            Skip(text, ref at);
            var first = at < text.Length ? text[at] : '\0';
            if (first == '{') return ParseMembers(text, ref at, depth);
            if (first == '[') return ParseEntries(text, ref at, depth);
            if (first == '"') return ParseText(text, ref at);
            foreach (var word in new[] { "true", "false", "null" })
            {
                if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) continue;
                at += word.Length;
                return word == "null" ? null : (object)(word == "true");
            }
            return ParseNumber(text, ref at);
        }

        private static object ParseNumber(string text, ref int at)
        {
            var start = at;
            while (at < text.Length && "+-0123456789.eE".IndexOf(text[at]) >= 0) at++;
            var written = text.Substring(start, at - start);
            long whole;
            if (long.TryParse(written, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out whole)) return whole;
            return double.Parse(written, NumberStyles.Float, CultureInfo.InvariantCulture);
        }

        private static IDictionary<string, object> ParseMembers(string text, ref int at, int depth)
        {
            var members = new Dictionary<string, object>();
            Take(text, ref at, '{');
            if (TryTake(text, ref at, '}')) return members;
            do
            {
                Skip(text, ref at);
                var name = ParseText(text, ref at);
                Take(text, ref at, ':');
                members[name] = Parse(text, ref at, depth + 1);
            }
            while (TryTake(text, ref at, ','));
            Take(text, ref at, '}');
            return members;
        }

        private static List<object> ParseEntries(string text, ref int at, int depth)
        {
            var entries = new List<object>();
            Take(text, ref at, '[');
            if (TryTake(text, ref at, ']')) return entries;
            do entries.Add(Parse(text, ref at, depth + 1));
            while (TryTake(text, ref at, ','));
            Take(text, ref at, ']');
            return entries;
        }

        private static string ParseText(string text, ref int at)
        {
            Take(text, ref at, '"');
            var read = new StringBuilder();
            for (; ; at++)
            {
                if (at >= text.Length) throw new FormatException("the JSON ends within a text");
                if (text[at] == '"') { at++; return read.ToString(); }
                if (text[at] != '\\') { read.Append(text[at]); continue; }
                at++;
                var place = at < text.Length ? "\"\\/bfnrt".IndexOf(text[at]) : -1;
                if (place >= 0) { read.Append("\"\\/\b\f\n\r\t"[place]); continue; }
                if (at + 4 >= text.Length || text[at] != 'u') throw new FormatException("the JSON has an unknown escape");
                read.Append((char)int.Parse(text.Substring(at + 1, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture));
                at += 4;
            }
        }

        private static void Skip(string text, ref int at)
        {
            while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0) at++;
        }

        private static bool TryTake(string text, ref int at, char wanted)
        {
            Skip(text, ref at);
            if (at >= text.Length || text[at] != wanted) return false;
            at++;
            return true;
        }

        private static void Take(string text, ref int at, char wanted)
        {
            if (!TryTake(text, ref at, wanted)) throw new FormatException($"the JSON lacks a {wanted} at {at}");
        }
    }
}
