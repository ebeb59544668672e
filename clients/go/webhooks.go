package affiliatehub

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const tolerance = 300 * time.Second

// WebhookFault says why a message is not taken for the hub's.
type WebhookFault struct{ Reason string }

func (e *WebhookFault) Error() string { return e.Reason }

// WebhookMessage is a message of the hub; Data is a pointer to what its type says, such as *CommissionNews, and a
// map[string]any for a type that came after this client.
type WebhookMessage struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	Data      any    `json:"data"`
}

// UnmarshalJSON reads a message with its data typed.
func (m *WebhookMessage) UnmarshalJSON(raw []byte) error {
	var parts struct {
		Type, Timestamp string
		Data            json.RawMessage
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return err
	}
	m.Type, m.Timestamp, m.Data = parts.Type, parts.Timestamp, dataOf(parts.Type)
	if m.Data == nil {
		return json.Unmarshal(parts.Data, &m.Data)
	}
	return json.Unmarshal(parts.Data, m.Data)
}

// VerifyWebhook returns the message if the hub signed it in the last five minutes, else a *WebhookFault.
//
// The header is that of the request, the body the bytes that arrived. While a secret is rotated there are two signatures.
func VerifyWebhook(secret string, header http.Header, body []byte) (*WebhookMessage, error) {
	return VerifyWebhookAt(time.Now(), secret, header, body)
}

// VerifyWebhookAt does so as if it were another time.
func VerifyWebhookAt(now time.Time, secret string, header http.Header, body []byte) (*WebhookMessage, error) {
	id, timestamp, signatures := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp"), header.Get("Webhook-Signature")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || signatures == "" || err != nil {
		return nil, &WebhookFault{"a header of the signature is missing"}
	}
	if age := now.Sub(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return nil, &WebhookFault{"the message is too old"}
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return nil, &WebhookFault{"the secret is not that of a subscription"}
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, each := range strings.Split(signatures, " ") {
		if hmac.Equal(expected, []byte(each)) {
			message := new(WebhookMessage)
			return message, json.Unmarshal(body, message)
		}
	}
	return nil, &WebhookFault{"the signature is another one"}
}
