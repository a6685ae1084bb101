package ifsc_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bifolia/bifolia/internal/people/ifsc"
)

func TestACodeIsLookedUpAtTheChosenServiceAndElseInTheList(t *testing.T) {
	t.Parallel()
	var asked, elsewhere atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		elsewhere.Add(1)
		_, _ = fmt.Fprint(w, `{"BANK":"Another","BRANCH":"Place"}`)
	}))
	defer other.Close()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		switch r.URL.Path {
		case "/codes/HDFC0000001":
			_, _ = fmt.Fprint(w, `{"BANK":"HDFC\u0000 Bank","BRANCH":"Mumbai\nFort","IFSC":"HDFC0000001"}`)
		case "/codes/HDFC0000002":
			http.Redirect(w, r, other.URL+r.URL.Path, http.StatusFound)
		case "/codes/HDFC0000003":
			_, _ = fmt.Fprint(w, `{"BANK":"X","BRANCH":"Y","IFSC":"HDFC0000009"}`)
		case "/codes/HDFC0000004":
			_, _ = fmt.Fprint(w, `{"BANK":"`+strings.Repeat("x", 1<<20)+`"}`)
		case "/codes/HDFC0000005":
			_, _ = fmt.Fprint(w, `not json`)
		default:
			http.NotFound(w, r)
		}
	}))
	defer service.Close()
	f := ifsc.New(service.URL+"/codes", slog.New(slog.DiscardHandler))
	for range 2 {
		if got := f.Find(t.Context(), " hdfc0000001 "); got != (ifsc.Branch{Bank: "HDFC Bank", Name: "Mumbai Fort"}) {
			t.Errorf("%+v", got)
		}
	}
	if asked.Load() != 1 {
		t.Errorf("a known code was asked for %d times", asked.Load())
	}
	for _, code := range []string{"HDFC0000002", "HDFC0000003", "HDFC0000004", "HDFC0000005", "HDFC0000006"} {
		if got := f.Find(t.Context(), code); got != (ifsc.Branch{Bank: "HDFC Bank"}) {
			t.Errorf("%s: %+v", code, got)
		}
	}
	before := asked.Load()
	for _, code := range []string{"", "HDFC", "HDFC1000001", "../../etc/x", "HDFC0000001/..", "HDFC000000Ü", "ZZZZ0000001"} {
		if got := f.Find(t.Context(), code); got != (ifsc.Branch{}) {
			t.Errorf("%q: %+v", code, got)
		}
	}
	if asked.Load() != before || elsewhere.Load() != 0 {
		t.Error("somebody was asked who should not be")
	}
	if got := ifsc.New("", slog.New(slog.DiscardHandler)).Find(t.Context(), "HDFC0000001"); got != (ifsc.Branch{Bank: "HDFC Bank"}) {
		t.Errorf("without a service: %+v", got)
	}
	service.Close()
	if got := f.Find(t.Context(), "HDFC0000007"); got != (ifsc.Branch{Bank: "HDFC Bank"}) {
		t.Errorf("a service that is gone: %+v", got)
	}
}

func TestTheListAloneNamesTheBankOfACode(t *testing.T) {
	t.Parallel()
	f := ifsc.New("", slog.New(slog.DiscardHandler))
	for code, bank := range map[string]string{
		"SBIN0000001": "State Bank of India",
		"sbin0000001": "State Bank of India",
		"ABHY0065001": "Abhyudaya Co-operative Bank", // the first line
		"ABNA0NEFT02": "Royal Bank of Scotland N.V.", // a branch that is a word
		"SBIN0999999": "",                            // no such branch
		"APBL0001001": "District Co-operative Central Bank Srikakul",
		"YESB0ZSBL15": "Zila Sahakari Bank Lucknow", // lent
		"ADBK0000001": "",                           // a bank without a name
		"QQQQ0000001": "",
	} {
		if got := f.Find(t.Context(), code); got != (ifsc.Branch{Bank: bank}) {
			t.Errorf("%s: %+v, not %q", code, got, bank)
		}
	}
}
