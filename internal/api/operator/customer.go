package operator

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/people/member"
)

func (c *Calls) registerCustomer(api huma.API) {
	httpx.Post(api, httpx.TagOperator, "operator/customer", "Create a retail customer of a sponsor", c.addCustomer)
}

type customerBody struct {
	Sponsor httpx.StringOrInt `json:"sid" doc:"The user id of the sponsor."`
	Name    string            `json:"name"`
	Email   string            `json:"email"`
	Mobile  httpx.StringOrInt `json:"mobile"`
	Country httpx.StringOrInt `json:"countryid"`
}

type customerResult struct {
	UID string `json:"uid" doc:"The customer's id: the user_id for ActivationByFund and UpgradebyFund."`
}

// unusedPassword fills the password of the registration form, which a customer, who cannot
// sign in, does not have. It is not stored.
const unusedPassword = "not-a-password-1"

func (c *Calls) addCustomer(ctx context.Context, in *httpx.KeyedBody[customerBody]) (*httpx.Reply[customerResult], error) {
	b := in.Body
	r, err := member.ParseRegistration(member.RegistrationForm{
		Sponsor: string(b.Sponsor), Name: b.Name, Position: "1", Email: b.Email, Password: unusedPassword, Mobile: string(b.Mobile), Country: string(b.Country),
	})
	if err != nil {
		return nil, err
	}
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	j, err := c.Enrol.AddCustomer(ctx, by, in.Key, r)
	if err != nil {
		return nil, err
	}
	return httpx.NewReply(customerResult{httpx.FormatID(j.UID)}), nil
}
