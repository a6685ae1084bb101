// Package api registers the calls of all groups of callers.
package api

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	memberapi "github.com/bifolia/bifolia/internal/api/member"
	operatorapi "github.com/bifolia/bifolia/internal/api/operator"
	publicapi "github.com/bifolia/bifolia/internal/api/public"
	"github.com/bifolia/bifolia/internal/api/signin"
)

// Calls are the calls of all groups of callers.
type Calls struct {
	SignIn   signin.Calls
	Public   publicapi.Calls
	Member   memberapi.Calls
	Operator operatorapi.Calls
}

// Routes registers all calls. It uses no service, so that the contract can be built
// without any.
func (c *Calls) Routes(api huma.API) {
	base := &httpx.Base{}
	for _, b := range []**httpx.Base{&c.SignIn.Base, &c.Public.Base, &c.Member.Base, &c.Operator.Base} {
		if *b == nil {
			*b = base
		}
	}
	c.SignIn.Routes(api)
	c.Public.Routes(api)
	c.Member.Routes(api)
	c.Operator.Routes(api)
}
