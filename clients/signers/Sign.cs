// dotnet run -- SECRET TIMESTAMP NONCE METHOD TARGET BODY
using System;
using System.Security.Cryptography;
using System.Text;

public static class Signer
{
    /// <summary>The X-Signature of version 2: a new nonce for each, target with query, body as sent.</summary>
    public static string Sign(string secret, string timestamp, string nonce, string method, string target, string body)
    {
        using var mac = new HMACSHA256(Encoding.UTF8.GetBytes(secret));
        var digest = Hex(SHA256.HashData(Encoding.UTF8.GetBytes(body)));
        return Hex(mac.ComputeHash(Encoding.UTF8.GetBytes($"v2.{timestamp}.{nonce}.{method}.{target}.{digest}")));
    }

    private static string Hex(byte[] bytes) => Convert.ToHexString(bytes).ToLowerInvariant();

    public static void Main(string[] g) => Console.WriteLine(Sign(g[0], g[1], g[2], g[3], g[4], g[5]));
}
