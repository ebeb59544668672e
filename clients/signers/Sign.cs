// dotnet run -- SECRET TIMESTAMP NONCE BODY
using System;
using System.Security.Cryptography;
using System.Text;

public static class Signer
{
    /// <summary>The X-Signature of a request: the nonce is new for each, the body the exact bytes that are sent.</summary>
    public static string Sign(string secret, string timestamp, string nonce, string body)
    {
        using var mac = new HMACSHA256(Encoding.UTF8.GetBytes(secret));
        byte[] signed = Encoding.UTF8.GetBytes($"{timestamp}.{nonce}.{body}");
        return Convert.ToHexString(mac.ComputeHash(signed)).ToLowerInvariant();
    }

    public static void Main(string[] given) => Console.WriteLine(Sign(given[0], given[1], given[2], given[3]));
}
