// go run sign.go SECRET TIMESTAMP NONCE METHOD TARGET BODY
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
)

// Sign returns the X-Signature of version 2: a new nonce for each, the target with its query, the body as sent.
func Sign(secret, timestamp, nonce, method, target, body string) string {
	digest := sha256.Sum256([]byte(body))
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(strings.Join([]string{"v2", timestamp, nonce, method, target, hex.EncodeToString(digest[:])}, ".")))
	return hex.EncodeToString(mac.Sum(nil))
}

func main() {
	g := os.Args
	fmt.Println(Sign(g[1], g[2], g[3], g[4], g[5], g[6]))
}
