package affiliatehub

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"time"
)

// Signature returns that of version 1: HMAC-SHA256 over the timestamp, the nonce and the exact bytes of the body.
func Signature(secret, timestamp, nonce string, body []byte) string {
	return digest(secret, timestamp+"."+nonce+"."+string(body))
}

// SignatureV2 also covers the method and the target: the path with its query as they are sent.
func SignatureV2(secret, timestamp, nonce, method, target string, body []byte) string {
	sum := sha256.Sum256(body)
	return digest(secret, "v2."+timestamp+"."+nonce+"."+method+"."+target+"."+hex.EncodeToString(sum[:]))
}

func digest(secret, text string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// sign sets the headers of one attempt: the time and the nonce are new for each.
func sign(header http.Header, key, secret, method, target string, body []byte) {
	timestamp, nonce := strconv.FormatInt(time.Now().Unix(), 10), random()
	header.Set("X-API-Key", key)
	header.Set("X-Timestamp", timestamp)
	header.Set("X-Nonce", nonce)
	header.Set("X-Signature-Version", "2")
	header.Set("X-Signature", SignatureV2(secret, timestamp, nonce, method, target, body))
}
