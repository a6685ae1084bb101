// Package signin holds the calls by which members and operators sign in and prove their
// presence, and the calls for their sessions and second factors.
package signin

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/profile"
)

type Calls struct {
	*httpx.Base
	Profile  *profile.Service
	Members  *member.Service
	Staff    *staff.Service
	Cashier  *cashier.Service
	Settings *settings.Service
	Frozen   func(context.Context) (string, error) // why payments are frozen; "" if they are not
}

// Routes registers the calls. It uses no service, so that the contract can be built
// without any.
func (c *Calls) Routes(api huma.API) {
	c.registerAccess(api)
	c.registerOffice(api)
	c.registerPasskeys(api)
	c.registerProve(api)
	c.registerFactor(api)
}
