package auth

import (
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Signing in has one error for every reason, so that it does not disclose which ids
// exist. The errors are Refused and not Unauthenticated, because the caller gets a
// text and is not signed out.
var (
	ErrWrongPassword            = errs.New(errs.Refused, "auth.wrong_password", "Invalid username or password.")
	ErrWrongOldPassword         = errs.New(errs.Refused, "auth.wrong_old_password", "The old password is wrong.")
	ErrWrongOperator            = errs.New(errs.Refused, "auth.wrong_operator_credentials", "Invalid e-mail, password or code. After five wrong codes none is taken for 15 minutes.")
	ErrWrongTransactionPassword = errs.New(errs.Refused, "auth.wrong_transaction_password", "Invalid transaction password.")
	ErrWrongReset               = errs.New(errs.Refused, "auth.reset_link_invalid", "This link is not valid any more. Ask for a new one.")
	ErrWrongTicket              = errs.New(errs.Refused, "auth.ticket_link_invalid", "This link is not valid any more. Mint a new ticket.")
)

// errPleaseLogin is the answer to every invalid token.
var errPleaseLogin = errs.New(errs.Unauthenticated, "session.required", "Please login to access this resource")
