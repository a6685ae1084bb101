package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/people/member"
)

func (c *Calls) registerOperatorCustomer(api huma.API) {
	post(api, tagOperator, "operator/customer", "Enter a retail customer of a sponsor", c.addCustomer)
}

type customerInput struct {
	Keyed
	Body customerBody
}

type customerBody struct {
	Sponsor text   `json:"sid" doc:"Whose customer it is."`
	Name    string `json:"name"`
	Email   string `json:"email"`
	Mobile  text   `json:"mobile"`
	Country text   `json:"countryid"`
}

type customerResult struct {
	UID string `json:"uid" doc:"What to name as user_id in ActivationByFund and UpgradebyFund."`
}

// unusedPassword fills the part of the registration's form that a customer, who
// cannot sign in, does not have. It is kept nowhere.
const unusedPassword = "not-a-password-1"

func (c *Calls) addCustomer(ctx context.Context, in *customerInput) (*reply[customerResult], error) {
	b := in.Body
	r, err := member.ParseRegistration(member.RegistrationForm{
		Sponsor: string(b.Sponsor), Name: b.Name, Position: "1", Email: b.Email, Password: unusedPassword, Mobile: string(b.Mobile), Country: string(b.Country),
	})
	if err != nil {
		return nil, err
	}
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	j, err := c.Enrol.AddCustomer(ctx, by, in.Key, r)
	if err != nil {
		return nil, err
	}
	return answer(customerResult{id(j.UID)}), nil
}
