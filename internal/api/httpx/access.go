package httpx

import (
	"net/http"
	"slices"
	"strings"
)

// publicRoutes are the only routes without a session, each with the reason. Every other
// route is guarded.
var publicRoutes = map[string]string{
	"/":                      "the web app; it holds no data",
	"GET /healthz":           "probes have no session",
	"GET /readyz":            "probes have no session",
	"GET /metrics":           "answers who has its token, and nobody without one",
	"GET /api/openapi.json":  "the contract is no secret",
	"GET /api/docs":          "the contract is no secret",
	"GET /api/docs.css":      "the look of /api/docs",
	"GET /api/docs.js":       "what /api/docs runs",
	"GET /api/docs/{file}":   "the viewer that /api/docs runs",
	"GET /api/newsletter.js": "what the page of a mailed confirmation runs; it holds no data",
	"GET /api/version":       "clients check what they talk to before they log in",

	"POST /api/login":                       "how one gets a session",
	"POST /api/login/factor":                "the second step of signing in: a code or a passkey is the proof",
	"POST /api/loginAdmin":                  "how an operator's ticket becomes a session",
	"POST /api/operator/login":              "how an operator gets a session",
	"POST /api/operator/passkey/begin":      "a challenge is no secret; it is good once, for minutes",
	"POST /api/operator/passkey/login":      "how an operator gets a session by a passkey",
	"POST /api/registration":                "visitors join",
	"GET /api/check_sponsorid":              "visitors check whom they join under; it tells the name only",
	"POST /api/ForgetPassword":              "whoever has forgotten the password has no session",
	"POST /api/ResetPassword":               "the mailed token is the proof",
	"POST /api/email/confirm":               "the mailed token is the proof",
	"POST /api/email/undo":                  "the mailed token is the proof",
	"GET /api/countryList":                  "no secret; the signup form needs it",
	"GET /api/GetcountrybyID":               "no secret; the signup form needs it",
	"GET /api/WelcomeDetails":               "details only for the browser that has just registered",
	"POST /api/Withdrawalupdate":            "clients send it without a token; it mails the member and tells nobody anything",
	"GET /api/ip":                           "tells callers their own address",
	"GET /api/limits":                       "no secret; the forms need it",
	"GET /api/brand":                        "what the public pages say; it holds no accounts",
	"POST /api/newsletter":                  "visitors leave their address; it counts only once they confirm it",
	"GET /api/newsletter/confirm":           "asks the owner of the mailed token; changes nothing",
	"POST /api/newsletter/confirm":          "the mailed token is the proof",
	"GET /api/newsletter/unsubscribe":       "asks the owner of the mailed token; changes nothing",
	"POST /api/newsletter/unsubscribe":      "the mailed token is the proof",
	"GET /api/transparency":                 "what the public may check; sums only, nobody by name",
	"GET /dev/outbox/{secret}":              "only in a demo, only to this machine, and only by the secret that its start tells",
	"GET /dev/outbox/{secret}/letters.json": "as /dev/outbox/{secret}",
	"GET /dev/mails":                        "only in a demo, and only to this machine; all data is invented",
	"GET /dev/mails/{name}":                 "as /dev/mails",
	"POST /api/operator/accept":             "the mailed token is the proof",
}

// router is the only way to add a route, so that no route bypasses the guard.
type router struct {
	mux      *http.ServeMux
	public   map[string]string
	guard    func(http.HandlerFunc) http.HandlerFunc
	input    func(http.HandlerFunc) http.HandlerFunc
	patterns []string
}

// HandleFunc adds a route. A route that is not public is guarded; the input check of every
// route runs behind the guard.
func (rt *router) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	rt.patterns = append(rt.patterns, pattern)
	handler = rt.input(handler)
	if _, open := rt.public[pattern]; !open {
		handler = rt.guard(handler)
	}
	rt.mux.HandleFunc(pattern, handler)
}

// ServeHTTP implements the interface of huma's adapter; requests arrive through mux.
func (rt *router) ServeHTTP(w http.ResponseWriter, r *http.Request) { rt.mux.ServeHTTP(w, r) }

// allowed returns the methods that have a route for the path of r.
func (rt *router) allowed(r *http.Request) (methods []string) {
	asked := map[string]bool{}
	for _, pattern := range rt.patterns {
		method, _, ok := strings.Cut(pattern, " ")
		if !ok || asked[method] {
			continue
		}
		asked[method] = true
		other := *r
		other.Method = method
		if _, found := rt.mux.Handler(&other); found != "" && found != "/" {
			methods = append(methods, method)
		}
	}
	if slices.Contains(methods, http.MethodGet) && !slices.Contains(methods, http.MethodHead) {
		methods = append(methods, http.MethodHead) // the mux answers HEAD by GET
	}
	slices.Sort(methods)
	return methods
}
