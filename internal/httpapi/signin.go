package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/profile"
)

// SignInCalls are the calls by which members and operators sign in and prove who they are.
type SignInCalls struct {
	*Base
	Profile  *profile.Service
	Members  *member.Service
	Office   *staff.Service
	Cashier  *cashier.Service
	Settings *settings.Service
	Frozen   func(context.Context) (string, error) // why money stands still; "" while it moves
}

// Routes adds the calls. It uses no service, so that the contract can be written
// without any.
func (c *SignInCalls) Routes(api huma.API) {
	c.registerAccess(api)
	c.registerOffice(api)
	c.registerPasskeys(api)
	c.registerProve(api)
	c.registerFactor(api)
}
