// Package public holds the calls that need no session.
package public

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/transparency"
	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/newsletter"
	"github.com/bifolia/bifolia/internal/people/team"
)

type Calls struct {
	*httpx.Base
	Enrol        *enrol.Service
	Team         *team.Service
	Tree         *tree.Service
	Members      *member.Service
	Settings     *settings.Service
	Newsletter   *newsletter.Service
	Transparency *transparency.Service
	Secret       []byte // signs the welcome cookie
	Features     Features
}

// Routes registers the calls. It uses no service, so that the contract can be built
// without any.
func (c *Calls) Routes(api huma.API) {
	c.registerEnrol(api)
	c.registerBrand(api)
	c.registerNewsletter(api)
}

// Features are optional features, off by default.
type Features struct {
	BankDetails       bool
	ForgotPasswordOTP bool // requires a mailed code before a password is sent or changed
}
