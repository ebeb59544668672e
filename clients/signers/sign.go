// go run sign.go SECRET TIMESTAMP NONCE BODY
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
)

// Sign returns the X-Signature of a request: the nonce is new for each, the body the exact bytes that are sent.
func Sign(secret, timestamp, nonce, body string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "." + nonce + "." + body))
	return hex.EncodeToString(mac.Sum(nil))
}

func main() {
	fmt.Println(Sign(os.Args[1], os.Args[2], os.Args[3], os.Args[4]))
}
