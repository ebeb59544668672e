// Package affiliatehub is the client of an affiliate hub's merchant API: it signs, retries, pages and verifies webhooks.
package affiliatehub

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// Version is the client's own; servers see it in the User-Agent.
const Version = "0.1.0"

const userAgent = "affiliate-hub-go/" + Version

// LongestWait is for how many seconds the hub holds a request for changes open at most.
const LongestWait = 20

// Answered is what the hub answered to an attempt: Header has ETag, RateLimit and X-Request-Id.
type Answered struct {
	Method, Path string
	Status       int
	Header       http.Header
}

// Settings say where the hub is, with which key requests are signed, and how they are sent.
type Settings struct {
	// BaseURL is the hub's address with /api at its end.
	BaseURL, Key, Secret string
	// Retries is DefaultRetries unless it says something.
	Retries Retries
	// Timeout bounds one attempt: 10 seconds unless it says something.
	Timeout time.Duration
	// HTTP sends the requests: http.DefaultClient unless there is another.
	HTTP *http.Client
	// OnAnswer is called with what the hub answered to each attempt.
	OnAnswer func(Answered)
}

// Hub is the client; many goroutines may use it at once.
type Hub struct {
	settings Settings
}

// New returns a client, or a *MissingSetting that names what is missing.
func New(settings Settings) (*Hub, error) {
	given := []string{"BaseURL", settings.BaseURL, "Key", settings.Key, "Secret", settings.Secret}
	if err := missing(given); err != nil {
		return nil, err
	}
	settings.BaseURL = strings.TrimRight(settings.BaseURL, "/")
	if settings.Retries == (Retries{}) {
		settings.Retries = DefaultRetries
	}
	if settings.Timeout == 0 {
		settings.Timeout = 10 * time.Second
	}
	if settings.HTTP == nil {
		settings.HTTP = http.DefaultClient
	}
	return &Hub{settings}, nil
}

// FromEnvironment returns a client with HUB_BASE_URL, HUB_KEY and HUB_SECRET; settings has the rest.
func FromEnvironment(settings Settings) (*Hub, error) {
	var given []string
	for _, name := range []string{"HUB_BASE_URL", "HUB_KEY", "HUB_SECRET"} {
		given = append(given, name, os.Getenv(name))
	}
	if err := missing(given); err != nil {
		return nil, err
	}
	settings.BaseURL, settings.Key, settings.Secret = given[1], given[3], given[5]
	return New(settings)
}

func missing(given []string) error {
	var names []string
	for place := 0; place < len(given); place += 2 {
		if given[place+1] == "" {
			names = append(names, given[place])
		}
	}
	if names == nil {
		return nil
	}
	return &MissingSetting{names}
}

// Option changes how one call is sent.
type Option func(*call)

// IdempotencyKey is derived from your own ids: the same for every attempt to say the same thing.
func IdempotencyKey(key string) Option {
	return func(c *call) { c.idempotencyKey = key }
}

// call is one call of the API, whatever number of attempts it takes.
type call struct {
	method, path            string
	query                   url.Values
	body                    any
	eventID, idempotencyKey string
	isIdempotent, mayRepeat bool
}

func (c call) encoded() ([]byte, string, error) {
	switch body := c.body.(type) {
	case nil:
		return nil, "application/json", nil
	case string: // the content of a file
		return []byte(body), "text/csv", nil
	default:
		raw, err := json.Marshal(body)
		return raw, "application/json", err
	}
}

func (h *Hub) send(ctx context.Context, c call, into any, options []Option) error {
	for _, option := range options {
		option(&c)
	}
	if c.isIdempotent && c.idempotencyKey == "" {
		c.idempotencyKey = random() // of the call, so that its attempts count once
	}
	body, kind, err := c.encoded()
	if err != nil {
		return err
	}
	address := h.settings.BaseURL + c.path
	if len(c.query) > 0 {
		address += "?" + c.query.Encode()
	}
	began := time.Now()
	for failed := 1; ; failed++ {
		answer, fault := h.attempt(ctx, c, address, kind, body, began)
		if err := ctx.Err(); err != nil {
			return err
		}
		if fault == nil && answer.status < 400 {
			return answer.read(into)
		}
		var pause time.Duration
		again := maySendAgain(answer.status, c.mayRepeat) && failed < h.settings.Retries.Attempts
		if again {
			pause, again = h.settings.Retries.pause(failed, answer.asked, time.Since(began))
		}
		if !again && fault != nil {
			return &NoAnswer{c.method, c.path, fault}
		}
		if !again {
			return errorOf(answer.status, answer.body, answer.asked)
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

type answer struct {
	status int
	body   []byte
	asked  time.Duration
}

func (a answer) read(into any) error {
	switch into := into.(type) {
	case nil:
		return nil
	case *string:
		*into = string(a.body)
		return nil
	default:
		return json.Unmarshal(a.body, into)
	}
}

func (h *Hub) attempt(
	ctx context.Context, c call, address, kind string, body []byte, began time.Time,
) (answer, error) {
	held, _ := strconv.Atoi(c.query.Get("wait")) // the hub holds the request open for so many seconds
	limit := h.settings.Timeout + time.Duration(held)*time.Second
	if deadline := h.settings.Retries.Deadline; deadline > 0 && deadline-time.Since(began) < limit {
		limit = deadline - time.Since(began)
	}
	limited, end := context.WithTimeout(ctx, limit)
	defer end()
	// The body cannot be rewound, so that net/http never sends an attempt twice by itself: it would be signed as before.
	request, err := http.NewRequestWithContext(limited, c.method, address, struct{ io.Reader }{bytes.NewReader(body)})
	if err != nil {
		return answer{}, err
	}
	request.ContentLength = int64(len(body))
	request.Header.Set("User-Agent", userAgent)
	request.Header.Set("Content-Type", kind)
	if c.eventID != "" {
		request.Header.Set("X-External-Event-Id", c.eventID)
	}
	if c.idempotencyKey != "" {
		request.Header.Set("X-Idempotency-Key", c.idempotencyKey)
	}
	sign(request.Header, h.settings.Key, h.settings.Secret, c.method, request.URL.RequestURI(), body)
	response, err := h.settings.HTTP.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}, err
	}
	if h.settings.OnAnswer != nil {
		h.settings.OnAnswer(Answered{c.method, c.path, response.StatusCode, response.Header})
	}
	return answer{response.StatusCode, raw, asked(response.Header.Get("Retry-After"))}, nil
}

func random() string {
	raw := make([]byte, 16)
	if _, err := rand.Read(raw); err != nil {
		panic(err) // the system has no random numbers: nothing could be signed
	}
	return hex.EncodeToString(raw)
}

// Given returns a pointer to a value, for a field that may be left out.
func Given[T any](value T) *T {
	return &value
}

// Nullable is a field that may be left out (nil), null (Null) or a value (Of).
type Nullable[T any] map[bool]T

// Of returns a value of such a field.
func Of[T any](value T) Nullable[T] {
	return Nullable[T]{true: value}
}

// Null returns the null of such a field.
func Null[T any]() Nullable[T] {
	var none T
	return Nullable[T]{false: none}
}

// MarshalJSON writes the value or null; one that is left out is not asked.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if value, ok := n[true]; ok {
		return json.Marshal(value)
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads a value or null.
func (n *Nullable[T]) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		*n = Null[T]()
		return nil
	}
	var value T
	if err := json.Unmarshal(raw, &value); err != nil {
		return err
	}
	*n = Of(value)
	return nil
}

func put[T any](given url.Values, name string, value *T) {
	if value != nil {
		given.Set(name, fmt.Sprint(*value))
	}
}
