package member

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/api/signin"
	"github.com/bifolia/bifolia/internal/people/profile"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerEmail(api huma.API) {
	httpx.Post(api, httpx.TagEnrol, "email/confirm", "Confirm an e-mail address by a mailed link", c.confirmEmail)
	httpx.Post(api, httpx.TagEnrol, "email/undo", "Restore a former e-mail address by a mailed link", c.undoEmail)
	httpx.Post(api, httpx.TagMember, "email/send", "Resend the link that confirms the e-mail address", c.sendEmailLink)
	httpx.Post(api, httpx.TagMember, "email/correct", "Correct an unconfirmed e-mail address", c.correctEmail)
	httpx.Post(api, httpx.TagMember, "transactionPassword/send", "Mail a new transaction password, which must be changed within a day", c.mailOwnTransactionPassword)
	httpx.Post(api, httpx.TagMember, "email/cancel", "Cancel a pending change of the e-mail address", c.cancelEmail)
	httpx.Post(api, httpx.TagMember, "email/keep", "Invalidate the links that restore a former e-mail address", c.keepEmail)
	httpx.Get(api, httpx.TagMember, "account", "Retrieve the security status of the member's account", c.account)
}

// EmailLink holds the fields of a mailed link after the #. It is exported because huma
// ignores embedded types that are not.
type EmailLink struct {
	UID   httpx.StringOrInt `json:"uid"`
	Token string            `json:"token" minLength:"1" maxLength:"200" doc:"The token in the link, after the #."`
}

// byLink runs the action of a mailed link. The response does not reveal which ids exist.
func (c *Calls) byLink(ctx context.Context, in EmailLink, do func(context.Context, int64, string) error) (*httpx.MessageReply, error) {
	if err := httpx.LimitPeer(ctx, c.Limits.Lookup); err != nil {
		return nil, err
	}
	var f httpx.FieldErrors
	uid := f.UserID("uid", in.UID)
	if err := f.Err(); err != nil {
		return nil, err
	}
	err := do(ctx, uid, in.Token)
	if errs.Is(err, errs.Refused) {
		return httpx.NewMessage(errs.TextOf(err)), nil
	}
	return httpx.NewMessage(httpx.Successful), err
}

type confirmEmailInput struct {
	Authorization string `header:"Authorization"`
	Body          struct {
		EmailLink
		Password string `json:"password,omitempty" maxLength:"200" doc:"The member's password; required only for a member's first address, without a session of the member."`
	}
}

func (c *Calls) confirmEmail(ctx context.Context, in *confirmEmailInput) (*httpx.MessageReply, error) {
	by, _ := c.OptionalSession(ctx, in.Authorization)
	return c.byLink(ctx, in.Body.EmailLink, func(ctx context.Context, uid int64, secret string) error {
		return c.Profile.ConfirmEmail(ctx, profile.Opened{UID: uid, Secret: secret, By: by, Password: in.Body.Password, Peer: httpx.Peer(ctx)})
	})
}

func (c *Calls) undoEmail(ctx context.Context, in *httpx.Body[EmailLink]) (*httpx.MessageReply, error) {
	return c.byLink(ctx, in.Body, c.Profile.UndoEmail)
}

func (c *Calls) sendEmailLink(ctx context.Context, _ *struct{}) (*httpx.MessageReply, error) {
	me := httpx.SessionOf(ctx)
	if err := httpx.LimitPeer(ctx, c.Limits.Lookup); err != nil {
		return nil, err
	}
	if err := c.Limits.EmailUID.Allow(httpx.FormatID(me.Owner)); err != nil {
		return nil, err
	}
	return httpx.NewMessage(httpx.Successful), c.Profile.SendEmailLink(ctx, me)
}

type correctEmailInput struct {
	Agent string `header:"User-Agent"`
	Body  struct {
		signin.Proof
		Email string `json:"email" maxLength:"254" doc:"The corrected address."`
	}
}

// correctEmail is limited by network here; package profile limits the addresses of a
// member. It does not share the limit of email/send: a member with a mistyped address
// tries that first.
func (c *Calls) correctEmail(ctx context.Context, in *correctEmailInput) (*httpx.MessageReply, error) {
	if err := httpx.LimitPeer(ctx, c.Limits.Lookup); err != nil {
		return nil, err
	}
	return httpx.NewMessage(httpx.Successful), c.Profile.CorrectEmail(ctx, httpx.SessionOf(ctx), in.Body.Email, in.Body.Evidence(), httpx.RequestOrigin(ctx, "", in.Agent))
}

func (c *Calls) cancelEmail(ctx context.Context, _ *struct{}) (*httpx.MessageReply, error) {
	return httpx.NewMessage(httpx.Successful), c.Profile.CancelEmail(ctx, httpx.SessionOf(ctx))
}

type keepEmailInput struct {
	Agent string `header:"User-Agent"`
	Body  struct {
		signin.Proof
		Pin string `json:"transactionPassword" maxLength:"200" doc:"The caller's transaction password."`
	}
}

func (c *Calls) keepEmail(ctx context.Context, in *keepEmailInput) (*httpx.MessageReply, error) {
	return httpx.NewMessage(httpx.Successful), c.Profile.KeepEmail(ctx, httpx.SessionOf(ctx), in.Body.Pin, in.Body.Evidence(), httpx.RequestOrigin(ctx, "", in.Agent))
}

// mailOwnTransactionPassword is limited by network here; package auth limits the mails of
// a member.
func (c *Calls) mailOwnTransactionPassword(ctx context.Context, in *signin.ProofInput) (*httpx.MessageReply, error) {
	if err := httpx.LimitPeer(ctx, c.Limits.Lookup); err != nil {
		return nil, err
	}
	return httpx.NewMessage(httpx.Successful), c.Profile.MailTransactionPassword(ctx, httpx.SessionOf(ctx), in.Body.Evidence(), httpx.RequestOrigin(ctx, "", in.Agent))
}

type accountAnswer struct {
	Email     string          `json:"email" doc:"The current address; it receives secrets and resets once it is confirmed."`
	Confirmed httpx.Timestamp `json:"confirmed" doc:"The time of confirmation; empty if unconfirmed."`
	Correct   bool            `json:"correctable" doc:"Whether email/correct can replace the address: it was never confirmed, and no transaction password was chosen."`
	Pending   string          `json:"pending" doc:"The new address, pending until its link is opened; empty if there is none."`
	UndoUntil httpx.Timestamp `json:"undoUntil" doc:"The time until which a former address can undo the change by its mailed link; empty if none can."`
	UndoKept  httpx.Timestamp `json:"undoRemovable" doc:"The time from which email/keep can remove that link; empty if there is none."`
	PinEnds   httpx.Timestamp `json:"transactionPasswordEnds" doc:"The expiry of a mailed transaction password, which must be changed before; empty if the member chose it."`
	PinRests  httpx.Timestamp `json:"transactionPasswordRests" doc:"The time until which the transaction password works only for changing it; empty if it works already."`
}

func (c *Calls) account(ctx context.Context, _ *struct{}) (*httpx.Reply[accountAnswer], error) {
	uid := httpx.SessionOf(ctx).Owner
	m, _, err := c.Members.Get(ctx, uid)
	if err != nil {
		return nil, err
	}
	pending, err := c.Members.PendingEmail(ctx, nil, m, c.Clock.Now())
	if err != nil {
		return nil, err
	}
	pin, err := c.Auth.PinState(ctx, uid)
	if err != nil {
		return nil, err
	}
	factor, err := c.Auth.MemberEnrolment(ctx, uid)
	if err != nil {
		return nil, err
	}
	undo, err := c.Members.Undo(ctx, nil, uid, factor.Set, c.Clock.Now())
	if err != nil {
		return nil, err
	}
	return httpx.NewReply(accountAnswer{
		Email: m.Email, Confirmed: httpx.ToTimestamp(m.EmailOK), Correct: !m.Confirmed() && pin.Never, Pending: pending, UndoUntil: httpx.ToTimestamp(undo.Until), UndoKept: httpx.ToTimestamp(undo.Removable), PinEnds: httpx.ToTimestamp(pin.Ends), PinRests: httpx.ToTimestamp(pin.Rests),
	}), nil
}
