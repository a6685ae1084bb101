package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestIFSCIsResolvedToBankAndBranch(t *testing.T) {
	t.Parallel()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, `{"BANK":"HDFC Bank","BRANCH":"Fort","IFSC":%q}`, r.URL.Path[1:])
	}))
	defer service.Close()
	for url, want := range map[string]string{"": "map[bank_name:HDFC Bank branch:]", service.URL: "map[bank_name:HDFC Bank branch:Fort]"} {
		var args []string
		if url != "" {
			args = []string{"--ifsc-service", url}
		}
		s := sqliteSite(t, args...)
		if got := fmt.Sprint(s.login(s.root.UID, rootPassword).get("ifsc?ifsc=hdfc0000001").data()); got != want {
			t.Errorf("%q: %s, want %s", url, got, want)
		}
	}
}
