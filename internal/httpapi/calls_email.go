package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/people/profile"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerEmail(api huma.API) {
	post(api, tagEnrol, "email/confirm", "Confirm an e-mail address by a mailed link", c.confirmEmail)
	post(api, tagEnrol, "email/undo", "Bring a former e-mail address back by a mailed link", c.undoEmail)
	post(api, tagMember, "email/send", "Mail the link that confirms the e-mail address again", c.sendEmailLink)
	post(api, tagMember, "email/correct", "Correct an e-mail address that was never confirmed", c.correctEmail)
	post(api, tagMember, "transactionPassword/send", "Mail a new transaction password, which must be changed within a day", c.mailOwnTransactionPassword)
	post(api, tagMember, "email/cancel", "Cancel a change of the e-mail address that waits to be confirmed", c.cancelEmail)
	post(api, tagMember, "email/keep", "Remove the links by which a former e-mail address can undo its change", c.keepEmail)
	get(api, tagMember, "account", "What the member still has to do to protect the account", c.account)
}

type emailLinkInput struct{ Body EmailLink }

// EmailLink is what a mailed link has after the #; exported because huma does not look
// into embedded types that are not.
type EmailLink struct {
	UID   text   `json:"uid"`
	Token string `json:"token" minLength:"1" maxLength:"200" doc:"From the link, after the #."`
}

// byLink does what a mailed link is for. The answer does not tell which ids exist.
func (c *Calls) byLink(ctx context.Context, in EmailLink, do func(context.Context, int64, string) error) (*sentence, error) {
	if err := perPeer(ctx, c.limits.lookup); err != nil {
		return nil, err
	}
	var f fields
	uid := f.uid("uid", in.UID)
	if err := f.err(); err != nil {
		return nil, err
	}
	err := do(ctx, uid, in.Token)
	if errs.Is(err, errs.Refused) {
		return say(errs.TextOf(err)), nil
	}
	return say(successful), err
}

type confirmEmailInput struct {
	Authorization string `header:"Authorization"`
	Body          struct {
		EmailLink
		Password string `json:"password,omitempty" maxLength:"200" doc:"The member's password; only the first address of a member takes it, and only without the member's own session."`
	}
}

func (c *Calls) confirmEmail(ctx context.Context, in *confirmEmailInput) (*sentence, error) {
	by, _ := c.signedIn(ctx, in.Authorization)
	return c.byLink(ctx, in.Body.EmailLink, func(ctx context.Context, uid int64, secret string) error {
		return c.Profile.ConfirmEmail(ctx, profile.Opened{UID: uid, Secret: secret, By: by, Password: in.Body.Password, Peer: Peer(ctx)})
	})
}

func (c *Calls) undoEmail(ctx context.Context, in *emailLinkInput) (*sentence, error) {
	return c.byLink(ctx, in.Body, c.Profile.UndoEmail)
}

func (c *Calls) sendEmailLink(ctx context.Context, _ *struct{}) (*sentence, error) {
	me := sessionOf(ctx)
	if err := perPeer(ctx, c.limits.lookup); err != nil {
		return nil, err
	}
	if err := c.limits.emailUID.Allow(id(me.Owner)); err != nil {
		return nil, err
	}
	return say(successful), c.Profile.SendEmailLink(ctx, me)
}

type correctEmailInput struct {
	Agent string `header:"User-Agent"`
	Body  struct {
		Proof
		Email string `json:"email" maxLength:"254" doc:"The address that replaces the mistyped one."`
	}
}

// correctEmail counts by network here; by member, profile counts the addresses. It does
// not count with email/send: a member with a mistyped address has the link sent again first.
func (c *Calls) correctEmail(ctx context.Context, in *correctEmailInput) (*sentence, error) {
	if err := perPeer(ctx, c.limits.lookup); err != nil {
		return nil, err
	}
	return say(successful), c.Profile.CorrectEmail(ctx, sessionOf(ctx), in.Body.Email, in.Body.evidence(), from(ctx, "", in.Agent))
}

func (c *Calls) cancelEmail(ctx context.Context, _ *struct{}) (*sentence, error) {
	return say(successful), c.Profile.CancelEmail(ctx, sessionOf(ctx))
}

type keepEmailInput struct {
	Agent string `header:"User-Agent"`
	Body  struct {
		Proof
		Pin string `json:"transactionPassword" maxLength:"200" doc:"The caller's transaction password."`
	}
}

func (c *Calls) keepEmail(ctx context.Context, in *keepEmailInput) (*sentence, error) {
	return say(successful), c.Profile.KeepEmail(ctx, sessionOf(ctx), in.Body.Pin, in.Body.evidence(), from(ctx, "", in.Agent))
}

// mailOwnTransactionPassword counts by network here; by member, auth counts those that
// were mailed.
func (c *Calls) mailOwnTransactionPassword(ctx context.Context, in *proofInput) (*sentence, error) {
	if err := perPeer(ctx, c.limits.lookup); err != nil {
		return nil, err
	}
	return say(successful), c.Profile.MailTransactionPassword(ctx, sessionOf(ctx), in.Body.evidence(), from(ctx, "", in.Agent))
}

type accountAnswer struct {
	Email     string `json:"email" doc:"The address in force: secrets and resets go there once it is confirmed."`
	Confirmed moment `json:"confirmed" doc:"When it was confirmed; empty while it is not."`
	Correct   bool   `json:"correctable" doc:"Whether email/correct replaces the address: it was never confirmed, and no transaction password was chosen."`
	Pending   string `json:"pending" doc:"The address that replaces it once its link is opened; empty for none."`
	UndoUntil moment `json:"undoUntil" doc:"Until when a former address can undo its change by the link that was mailed there; empty if none can."`
	UndoKept  moment `json:"undoRemovable" doc:"From when on email/keep removes that link; empty if there is none."`
	PinEnds   moment `json:"transactionPasswordEnds" doc:"Of a mailed transaction password, which must be changed before; empty if the member chose it."`
	PinRests  moment `json:"transactionPasswordRests" doc:"Before this no transaction password is accepted but to change it; empty if it is."`
}

func (c *Calls) account(ctx context.Context, _ *struct{}) (*reply[accountAnswer], error) {
	uid := sessionOf(ctx).Owner
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
	return answer(accountAnswer{
		Email: m.Email, Confirmed: at(m.EmailOK), Correct: !m.Confirmed() && pin.Never, Pending: pending, UndoUntil: at(undo.Until), UndoKept: at(undo.Removable), PinEnds: at(pin.Ends), PinRests: at(pin.Rests),
	}), nil
}
