package operator

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/people/member"

	"github.com/bifolia/bifolia/internal/api/httpx"
)

func (c *Calls) registerCustomer(api huma.API) {
	httpx.Post(api, httpx.TagOperator, "operator/customer", "Create a retail customer of a sponsor", c.addCustomer)
}

type customerInput struct {
	httpx.Keyed
	Body customerBody
}

type customerBody struct {
	Sponsor httpx.Text `json:"sid" doc:"The user id of the sponsor."`
	Name    string     `json:"name"`
	Email   string     `json:"email"`
	Mobile  httpx.Text `json:"mobile"`
	Country httpx.Text `json:"countryid"`
}

type customerResult struct {
	UID string `json:"uid" doc:"The customer's id: the user_id for ActivationByFund and UpgradebyFund."`
}

// unusedPassword fills the part of the registration's form that a customer, who
// cannot sign in, does not have. It is kept nowhere.
const unusedPassword = "not-a-password-1"

func (c *Calls) addCustomer(ctx context.Context, in *customerInput) (*httpx.Reply[customerResult], error) {
	b := in.Body
	r, err := member.ParseRegistration(member.RegistrationForm{
		Sponsor: string(b.Sponsor), Name: b.Name, Position: "1", Email: b.Email, Password: unusedPassword, Mobile: string(b.Mobile), Country: string(b.Country),
	})
	if err != nil {
		return nil, err
	}
	by, err := c.By(ctx)
	if err != nil {
		return nil, err
	}
	j, err := c.Enrol.AddCustomer(ctx, by, in.Key, r)
	if err != nil {
		return nil, err
	}
	return httpx.Answer(customerResult{httpx.ID(j.UID)}), nil
}
