package httpapi

import (
	"context"
	"errors"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerProfile(api huma.API) {
	post(api, tagMember, "UpdateProfile", "Change profile, passwords, wallet or bank details", c.updateProfile)
	get(api, tagMember, "ifsc", "Bank and branch of an Indian bank code; blank if nobody knows", c.findIFSC)
}

type ifscInput struct {
	IFSC string `query:"ifsc" maxLength:"20"`
}

type ifscResult struct {
	Bank   string `json:"bank_name"`
	Branch string `json:"branch"`
}

func (c *Calls) findIFSC(ctx context.Context, in *ifscInput) (*reply[ifscResult], error) {
	if err := perPeer(ctx, c.limits.lookup); err != nil {
		return nil, err
	}
	b := c.IFSC.Find(ctx, in.IFSC)
	return answer(ifscResult{b.Bank, b.Name}), nil
}

type profileInput struct {
	Keyed
	Body profileBody
}

// profileBody has the fields of all five types, as the screens send them.
type profileBody struct {
	Type            string `json:"type,omitempty" doc:"profile, password, trans_password, ecurrency or Bank."`
	UID             text   `json:"uid,omitempty" doc:"The caller's own user id."`
	Name            string `json:"f_name,omitempty"`
	LastName        string `json:"l_name,omitempty"`
	Mobile          text   `json:"mobile,omitempty"`
	Address         string `json:"address,omitempty"`
	About           string `json:"aboutUser,omitempty"`
	Birthday        string `json:"DOB,omitempty" doc:"2000-01-31"`
	Image           string `json:"profile_img,omitempty" doc:"Accepted and not kept."`
	Gender          string `json:"gender,omitempty"`
	Country         text   `json:"counrtyid,omitempty"`
	Father          string `json:"father,omitempty"`
	Nominee         string `json:"NomineeName,omitempty"`
	NomineeRelation string `json:"nomineerelation,omitempty"`
	Email           string `json:"email,omitempty"`
	Password        string `json:"password,omitempty" doc:"The new password."`
	OldPassword     string `json:"cpassword,omitempty" doc:"The old password."`
	OTP             string `json:"otp,omitempty" maxLength:"6" doc:"The mailed code, where one is asked for; empty sends one."`
	Pin             string `json:"trans_password,omitempty" doc:"The new transaction password."`
	OldPin          string `json:"ctrans_password,omitempty" doc:"The transaction password; for trans_password the old one."`
	Wallet          string `json:"accountaddress,omitempty" doc:"USDT (BEP-20) address."`
	WalletEcho      string `json:"Accountaddress,omitempty" doc:"Sent along by the profile screen; not changed by it."`
	Holder          string `json:"holder,omitempty"`
	AccountNumber   text   `json:"accountnumber,omitempty"`
	BankName        string `json:"bank_name,omitempty"`
	IFSC            string `json:"ifsc,omitempty"`
	Branch          string `json:"branch,omitempty"`
	PAN             string `json:"PAN,omitempty"`
	Aadhar          text   `json:"AAdhar,omitempty"`
}

type profileResult struct {
	Result string `json:"Result" doc:"The success text of the type, or what to tell the person."`
	Said
	Field string `json:"field,omitempty" doc:"The field that the result is about."`
}

func (c *Calls) updateProfile(ctx context.Context, in *profileInput) (*reply[profileResult], error) {
	b := in.Body
	var f fields
	uid := f.uid("uid", b.UID)
	change, known := map[string]func(context.Context, string, profileBody) (errs.Text, error){
		"profile": c.setProfile, "password": c.setPassword, "trans_password": c.setPin, "ecurrency": c.setWallet, "Bank": c.setBank,
	}[b.Type]
	if !known {
		f.add("type", "profile.type_unknown", "The type is profile, password, trans_password, ecurrency or Bank.")
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	if err := own(ctx, uid); err != nil {
		return nil, err
	}
	done, err := change(ctx, in.Key, b)
	text, field, err := outcome(done, err)
	if err != nil {
		return nil, err
	}
	return answer(profileResult{text.Message, codeOf(text), field}), nil
}

// outcome tells a person why a change was not made in the place where the
// screen looks for it. What is no matter of the form stays an error.
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

// secretField is the input that a wrong password or code was typed into, so that
// a screen can say it there.
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
	return profileDone, c.Profile.SetProfile(ctx, sessionOf(ctx), key, member.ProfileForm{
		Name: b.Name, LastName: b.LastName, Father: b.Father, Country: string(b.Country), Email: b.Email, Mobile: string(b.Mobile),
		Birthday: b.Birthday, Gender: b.Gender, Address: b.Address, About: b.About, Nominee: b.Nominee, NomineeRelation: b.NomineeRelation,
		TransactionPassword: b.OldPin,
	})
}

func (c *Calls) setPassword(ctx context.Context, key string, b profileBody) (errs.Text, error) {
	if b.Password == "" || b.OldPassword == "" {
		return errs.Text{}, &errs.Error{Kind: errs.Invalid, Text: allRequired}
	}
	me := sessionOf(ctx)
	switch {
	case c.Features.ForgotPasswordOTP && b.OTP == "":
		if !me.MayChangePassword() {
			return errs.Text{}, errs.New(errs.Forbidden, "profile.visit_cannot_change_password", "An operator's visit cannot change a password.")
		}
		if err := c.limits.forgot(ctx, me.Owner); err != nil {
			return errs.Text{}, err
		}
		return codeSent, c.Enrol.SendCode(ctx, me.Owner, auth.ForChange)
	case c.Features.ForgotPasswordOTP:
		return passwordDone, c.Profile.SetPasswordByCode(ctx, me, key, b.OldPassword, b.Password, b.OTP, Peer(ctx))
	}
	return passwordDone, c.Profile.SetPassword(ctx, sessionOf(ctx), key, b.OldPassword, b.Password, Peer(ctx))
}

func (c *Calls) setPin(ctx context.Context, key string, b profileBody) (errs.Text, error) {
	if b.Pin == "" || b.OldPin == "" {
		return errs.Text{}, &errs.Error{Kind: errs.Invalid, Text: allRequired}
	}
	return passwordDone, c.Profile.SetTransactionPassword(ctx, sessionOf(ctx), key, b.OldPin, b.Pin)
}

func (c *Calls) setWallet(ctx context.Context, key string, b profileBody) (errs.Text, error) {
	return walletDone, c.Profile.SetWallet(ctx, sessionOf(ctx), key, member.WalletForm{Address: b.Wallet, TransactionPassword: b.OldPin})
}

func (c *Calls) setBank(ctx context.Context, key string, b profileBody) (errs.Text, error) {
	if !c.Features.BankDetails {
		return errs.Text{}, errs.New(errs.Forbidden, "profile.bank_switched_off", "Bank details are switched off here.")
	}
	return bankDone, c.Profile.SetBank(ctx, sessionOf(ctx), key, member.BankForm{
		Holder: b.Holder, Account: string(b.AccountNumber), IFSC: b.IFSC, Name: b.BankName, Branch: b.Branch, PAN: b.PAN, Aadhar: string(b.Aadhar),
		TransactionPassword: b.OldPin,
	})
}
