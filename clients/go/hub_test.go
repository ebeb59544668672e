package affiliatehub

// The client against a real hub (HUB_BASE_URL, HUB_KEY, HUB_SECRET) and a proxy that fails (FAULTY_BASE_URL).

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

var ctx = context.Background()

var quick = Retries{Attempts: 4, FirstPause: 10 * time.Millisecond, LongestPause: 30 * time.Second}

func hubOf(t *testing.T, settings Settings) *Hub {
	t.Helper()
	if os.Getenv("HUB_BASE_URL") == "" {
		t.Skip("there is no hub: set HUB_BASE_URL, HUB_KEY and HUB_SECRET")
	}
	hub, err := FromEnvironment(settings)
	ok(t, err)
	return hub
}

func faultyOf(t *testing.T) *Hub {
	t.Helper()
	if os.Getenv("FAULTY_BASE_URL") == "" {
		t.Skip("there is no faulty proxy: set FAULTY_BASE_URL")
	}
	at := Settings{BaseURL: os.Getenv("FAULTY_BASE_URL"), Key: os.Getenv("HUB_KEY"), Secret: os.Getenv("HUB_SECRET")}
	at.Retries = quick
	hub, err := New(at)
	ok(t, err)
	return hub
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, expected, seen any) {
	t.Helper()
	if !reflect.DeepEqual(expected, seen) {
		t.Fatalf("expected %#v, but saw %#v", expected, seen)
	}
}

func order() ConversionInput {
	return ConversionInput{ExternalOrderID: "go-" + random(), OrderAmount: "49.90"}
}

func product(id string) ProductInput {
	return ProductInput{ExternalProductID: id, Name: "x", ProductURL: "https://shop.example/p", Price: "1.00"}
}

func attempts(t *testing.T, key string) int {
	t.Helper()
	answer, err := http.Get(os.Getenv("FAULTY_ROOT") + "/attempts/" + key)
	ok(t, err)
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	ok(t, err)
	number, err := strconv.Atoi(string(raw))
	ok(t, err)
	return number
}

type vectors struct {
	Requests []struct {
		Secret, Timestamp, Nonce, Body, Signature, Method, Target, SignatureV2 string
	}
	Webhooks []struct{ Secret, ID, Timestamp, Body, Signature string }
}

func shared(t *testing.T) (known vectors) {
	t.Helper()
	raw, err := os.ReadFile("../vectors.json")
	ok(t, err)
	ok(t, json.Unmarshal(raw, &known))
	return known
}

func TestSignaturesAreThoseOfTheSharedVectors(t *testing.T) {
	for _, each := range shared(t).Requests {
		body := []byte(each.Body)
		same(t, each.Signature, Signature(each.Secret, each.Timestamp, each.Nonce, body))
		same(t, each.SignatureV2, SignatureV2(each.Secret, each.Timestamp, each.Nonce, each.Method, each.Target, body))
	}
}

func TestAMissingSettingIsNamedAtOnce(t *testing.T) {
	_, err := New(Settings{Key: "k"})
	var fault *MissingSetting
	same(t, true, errors.As(err, &fault))
	same(t, []string{"BaseURL", "Secret"}, fault.Names)
	t.Setenv("HUB_BASE_URL", "http://127.0.0.1")
	t.Setenv("HUB_KEY", "k")
	t.Setenv("HUB_SECRET", "")
	_, err = FromEnvironment(Settings{})
	same(t, true, strings.HasPrefix(err.Error(), "Set HUB_SECRET:"))
}

func TestAMessageIsReturnedOnlyIfItIsTheHubs(t *testing.T) {
	each := shared(t).Webhooks[0]
	seconds, _ := strconv.ParseInt(each.Timestamp, 10, 64)
	now, body := time.Unix(seconds, 0), []byte(each.Body)
	header := func(name, value string) http.Header {
		given := http.Header{}
		given.Set("webhook-id", each.ID)
		given.Set("webhook-timestamp", each.Timestamp)
		given.Set("webhook-signature", "v1,AAAA "+each.Signature)
		if name != "" {
			given.Set(name, value)
		}
		return given
	}
	message, err := VerifyWebhookAt(now, each.Secret, header("", ""), body)
	ok(t, err)
	same(t, "commission.payable", message.Type)
	data, typed := message.Data.(*CommissionNews)
	same(t, true, typed)
	same(t, "3.99", string(data.Amount))
	wrong := []func() (*WebhookMessage, error){
		func() (*WebhookMessage, error) {
			return VerifyWebhookAt(now, each.Secret, header("", ""), append(body, ' '))
		},
		func() (*WebhookMessage, error) {
			return VerifyWebhookAt(now.Add(301*time.Second), each.Secret, header("", ""), body)
		},
		func() (*WebhookMessage, error) { return VerifyWebhookAt(now, "whsec_QUFBQQ==", header("", ""), body) },
		func() (*WebhookMessage, error) { return VerifyWebhookAt(now, "whsec_?", header("", ""), body) },
		func() (*WebhookMessage, error) {
			return VerifyWebhookAt(now, each.Secret, header("Webhook-Id", "msg_other"), body)
		},
		func() (*WebhookMessage, error) {
			return VerifyWebhookAt(now, each.Secret, header("Webhook-Timestamp", "soon"), body)
		},
		func() (*WebhookMessage, error) { return VerifyWebhook(each.Secret, http.Header{}, body) },
	}
	for _, verify := range wrong {
		_, err := verify()
		var fault *WebhookFault
		same(t, true, errors.As(err, &fault))
	}
	later := new(WebhookMessage)
	ok(t, json.Unmarshal([]byte(`{"type":"a.later.one","timestamp":"-","data":{"a":1}}`), later))
	same(t, map[string]any{"a": 1.0}, later.Data)
}

func TestWhatIsLeftOutIsNotNull(t *testing.T) {
	raw, err := json.Marshal(CampaignPatch{Title: Given("A"), Description: Null[string](), EndDate: Of("2027-01-01T00:00:00Z")})
	ok(t, err)
	same(t, `{"title":"A","description":null,"endDate":"2027-01-01T00:00:00Z"}`, string(raw))
	var read CampaignPatch
	ok(t, json.Unmarshal(raw, &read))
	same(t, Null[string](), read.Description)
	same(t, 0, len(read.StartDate))
}

func TestChangesAreFollowedToTheirEndAndFromACursorThatWasKept(t *testing.T) {
	hub := hubOf(t, Settings{})
	imported := func() {
		_, err := hub.ImportProducts(ctx, ProductsPayload{Products: []ProductInput{product("feed-" + random())}})
		ok(t, err)
	}
	imported()
	all := hub.FollowChanges(ListChangesQuery{Types: Given("product"), Wait: Given[int64](0), Limit: Given[int64](1)})
	for all.Next(ctx) {
	}
	ok(t, all.Err())
	same(t, false, all.Part().More)
	kept := all.Part().Cursor
	imported()
	news := hub.FollowChanges(ListChangesQuery{After: &kept, Types: Given("product"), Wait: Given[int64](5)})
	same(t, true, news.Next(ctx))
	same(t, 1, len(news.Part().Data))
	rest := hub.FollowChanges(ListChangesQuery{After: &news.Part().Cursor, Types: Given("product"), Wait: Given[int64](0)})
	same(t, true, rest.Next(ctx))
	same(t, 0, len(rest.Part().Data))
	same(t, false, rest.Next(ctx))
}

func TestARequestThatIsHeldOpenOutlivesTheUsualTimeLimit(t *testing.T) {
	hub := hubOf(t, Settings{Timeout: 500 * time.Millisecond, Retries: Retries{Attempts: 1}})
	all := hub.FollowChanges(ListChangesQuery{Wait: Given[int64](0)})
	for all.Next(ctx) {
	}
	ok(t, all.Err())
	began := time.Now()
	news := hub.FollowChanges(ListChangesQuery{After: &all.Part().Cursor, Types: Given("campaign"), Wait: Given[int64](1)})
	same(t, true, news.Next(ctx))
	same(t, 0, len(news.Part().Data))
	same(t, true, time.Since(began) >= 900*time.Millisecond)
}

func TestHeadersCanBeReadAndIteratorsAskForAsManyAsThereMayBe(t *testing.T) {
	var answered []Answered
	asked := asking{}
	hub := hubOf(t, Settings{HTTP: &http.Client{Transport: &asked}, OnAnswer: func(a Answered) { answered = append(answered, a) }})
	_, err := hub.ListBalances(ctx)
	ok(t, err)
	same(t, []any{"GET", "/v1/balances", 200}, []any{answered[0].Method, answered[0].Path, answered[0].Status})
	same(t, true, strings.HasPrefix(answered[0].Header.Get("ETag"), `"`))
	same(t, "affiliate-hub-go/"+Version, asked[0].Header.Get("User-Agent"))
	for _, query := range []ListLinksQuery{{}, {Limit: Given[int64](3)}} {
		all := hub.IterateLinks(query)
		for all.Next(ctx) {
		}
		ok(t, all.Err())
	}
	same(t, []string{"limit=200", "limit=3"}, []string{asked[1].URL.RawQuery, asked[2].URL.RawQuery})
}

type asking []*http.Request

func (a *asking) RoundTrip(request *http.Request) (*http.Response, error) {
	*a = append(*a, request)
	return http.DefaultTransport.RoundTrip(request)
}

func TestAnOrderIsReportedAndLookedUp(t *testing.T) {
	hub, body := hubOf(t, Settings{}), order()
	accepted, err := hub.ReportConversion(ctx, body)
	ok(t, err)
	same(t, AcceptedStatusReceived, accepted.Status)
	again, err := hub.ReportConversion(ctx, body)
	ok(t, err)
	same(t, AcceptedStatusDuplicate, again.Status)
	event, err := hub.GetEvent(ctx, accepted.EventID)
	ok(t, err)
	same(t, EventTypeConversion, event.Type)
}

func TestWebhooksCountOnceByTheirEventID(t *testing.T) {
	hub, id := hubOf(t, Settings{}), random()
	for _, expected := range []string{"QUEUED", "DUPLICATE"} {
		accepted, err := hub.SendOrderPaid(ctx, OrderPaidWebhook{ExternalOrderID: "go-" + id}, id)
		ok(t, err)
		same(t, expected, string(accepted.Status))
	}
}

func TestListsArePagedToTheirEnd(t *testing.T) {
	hub := hubOf(t, Settings{})
	var products []ProductInput
	for n := 0; n < 5; n++ {
		products = append(products, product(fmt.Sprint("GO-", n)))
	}
	summary, err := hub.ImportProducts(ctx, ProductsPayload{Products: products})
	ok(t, err)
	same(t, int64(5), summary.Created)
	found := map[string]bool{}
	all := hub.IterateProducts(ListProductsQuery{PageSize: Given[int64](2), Search: Given("GO-")})
	for all.Next(ctx) {
		found[all.Value().ExternalProductID] = true
	}
	ok(t, all.Err())
	same(t, 5, len(found))
	reported := map[string]bool{}
	for n := 0; n < 3; n++ {
		accepted, err := hub.ReportConversion(ctx, order())
		ok(t, err)
		reported[accepted.EventID] = true
	}
	events := hub.IterateEvents(ListEventsQuery{Limit: Given[int64](1)})
	for events.Next(ctx) {
		delete(reported, events.Value().EventID)
	}
	ok(t, events.Err())
	same(t, 0, len(reported))
}

func TestFilesAreSentAsTheyAre(t *testing.T) {
	hub := hubOf(t, Settings{})
	upload, err := hub.UploadOrders(ctx, "externalOrderId,orderAmount\n"+order().ExternalOrderID+",1.00\n", UploadOrdersQuery{})
	ok(t, err)
	seen, err := hub.GetUpload(ctx, upload.UploadID)
	ok(t, err)
	same(t, "orders", string(seen.Kind))
}

func TestRefusalsAreErrorsWithCodes(t *testing.T) {
	hub := hubOf(t, Settings{})
	_, err := hub.ReportConversion(ctx, ConversionInput{OrderAmount: "ten"})
	var fault *HubError
	same(t, true, errors.As(err, &fault))
	same(t, []any{400, "validation_failed", "externalOrderId", 2}, []any{fault.Status, fault.Code, fault.Param, len(fault.Messages)})
	same(t, true, strings.HasSuffix(fault.DocURL, "/docs/errors#validation_failed"))
	_, err = hub.GetEvent(ctx, "evt_none/../x")
	same(t, true, errors.As(err, &fault))
	same(t, "not_found", fault.Code)
	stranger, err := New(Settings{BaseURL: os.Getenv("HUB_BASE_URL"), Key: os.Getenv("HUB_KEY"), Secret: "sec_wrong"})
	ok(t, err)
	_, err = stranger.ListProducts(ctx, ListProductsQuery{})
	same(t, true, errors.As(err, &fault))
	same(t, []any{401, ""}, []any{fault.Status, fault.Code})
	key := random()
	_, err = hub.ReportConversion(ctx, order(), IdempotencyKey(key))
	ok(t, err)
	_, err = hub.ReportConversion(ctx, order(), IdempotencyKey(key))
	same(t, true, errors.As(err, &fault))
	same(t, "idempotency_mismatch", fault.Code)
}

func TestAfterALostAnswer503And429TheSameIsSaidAgain(t *testing.T) {
	hub := faultyOf(t)
	for kind, expected := range map[string]int{"lost": 2, "busy": 3, "limited": 2} {
		key := kind + "-" + random()
		accepted, err := hub.ReportConversion(ctx, order(), IdempotencyKey(key))
		ok(t, err)
		same(t, AcceptedStatusReceived, accepted.Status)
		same(t, expected, attempts(t, key))
	}
}

func TestAnEndComes(t *testing.T) {
	hub, key := faultyOf(t), "down-"+random()
	_, err := hub.ReportConversion(ctx, order(), IdempotencyKey(key))
	var fault *HubError
	same(t, true, errors.As(err, &fault))
	same(t, "store_unavailable", fault.Code)
	same(t, 4, attempts(t, key))
}

func TestWhatWouldBeDoneTwiceIsNotRepeated(t *testing.T) {
	_, err := faultyOf(t).CreateLink(ctx, LinkInput{AffiliateID: "aff_cut"})
	var fault *NoAnswer
	same(t, true, errors.As(err, &fault))
	same(t, 1, attempts(t, "cut"))
	same(t, []bool{true, false, false}, []bool{maySendAgain(429, false), maySendAgain(503, false), maySendAgain(401, true)})
}

func TestNothingIsSentTwiceByTheTransport(t *testing.T) {
	// A connection that the server ends before it answers is one on which net/http itself would send a request again.
	seen := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen[r.Header.Get("X-Nonce")]++
		if len(seen) == 2 {
			connection, _, _ := w.(http.Hijacker).Hijack()
			connection.Close()
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"data":[],"nextCursor":null}`)
	}))
	defer server.Close()
	hub, err := New(Settings{BaseURL: server.URL, Key: "k", Secret: "s", Retries: quick})
	ok(t, err)
	for n := 0; n < 2; n++ {
		_, err = hub.ListBalances(ctx)
		ok(t, err)
	}
	same(t, 3, len(seen))
	for _, times := range seen {
		same(t, 1, times)
	}
}

func TestPausesGrowToABoundAndHeedWhatIsAsked(t *testing.T) {
	retries := Retries{FirstPause: time.Second, LongestPause: 8 * time.Second}
	for failed, least := range map[int]float64{1: 1, 2: 2, 3: 4, 4: 8, 9: 8, 70: 8} {
		pause, again := retries.pause(failed, 0, 0)
		same(t, true, again && pause.Seconds() >= 0.8*least && pause.Seconds() <= 1.2*least)
	}
	pause, _ := retries.pause(1, 7*time.Second, 0)
	same(t, 7*time.Second, pause)
	_, again := retries.pause(1, time.Hour, 0)
	same(t, false, again)
	retries.Deadline = 10 * time.Second
	_, again = retries.pause(1, 0, 9900*time.Millisecond)
	same(t, false, again)
	for text, expected := range map[string]time.Duration{"60": time.Minute, "": 0, "-1": 0, "Wed, 21 Oct 2015 07:28:00 GMT": 0} {
		same(t, expected, asked(text))
	}
}

func TestALimitThatIsLongEndsTheCallWithItsPause(t *testing.T) {
	hub, key := faultyOf(t), "patience-"+random()
	_, err := hub.ReportConversion(ctx, order(), IdempotencyKey(key))
	var limited *RateLimited
	var fault *HubError
	same(t, true, errors.As(err, &limited) && errors.As(err, &fault))
	same(t, time.Hour, limited.RetryAfter)
	same(t, 1, attempts(t, key))
}

func TestACallEndsWithItsDeadlineAndWhenTheCallerGivesUp(t *testing.T) {
	stuck := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-stuck }))
	defer server.Close()
	defer close(stuck)
	began := time.Now()
	late := Retries{Attempts: 6, FirstPause: time.Millisecond, LongestPause: time.Second, Deadline: 100 * time.Millisecond}
	hub, err := New(Settings{BaseURL: server.URL, Key: "k", Secret: "s", Retries: late})
	ok(t, err)
	_, err = hub.ListBalances(ctx)
	var fault *NoAnswer
	same(t, true, errors.As(err, &fault))
	limited, end := context.WithTimeout(ctx, 50*time.Millisecond)
	defer end()
	same(t, context.DeadlineExceeded, sleep(limited, time.Hour))
	_, err = hub.ListBalances(limited)
	same(t, true, errors.Is(err, context.DeadlineExceeded))
	same(t, true, time.Since(began) < 5*time.Second)
}
