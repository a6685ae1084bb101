package auth

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store is the database of auth. Methods with a tx run within a command and see its
// writes; the others, and those with a nil tx, read what is committed.
type Store interface {
	// Credential is false when the member is unknown.
	Credential(ctx context.Context, uid int64) (CredentialRow, bool, error)
	// CredentialIn is a *ledger.TamperedError if the row does not match the signed chain.
	CredentialIn(ctx context.Context, tx *ledger.Tx, uid int64) (CredentialRow, bool, error)
	AddCredential(ctx context.Context, tx *ledger.Tx, c CredentialRow) error
	// PutCredential writes the whole row, which must exist and, if more than tries
	// changes, match the signed chain; if not, a *ledger.TamperedError.
	PutCredential(ctx context.Context, tx *ledger.Tx, c CredentialRow) error

	// Session reads one session, with the role of its operator unless they ended.
	Session(ctx context.Context, id string) (Session, bool, error)
	// Sessions lists open sessions that expire after t and were used after seen;
	// newest first, at most limit.
	Sessions(ctx context.Context, kind Kind, owner int64, t, seen time.Time, limit int) ([]Session, error)
	AddSession(ctx context.Context, tx *ledger.Tx, s Session) error
	// SessionsOf lists the owner's sessions of that kind, ended or not, newest
	// first, at most limit.
	SessionsOf(ctx context.Context, tx *ledger.Tx, kind Kind, owner int64, limit int) ([]Session, error)
	DropSession(ctx context.Context, tx *ledger.Tx, id string) error
	// DropSessions deletes at most limit sessions that expired before t and returns
	// their number; an operator's newest session stays.
	DropSessions(ctx context.Context, tx *ledger.Tx, t time.Time, limit int) (int64, error)
	// EndSession ends the owner's session id of that kind; false if there is
	// no open one.
	EndSession(ctx context.Context, tx *ledger.Tx, kind Kind, owner int64, id string, at time.Time) (bool, error)
	// EndSessions ends every open session of the owner and kind but keep, and returns
	// their ids.
	EndSessions(ctx context.Context, tx *ledger.Tx, kind Kind, owner int64, keep string, at time.Time) ([]string, error)
	// EndVisits ends every open impersonation by an operator and returns their ids.
	EndVisits(ctx context.Context, tx *ledger.Tx, operator int64, at time.Time) ([]string, error)
	// Changed clears must_change of a member's open session; false if the member has
	// no such session.
	Changed(ctx context.Context, tx *ledger.Tx, uid int64, id string) (bool, error)
	// Saw raises seen_at of an open session.
	Saw(ctx context.Context, tx *ledger.Tx, id string, at time.Time) error

	OperatorByEmail(ctx context.Context, email string) (OperatorRow, bool, error)
	OperatorIn(ctx context.Context, tx *ledger.Tx, id int64) (OperatorRow, bool, error)
	// VerifyOperator is a *ledger.TamperedError if an operator or their second factor
	// does not match the signed chain.
	VerifyOperator(ctx context.Context, tx *ledger.Tx, operator int64) error
	// PutOperator writes role and password of an operator.
	PutOperator(ctx context.Context, tx *ledger.Tx, o OperatorRow) error
	// Standings lists all operators; t is now.
	Standings(ctx context.Context, t time.Time) ([]Standing, error)
	Invitation(ctx context.Context, tx *ledger.Tx, operator int64) (InvitationRow, bool, error)
	// PutInvitation writes the whole row, new or not.
	PutInvitation(ctx context.Context, tx *ledger.Tx, i InvitationRow) error
	// AddProposal gives the proposal the next id.
	AddProposal(ctx context.Context, tx *ledger.Tx, p Proposal) (int64, error)
	ProposalIn(ctx context.Context, tx *ledger.Tx, id int64) (Proposal, bool, error)
	// Erasures lists the newest erasures of a member, or with 0 all pending ones,
	// newest first.
	Erasures(ctx context.Context, tx *ledger.Tx, member int64) ([]Proposal, error)
	// Forget deletes a member's mailed code and addresses.
	Forget(ctx context.Context, tx *ledger.Tx, uid int64) error
	// ProposalsIn lists the hundred newest about operators, or the pending ones, newest
	// first.
	ProposalsIn(ctx context.Context, tx *ledger.Tx, waiting bool) ([]Proposal, error)
	// DecideProposal writes the decision of a pending one.
	DecideProposal(ctx context.Context, tx *ledger.Tx, p Proposal) error
	Operators(ctx context.Context) ([]Operator, error)
	OperatorsIn(ctx context.Context, tx *ledger.Tx) ([]Operator, error)
	// AddOperator gives the operator the next id.
	AddOperator(ctx context.Context, tx *ledger.Tx, o OperatorRow) (int64, error)
	EndOperator(ctx context.Context, tx *ledger.Tx, id int64, at time.Time) error
	// Enrolled clears must_change of an operator's open session.
	Enrolled(ctx context.Context, tx *ledger.Tx, operator int64, session string) error

	// Factor is false if the owner never had one.
	Factor(ctx context.Context, tx *ledger.Tx, o Owner) (FactorRow, bool, error)
	// VerifyFactor is a *ledger.TamperedError if a factor, its recovery codes or its
	// passkeys do not match the signed chain.
	VerifyFactor(ctx context.Context, tx *ledger.Tx, o Owner) error
	// PutFactor writes the whole row, new or not.
	PutFactor(ctx context.Context, tx *ledger.Tx, f FactorRow) error
	// SetRecovery replaces all recovery codes of an owner.
	SetRecovery(ctx context.Context, tx *ledger.Tx, o Owner, hashes [][]byte) error
	// UseRecovery consumes a code; false if there is no such unused one, or if may is
	// false, which costs the same.
	UseRecovery(ctx context.Context, tx *ledger.Tx, o Owner, hash []byte, at time.Time, may bool) (bool, error)
	RecoveryLeft(ctx context.Context, o Owner) (int, error)
	MailedCode(ctx context.Context, tx *ledger.Tx, uid int64) (MailedCodeRow, bool, error)
	// PutMailedCode writes the whole row, new or not.
	PutMailedCode(ctx context.Context, tx *ledger.Tx, c MailedCodeRow) error
	// Try reads a slot of wrong sign-ins.
	Try(ctx context.Context, tx *ledger.Tx, slot int64) (TryRow, bool, error)
	// Tries reads the slots from begin up to end, exclusive.
	Tries(ctx context.Context, tx *ledger.Tx, begin, end int64) ([]TryRow, error)
	// PutTry overwrites a slot.
	PutTry(ctx context.Context, tx *ledger.Tx, y TryRow) error
	// DropTry empties a slot that still has the same owner.
	DropTry(ctx context.Context, tx *ledger.Tx, y TryRow) error
	// DropTries empties the slots that expired at t.
	DropTries(ctx context.Context, tx *ledger.Tx, t time.Time) error
	// Place returns the last sign-in of an account from a place; false if there is none.
	Place(ctx context.Context, tx *ledger.Tx, kind Kind, owner int64, place []byte) (time.Time, bool, error)
	// KeepPlace records a place's use, keeps an account's most recent ones, and returns
	// how many there were before.
	KeepPlace(ctx context.Context, tx *ledger.Tx, kind Kind, owner int64, place []byte, at time.Time, most int) (int64, error)
	// DropPlaces deletes an account's places.
	DropPlaces(ctx context.Context, tx *ledger.Tx, kind Kind, owner int64) error
	// Decoy writes unused data, so that a failure costs as much as a success.
	Decoy(ctx context.Context, tx *ledger.Tx) error

	// Passkeys lists an owner's, oldest first.
	Passkeys(ctx context.Context, tx *ledger.Tx, o Owner) ([]PasskeyRow, error)
	Passkey(ctx context.Context, tx *ledger.Tx, credential []byte) (PasskeyRow, bool, error)
	// AddPasskey gives the passkey the next id. This and the next three need the
	// owner's factor row, and are a *ledger.TamperedError if the owner's passkeys do
	// not match the signed chain.
	AddPasskey(ctx context.Context, tx *ledger.Tx, p PasskeyRow) (int64, error)
	// PutPasskey writes name, count and last use.
	PutPasskey(ctx context.Context, tx *ledger.Tx, p PasskeyRow) error
	DropPasskey(ctx context.Context, tx *ledger.Tx, p PasskeyRow) error
	// DropPasskeys deletes an owner's passkeys and challenges and returns the number of
	// passkeys.
	DropPasskeys(ctx context.Context, tx *ledger.Tx, o Owner) (int64, error)
	// AddChallenge also deletes challenges that expired at now.
	AddChallenge(ctx context.Context, tx *ledger.Tx, c ChallengeRow, now time.Time) error
	Challenge(ctx context.Context, id string) (ChallengeRow, bool, error)
	// UseChallenge deletes a challenge; false if it is gone.
	UseChallenge(ctx context.Context, tx *ledger.Tx, id string) (bool, error)

	// PutProof stores the time of a session's proof and deletes proofs before over.
	PutProof(ctx context.Context, tx *ledger.Tx, p ProofRow, over time.Time) error
	Proof(ctx context.Context, session string) (ProofRow, bool, error)

	AddTicket(ctx context.Context, tx *ledger.Tx, t TicketRow) error
	TicketIn(ctx context.Context, tx *ledger.Tx, id string) (TicketRow, bool, error)
	// UseTicket marks a ticket as used; an error if it was used before.
	UseTicket(ctx context.Context, tx *ledger.Tx, id string, at time.Time) error
}

// CredentialRow is a member's secrets as stored: hashes only.
type CredentialRow struct {
	UID        int64
	Password   string // "" matches nothing
	PasswordAt time.Time
	// MustChange says that Password is a temporary one that has been used. It permits
	// the change of the password, but no sign-in.
	MustChange     bool
	Temporary      string // "" when none is set
	Reset          []byte // SHA-256 of the reset token; empty when none is set
	TemporaryUntil time.Time
	Pin            string // the transaction password
	PinAt          time.Time
	PinMailed      time.Time // when Pin was mailed; zero if its owner chose it; see mailed_transaction.go
	PinRests       time.Time // before this a transaction password is accepted only to be changed
	PinTries       int64
	PinLocked      time.Time // end of the lock; zero if not locked
	WaitUntil      time.Time // before this no money leaves; see waits.go
	WaitFor        Guarded   // the change that caused the wait
	FactorSet      time.Time // when the second factor was set; zero if there is none
}

// erasedHash replaces the hash of a member whose personal data was erased: nothing matches
// it.
const erasedHash = "gone"

func (c *CredentialRow) clearTemporary() {
	c.Temporary, c.Reset, c.TemporaryUntil = "", nil, time.Time{}
}

func (c *CredentialRow) clearTries() { c.PinTries, c.PinLocked = 0, time.Time{} }

// OperatorRow is an operator with the hash of the password.
type OperatorRow struct {
	Operator
	Password   string
	PasswordAt time.Time
}

// InvitationRow is a one-time link as stored: the token's hash, empty once used.
type InvitationRow struct {
	Operator int64
	Token    []byte
	Until    time.Time
}

// FactorRow is a second factor as stored. Secrets are sealed, or empty.
type FactorRow struct {
	Owner
	Secret    []byte    // of the app
	Set       time.Time // zero while there is neither a secret nor a member's passkey
	Pending   []byte    // unconfirmed
	PendingAt time.Time
	Step      int64 // the last time step whose code was accepted
	Tries     int64 // wrong codes since the last right one
	Locked    time.Time
}

// MailedCodeRow is the last code mailed to a member.
type MailedCodeRow struct {
	UID     int64
	Hash    []byte // empty once used
	Purpose Purpose
	Mailed  time.Time
	Expires time.Time
	Tries   int64
}

// TryRow is a counter of wrong sign-ins as stored: its hashed key, and when all
// attempts are available again.
type TryRow struct {
	Slot int64
	Who  []byte
	Full time.Time
}

// TicketRow is an impersonation ticket as stored.
type TicketRow struct {
	ID       string
	UID      int64
	Operator int64
	Reason   string
	Created  time.Time
	Expires  time.Time
	Used     time.Time
}
