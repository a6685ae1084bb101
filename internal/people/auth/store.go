package auth

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store is what auth needs of a database. Methods that take rows run inside a
// command and see what it wrote; the others read what is committed.
type Store interface {
	// Credential is false when the member is unknown.
	Credential(ctx context.Context, uid int64) (CredentialRow, bool, error)
	CredentialIn(ctx context.Context, tx *ledger.Tx, uid int64) (CredentialRow, bool, error)
	AddCredential(ctx context.Context, tx *ledger.Tx, c CredentialRow) error
	// VouchedCredential is nil if a row is what the signed chain says of it; if not,
	// a *ledger.TamperedError. Outside of a command, with a nil tx, known is false
	// if it can only be told within one.
	VouchedCredential(ctx context.Context, tx *ledger.Tx, c CredentialRow) (known bool, err error)
	// PutCredential writes the whole row, which must be there, and be what the
	// signed chain says of it if more than tries is changed; if not, a
	// *ledger.TamperedError.
	PutCredential(ctx context.Context, tx *ledger.Tx, c CredentialRow) error

	// Session reads one session, with the role of its operator unless that
	// one has ended.
	Session(ctx context.Context, id string) (Session, bool, error)
	// Sessions lists sessions not ended that live on after t and were used
	// after seen; newest first, at most limit.
	Sessions(ctx context.Context, kind Kind, owner int64, t, seen time.Time, limit int) ([]Session, error)
	AddSession(ctx context.Context, tx *ledger.Tx, s Session) error
	// SessionsOf lists the owner's sessions of that kind, ended or not, newest
	// first, at most limit.
	SessionsOf(ctx context.Context, tx *ledger.Tx, kind Kind, owner int64, limit int) ([]Session, error)
	// DropSession deletes one.
	DropSession(ctx context.Context, tx *ledger.Tx, id string) error
	// DropSessions deletes sessions whose time was over before t, at most limit,
	// and tells how many; of an operator the newest stays.
	DropSessions(ctx context.Context, tx *ledger.Tx, t time.Time, limit int) (int64, error)
	// EndSession ends the owner's session id of that kind; false if there is
	// no open one.
	EndSession(ctx context.Context, tx *ledger.Tx, kind Kind, owner int64, id string, at time.Time) (bool, error)
	// EndSessions ends every open session of the owner and kind but keep, and
	// tells which.
	EndSessions(ctx context.Context, tx *ledger.Tx, kind Kind, owner int64, keep string, at time.Time) ([]string, error)
	// EndVisits ends every open visit of an operator, and tells which.
	EndVisits(ctx context.Context, tx *ledger.Tx, operator int64, at time.Time) ([]string, error)
	// Changed takes must_change off an open member's session; false if it is
	// none of theirs.
	Changed(ctx context.Context, tx *ledger.Tx, uid int64, id string) (bool, error)
	// Saw raises seen_at of an open session.
	Saw(ctx context.Context, tx *ledger.Tx, id string, at time.Time) error

	OperatorByEmail(ctx context.Context, email string) (OperatorRow, bool, error)
	// OperatorIn reads within a command, or with a nil tx outside of one.
	OperatorIn(ctx context.Context, tx *ledger.Tx, id int64) (OperatorRow, bool, error)
	// Vouched is nil if an operator and their second factor are what the signed
	// chain says of them; if not, a *ledger.TamperedError.
	Vouched(ctx context.Context, tx *ledger.Tx, operator int64) error
	// PutOperator writes role and password of an operator.
	PutOperator(ctx context.Context, tx *ledger.Tx, o OperatorRow) error
	// Standings lists all operators; t is now.
	Standings(ctx context.Context, t time.Time) ([]Standing, error)
	// Invitation reads within a command, or with a nil tx outside of one.
	Invitation(ctx context.Context, tx *ledger.Tx, operator int64) (InvitationRow, bool, error)
	// PutInvitation writes the whole row, new or not.
	PutInvitation(ctx context.Context, tx *ledger.Tx, i InvitationRow) error
	// AddProposal gives the proposal the next id.
	AddProposal(ctx context.Context, tx *ledger.Tx, p Proposal) (int64, error)
	ProposalIn(ctx context.Context, tx *ledger.Tx, id int64) (Proposal, bool, error)
	// Erasures lists the newest erasures of a member, or with 0 all that wait,
	// newest first; with a nil tx outside of a command.
	Erasures(ctx context.Context, tx *ledger.Tx, member int64) ([]Proposal, error)
	// Forget drops where a member's sessions came from, the places it was signed in
	// from, and a mailed code.
	Forget(ctx context.Context, tx *ledger.Tx, uid int64) error
	// ProposalsIn lists the hundred newest about operators, or those that wait,
	// newest first; with a nil tx outside of a command.
	ProposalsIn(ctx context.Context, tx *ledger.Tx, waiting bool) ([]Proposal, error)
	// DecideProposal writes what became of one that waits.
	DecideProposal(ctx context.Context, tx *ledger.Tx, p Proposal) error
	Operators(ctx context.Context) ([]Operator, error)
	OperatorsIn(ctx context.Context, tx *ledger.Tx) ([]Operator, error)
	// AddOperator gives the operator the next id.
	AddOperator(ctx context.Context, tx *ledger.Tx, o OperatorRow) (int64, error)
	EndOperator(ctx context.Context, tx *ledger.Tx, id int64, at time.Time) error
	// Enrolled takes must_change off an operator's open session.
	Enrolled(ctx context.Context, tx *ledger.Tx, operator int64, session string) error

	// Factor is false when the owner never had one; with a nil tx outside of a
	// command.
	Factor(ctx context.Context, tx *ledger.Tx, o Owner) (FactorRow, bool, error)
	// VouchedFactor is nil if a factor, its recovery codes and its passkeys are
	// what the signed chain says of them; if not, a *ledger.TamperedError.
	VouchedFactor(ctx context.Context, tx *ledger.Tx, o Owner) error
	// PutFactor writes the whole row, new or not.
	PutFactor(ctx context.Context, tx *ledger.Tx, f FactorRow) error
	// SetRecovery replaces all recovery codes of an owner.
	SetRecovery(ctx context.Context, tx *ledger.Tx, o Owner, hashes [][]byte) error
	// UseRecovery uses a code up; false if there is no such unused one, or it
	// may not be used, which costs the same.
	UseRecovery(ctx context.Context, tx *ledger.Tx, o Owner, hash []byte, at time.Time, may bool) (bool, error)
	RecoveryLeft(ctx context.Context, o Owner) (int, error)
	MailedCode(ctx context.Context, tx *ledger.Tx, uid int64) (MailedCodeRow, bool, error)
	// PutMailedCode writes the whole row, new or not.
	PutMailedCode(ctx context.Context, tx *ledger.Tx, c MailedCodeRow) error
	// Try reads a slot of wrong sign-ins within a command, or with a nil tx
	// outside of one.
	Try(ctx context.Context, tx *ledger.Tx, slot int64) (TryRow, bool, error)
	// Tries reads the slots from begin on and before end, within a command.
	Tries(ctx context.Context, tx *ledger.Tx, begin, end int64) ([]TryRow, error)
	// PutTry writes a slot, whosever it was.
	PutTry(ctx context.Context, tx *ledger.Tx, y TryRow) error
	// DropTry empties a slot if it is still this one's.
	DropTry(ctx context.Context, tx *ledger.Tx, y TryRow) error
	// DropTries empties the slots that say nothing any more at t.
	DropTries(ctx context.Context, tx *ledger.Tx, t time.Time) error
	// Place tells when an account was last signed in to from a place, within a
	// command, or with a nil tx outside of one; false if it never was.
	Place(ctx context.Context, tx *ledger.Tx, kind Kind, owner int64, place []byte) (time.Time, bool, error)
	// KeepPlace notes a place as used at a time, keeps an account's most last used
	// ones, and tells how many there were before.
	KeepPlace(ctx context.Context, tx *ledger.Tx, kind Kind, owner int64, place []byte, at time.Time, most int) (int64, error)
	// DropPlaces forgets an account's places.
	DropPlaces(ctx context.Context, tx *ledger.Tx, kind Kind, owner int64) error
	// Decoy writes something that nobody reads.
	Decoy(ctx context.Context, tx *ledger.Tx) error

	// Passkeys lists an owner's, oldest first; with a nil tx outside of a command.
	Passkeys(ctx context.Context, tx *ledger.Tx, o Owner) ([]PasskeyRow, error)
	// Passkey reads within a command, or with a nil tx outside of one.
	Passkey(ctx context.Context, tx *ledger.Tx, credential []byte) (PasskeyRow, bool, error)
	// AddPasskey gives the passkey the next id. This and the next three need the
	// owner's factor row, and are a *ledger.TamperedError where the owner's
	// passkeys are not what the signed chain says of them.
	AddPasskey(ctx context.Context, tx *ledger.Tx, p PasskeyRow) (int64, error)
	// PutPasskey writes name, count and last use.
	PutPasskey(ctx context.Context, tx *ledger.Tx, p PasskeyRow) error
	DropPasskey(ctx context.Context, tx *ledger.Tx, p PasskeyRow) error
	// DropPasskeys drops an owner's, with every challenge of theirs, and tells
	// how many there were.
	DropPasskeys(ctx context.Context, tx *ledger.Tx, o Owner) (int64, error)
	// AddChallenge also drops the challenges that are over at now.
	AddChallenge(ctx context.Context, tx *ledger.Tx, c ChallengeRow, now time.Time) error
	Challenge(ctx context.Context, id string) (ChallengeRow, bool, error)
	// UseChallenge drops a challenge; false if it is gone.
	UseChallenge(ctx context.Context, tx *ledger.Tx, id string) (bool, error)

	// PutProof writes when a session's owner proved to be there, and drops what was
	// proved before over.
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
	// MustChange: Password is a temporary one that has been used. It proves
	// who changes it, and signs nobody in any more.
	MustChange     bool
	Temporary      string // "" when none is set
	Reset          []byte // SHA-256 of the reset token; empty when none is set
	TemporaryUntil time.Time
	Pin            string // the transaction password
	PinAt          time.Time
	PinMailed      time.Time // when Pin was mailed; zero if its owner chose it; see mailedpin.go
	PinRests       time.Time // before this no transaction password allows anything but to change it
	PinTries       int64
	PinLocked      time.Time // until when; zero when it is not
	WaitUntil      time.Time // before this no money leaves; see waits.go
	WaitFor        Guarded   // the change that it waits for
	FactorSet      time.Time // since when there is a second factor; zero while there is none
}

// gone stands in place of the hash of a member whose personal data was erased:
// it matches nothing.
const gone = "gone"

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

// InvitationRow is a one-time link as stored: the token's hash, empty when it
// was used.
type InvitationRow struct {
	Operator int64
	Token    []byte
	Until    time.Time
}

// FactorRow is a second factor as stored. Secrets are sealed; empty when there
// is none.
type FactorRow struct {
	Owner
	Secret    []byte    // of the app
	Set       time.Time // zero while there is neither a secret nor a member's passkey
	Pending   []byte    // waits to be confirmed
	PendingAt time.Time
	Step      int64 // the last time step whose code was taken
	Tries     int64 // wrong codes since the last right one
	Locked    time.Time
}

// MailedCodeRow is the code that was last mailed to a member for a password.
type MailedCodeRow struct {
	UID     int64
	Hash    []byte // empty when it was used
	Purpose Purpose
	Mailed  time.Time
	Expires time.Time
	Tries   int64
}

// TryRow is wrong sign-ins as stored: whose they are, hashed, and when all tries
// are there again.
type TryRow struct {
	Slot int64
	Who  []byte
	Full time.Time
}

// TicketRow is a visit ticket as stored.
type TicketRow struct {
	ID       string
	UID      int64
	Operator int64
	Reason   string
	Created  time.Time
	Expires  time.Time
	Used     time.Time
}
