package httpx

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// Tests of all calls import the packages of the calls, which import this one. They are
// in httpx_test and see these.
var (
	PublicRoutes    = publicRoutes
	OperatorRoles   = operatorRoles
	DuringEnrolment = allowedBeforeEnrolment
	EveryRoute      = everyRoute
	TestAPI         = testAPI
	ProblemIn       = problem
)

const OperatorPrefix = operatorPrefix

func (a *API) Paths() map[string]*huma.PathItem { return a.calls.OpenAPI().Paths }

func (a *API) NeedsProof(path string) bool { return a.has(NeedsProof, path) }

func (a *API) ReadOnly(path string) bool { return a.has(ReadOnly, path) }

func (a *API) Guard(next http.HandlerFunc) http.HandlerFunc { return a.guard(next) }
