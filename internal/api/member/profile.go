package member

import (
	"context"
	"errors"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerProfile(api huma.API) {
	httpx.Post(api, httpx.TagMember, "UpdateProfile", "Update the profile, passwords, wallet or bank details", c.updateProfile)
	httpx.Get(api, httpx.TagMember, "ifsc", "Retrieve the bank and branch of an IFSC code; blank if unknown", c.findIFSC)
}

type ifscInput struct {
	IFSC string `query:"ifsc" maxLength:"20"`
}

type ifscResult struct {
	Bank   string `json:"bank_name"`
	Branch string `json:"branch"`
}

func (c *Calls) findIFSC(ctx context.Context, in *ifscInput) (*httpx.Reply[ifscResult], error) {
	if err := httpx.LimitPeer(ctx, c.Limits.Lookup); err != nil {
		return nil, err
	}
	b := c.IFSC.Find(ctx, in.IFSC)
	return httpx.NewReply(ifscResult{b.Bank, b.Name}), nil
}

// profileBody has the fields of all five types, as the screens send them.
type profileBody struct {
	Type            string            `json:"type,omitempty" doc:"profile, password, trans_password, ecurrency or Bank."`
	UID             httpx.StringOrInt `json:"uid,omitempty" doc:"The caller's user id."`
	Name            string            `json:"f_name,omitempty"`
	LastName        string            `json:"l_name,omitempty"`
	Mobile          httpx.StringOrInt `json:"mobile,omitempty"`
	Address         string            `json:"address,omitempty"`
	About           string            `json:"aboutUser,omitempty"`
	Birthday        string            `json:"DOB,omitempty" doc:"The date of birth, such as 2000-01-31."`
	Image           string            `json:"profile_img,omitempty" doc:"Accepted and ignored."`
	Gender          string            `json:"gender,omitempty"`
	Country         httpx.StringOrInt `json:"counrtyid,omitempty"`
	Father          string            `json:"father,omitempty"`
	Nominee         string            `json:"NomineeName,omitempty"`
	NomineeRelation string            `json:"nomineerelation,omitempty"`
	Email           string            `json:"email,omitempty"`
	Password        string            `json:"password,omitempty" doc:"The new password."`
	OldPassword     string            `json:"cpassword,omitempty" doc:"The old password."`
	OTP             string            `json:"otp,omitempty" maxLength:"6" doc:"The mailed code, if the server requires one; an empty value mails a code."`
	Pin             string            `json:"trans_password,omitempty" doc:"The new transaction password."`
	OldPin          string            `json:"ctrans_password,omitempty" doc:"The transaction password; for trans_password, the old one."`
	Wallet          string            `json:"accountaddress,omitempty" doc:"The USDT (BEP-20) address."`
	WalletEcho      string            `json:"Accountaddress,omitempty" doc:"Sent by the profile screen; ignored."`
	Holder          string            `json:"holder,omitempty"`
	AccountNumber   httpx.StringOrInt `json:"accountnumber,omitempty"`
	BankName        string            `json:"bank_name,omitempty"`
	IFSC            string            `json:"ifsc,omitempty"`
	Branch          string            `json:"branch,omitempty"`
	PAN             string            `json:"PAN,omitempty"`
	Aadhar          httpx.StringOrInt `json:"AAdhar,omitempty"`
}

type profileResult struct {
	Result string `json:"Result" doc:"The success text of the type, or a message for the user."`
	httpx.MessageCode
	Field string `json:"field,omitempty" doc:"The field that the result is about."`
}

func (c *Calls) updateProfile(ctx context.Context, in *httpx.KeyedBody[profileBody]) (*httpx.Reply[profileResult], error) {
	b := in.Body
	var f httpx.FieldErrors
	uid := f.UserID("uid", b.UID)
	change, known := map[string]func(context.Context, string, profileBody) (errs.Text, error){
		"profile": c.setProfile, "password": c.setPassword, "trans_password": c.setPin, "ecurrency": c.setWallet, "Bank": c.setBank,
	}[b.Type]
	if !known {
		f.Add("type", "profile.type_unknown", "The type is profile, password, trans_password, ecurrency or Bank.")
	}
	if err := f.ErrOrNotOwner(ctx, uid); err != nil {
		return nil, err
	}
	done, err := change(ctx, in.Key, b)
	text, field, err := outcome(done, err)
	if err != nil {
		return nil, err
	}
	return httpx.NewReply(profileResult{text.Message, httpx.CodeOf(text), field}), nil
}

// outcome puts an error of the form into the result, where the screen looks for it. Other
// errors stay errors.
func outcome(done errs.Text, err error) (text errs.Text, field string, _ error) {
	switch errs.KindOf(err) {
	case "":
		return done, "", nil
	case errs.Invalid, errs.Refused:
		var e *errs.Error
		if errors.As(err, &e) && len(e.Fields) > 0 {
			return e.Fields[0].Text, e.Fields[0].Name, nil
		}
		return errs.TextOf(err), secretField(err), nil
	}
	return errs.Text{}, "", err
}

// secretField names the input of a wrong password or code, so that the screen can mark it.
func secretField(err error) string {
	for field, wrong := range map[string][]error{
		"cpassword":       {auth.ErrWrongOldPassword},
		"ctrans_password": {auth.ErrWrongTransactionPassword},
		"otp":             {auth.ErrWrongMailedCode, withdrawal.ErrWrongCode, withdrawal.ErrNoCode, withdrawal.ErrOtherOrder, auth.ErrWrongConfirmation},
	} {
		if slices.ContainsFunc(wrong, func(w error) bool { return errors.Is(err, w) }) {
			return field
		}
	}
	return ""
}

func (c *Calls) setProfile(ctx context.Context, key string, b profileBody) (errs.Text, error) {
	return httpx.ProfileDone, c.Profile.SetProfile(ctx, httpx.SessionOf(ctx), key, member.ProfileForm{
		Name: b.Name, LastName: b.LastName, Father: b.Father, Country: string(b.Country), Email: b.Email, Mobile: string(b.Mobile),
		Birthday: b.Birthday, Gender: b.Gender, Address: b.Address, About: b.About, Nominee: b.Nominee, NomineeRelation: b.NomineeRelation,
		TransactionPassword: b.OldPin,
	})
}

func (c *Calls) setPassword(ctx context.Context, key string, b profileBody) (errs.Text, error) {
	if b.Password == "" || b.OldPassword == "" {
		return errs.Text{}, &errs.Error{Kind: errs.Invalid, Text: httpx.AllRequired}
	}
	me := httpx.SessionOf(ctx)
	switch {
	case c.Features.ForgotPasswordOTP && b.OTP == "":
		if !me.MayChangePassword() {
			return errs.Text{}, errs.New(errs.Forbidden, "profile.visit_cannot_change_password", "An operator's visit cannot change a password.")
		}
		if err := c.Limits.LimitReset(ctx, me.Owner); err != nil {
			return errs.Text{}, err
		}
		return httpx.CodeSent, c.Enrol.SendCode(ctx, me.Owner, auth.ForChange)
	case c.Features.ForgotPasswordOTP:
		return httpx.PasswordDone, c.Profile.SetPasswordByCode(ctx, me, key, b.OldPassword, b.Password, b.OTP, httpx.Peer(ctx))
	}
	return httpx.PasswordDone, c.Profile.SetPassword(ctx, httpx.SessionOf(ctx), key, b.OldPassword, b.Password, httpx.Peer(ctx))
}

func (c *Calls) setPin(ctx context.Context, key string, b profileBody) (errs.Text, error) {
	if b.Pin == "" || b.OldPin == "" {
		return errs.Text{}, &errs.Error{Kind: errs.Invalid, Text: httpx.AllRequired}
	}
	return httpx.PasswordDone, c.Profile.SetTransactionPassword(ctx, httpx.SessionOf(ctx), key, b.OldPin, b.Pin)
}

func (c *Calls) setWallet(ctx context.Context, key string, b profileBody) (errs.Text, error) {
	return httpx.WalletDone, c.Profile.SetWallet(ctx, httpx.SessionOf(ctx), key, member.WalletForm{Address: b.Wallet, TransactionPassword: b.OldPin})
}

func (c *Calls) setBank(ctx context.Context, key string, b profileBody) (errs.Text, error) {
	if !c.Features.BankDetails {
		return errs.Text{}, errs.New(errs.Forbidden, "profile.bank_switched_off", "Bank details are switched off here.")
	}
	return httpx.BankDone, c.Profile.SetBank(ctx, httpx.SessionOf(ctx), key, member.BankForm{
		Holder: b.Holder, Account: string(b.AccountNumber), IFSC: b.IFSC, Name: b.BankName, Branch: b.Branch, PAN: b.PAN, Aadhar: string(b.Aadhar),
		TransactionPassword: b.OldPin,
	})
}
