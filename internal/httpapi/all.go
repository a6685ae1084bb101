// Package api lists the calls of every group of callers.
package httpapi

import "github.com/danielgtaylor/huma/v2"

// Calls are the calls of every group of callers.
type Calls struct {
	SignIn   SignInCalls
	Public   PublicCalls
	Member   MemberCalls
	Operator OperatorCalls
}

// Routes adds every call. It uses no service, so that the contract can be written
// without any.
func (c *Calls) Routes(api huma.API) {
	base := &Base{}
	for _, b := range []**Base{&c.SignIn.Base, &c.Public.Base, &c.Member.Base, &c.Operator.Base} {
		if *b == nil {
			*b = base
		}
	}
	c.SignIn.Routes(api)
	c.Public.Routes(api)
	c.Member.Routes(api)
	c.Operator.Routes(api)
}
