// Package payout pays approved withdrawals: in batches that one operator
// proposes and another approves, by hand from a list, or by the server from its
// hot wallet.
//
// What the hot wallet pays cannot be paid twice, whenever the process dies: a
// payment is signed with the next nonce and kept, in the same command that makes
// the withdrawal Sent, before anybody hears of it. From then on the same bytes
// are broadcast until the chain has them, and a replacement for a stuck one has
// the same nonce, of which the chain takes one transaction. Only when that nonce
// is used for good, and by none of ours that pays, does a payout fail; a person
// then looks before anything is paid again. If the chain has used a nonce that
// the database does not know of, or the database was restored, payouts are held:
// see hold.go.
package payout

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Way is how a batch is paid.
type Way string

// The ways.
const (
	Hot    Way = "hot"    // by the server, from its hot wallet
	Manual Way = "manual" // by people, from an exported list
)

// BatchState is how far a batch has come.
type BatchState string

// The states of a batch. It is done when each of its payouts has ended.
const (
	Proposed       BatchState = "proposed"
	BatchApproved  BatchState = "approved"
	BatchCancelled BatchState = "cancelled"
	Done           BatchState = "done"
)

// State is how far a payout has come.
type State string

// The states of a payout. Confirmed, Returned and Cancelled are its ends; of
// Failed a person must make one.
const (
	Waiting   State = "waiting"   // to be signed, or for the hash of who pays by hand
	Signed    State = "signed"    // and kept; nobody is known to have it
	Sent      State = "sent"      // the chain's nodes have it
	Confirmed State = "confirmed" // it is paid
	Failed    State = "failed"    // it never will be
	Returned  State = "returned"  // its withdrawal can be paid in another batch
	Cancelled State = "cancelled" // as Returned, before anything was signed
)

func (s State) ended() bool { return s == Confirmed || s == Returned || s == Cancelled }

// Mark is who did something, and when.
type Mark struct {
	actor.By
	At time.Time
}

// Batch is withdrawals that are paid together.
type Batch struct {
	ID         int64
	Way        Way
	State      BatchState
	Payouts    int64
	Total      money.Amount
	Proposed   Mark
	Approved   Mark
	Alone      approval.Alone // why one person was enough; empty when there were two
	ExportedAt time.Time
	EndedAt    time.Time
}

// Payout is one withdrawal in one batch.
type Payout struct {
	Batch, Withdrawal, UID    int64
	Way                       Way
	Address                   string
	Amount                    money.Amount
	State                     State
	Sender                    string
	Nonce                     int64 // -1 while there is none
	Hash                      string
	Note                      string // what it waits for, or why it failed
	SignedAt, SentAt, EndedAt time.Time
}

// Transaction is one that pays a payout, if the chain takes it. Raw is empty
// when people sent it.
type Transaction struct {
	Hash              string
	Batch, Withdrawal int64
	N                 int64 // of the payout's, from 1
	Chain             int64
	Sender            string
	Nonce             int64
	Raw               []byte
	By                string
	At                time.Time
}

// Wallet is what the database knows of the hot wallet.
type Wallet struct {
	Sender string
	Chain  int64
	Next   int64 // nonce
	By     string
	At     time.Time
}

const (
	maxPayouts = 500 // of a batch
	maxNote    = 300
	inFlight   = 16 // nodes keep few transactions of one sender that wait
	// mostRefused bounds how many payouts are tried in a round in vain.
	mostRefused = 20
	capWindow   = 24 * time.Hour
)

// Chain is what payouts need of the chain: *chain.Client.
type Chain interface {
	Sender() string // of the hot wallet; empty if there is none
	ChainID() int64
	// Sign makes a payment and broadcasts nothing.
	Sign(ctx context.Context, o evm.Order) (evm.Signed, error)
	Broadcast(ctx context.Context, raw []byte) error
	// Void makes a transaction that uses a nonce up and pays nobody.
	Void(ctx context.Context, nonce int64) (evm.Signed, error)
	// Used is how many nonces of a sender are used.
	Used(ctx context.Context, sender string) (evm.Nonces, error)
	// Transfers are those that a search asks for.
	Transfers(ctx context.Context, s evm.Search) ([]evm.Transfer, error)
	// Verify says whether a transaction paid.
	Verify(ctx context.Context, hash string, e evm.Expectation) evm.Verdict
}

func wrongState(p Payout) error {
	return errs.New(errs.Conflict, "payout.state", "The payout of withdrawal {withdrawal} is {state}.", "withdrawal", p.Withdrawal, "state", p.State)
}

// Cashier is who knows what may leave and tells members: *cashier.Service.
type Cashier interface {
	Payable(ctx context.Context, tx *ledger.Tx, limit int64) ([]withdrawal.Withdrawal, error)
	MayLeave(ctx context.Context, tx *ledger.Tx, w withdrawal.Withdrawal) error
	SetBatch(ctx context.Context, tx *ledger.Tx, id, batch int64) (withdrawal.Withdrawal, error)
	SentIn(ctx context.Context, tx *ledger.Tx, by actor.By, id int64, hash string) error
	FailedIn(ctx context.Context, tx *ledger.Tx, by actor.By, id int64, why string) error
	ConfirmIn(ctx context.Context, tx *ledger.Tx, by actor.By, id int64) error
}

// server is who pays from the hot wallet.
var server = actor.By{Name: "hot wallet"}
