package httpapi

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/transparency"
	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/newsletter"
	"github.com/bifolia/bifolia/internal/people/team"
)

// PublicCalls are the calls of visitors.
type PublicCalls struct {
	*Base
	Enrol    *enrol.Service
	Team     *team.Service
	Tree     *tree.Service
	Members  *member.Service
	Settings *settings.Service
	News     *newsletter.Service
	Open     *transparency.Service
	Secret   []byte // signs the welcome cookie
	Features Features
}

// Routes adds the calls. It uses no service, so that the contract can be written
// without any.
func (c *PublicCalls) Routes(api huma.API) {
	c.registerEnrol(api)
	c.registerBrand(api)
	c.registerNewsletter(api)
}

// Features are parts of the product that are there and off unless asked for.
type Features struct {
	BankDetails       bool
	ForgotPasswordOTP bool // a mailed code before a password is sent or changed
}
