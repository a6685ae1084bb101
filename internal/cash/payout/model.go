// Package payout pays approved withdrawals in batches that one operator proposes and
// another approves: manually from a list, or by the server from its hot wallet.
//
// The hot wallet never pays twice, whenever the process dies. A payment is signed with
// the next nonce and stored in the same command that makes the withdrawal Sent, before it
// is broadcast. The same bytes are broadcast until the chain has them, and a replacement
// for a stuck payment has the same nonce, of which the chain takes one transaction. A
// payout fails only when its nonce is used for good by a transaction that does not pay
// it; an operator then decides before anything is paid again. If the chain has used a
// nonce that the database does not know, or the database was restored, payouts are held:
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

// Way is the payment method of a batch.
type Way string

const (
	Hot    Way = "hot"    // by the server, from its hot wallet
	Manual Way = "manual" // by operators, from an exported list
)

type BatchState string

// The states of a batch. It is done when all of its payouts have ended.
const (
	Proposed       BatchState = "proposed"
	BatchApproved  BatchState = "approved"
	BatchCancelled BatchState = "cancelled"
	Done           BatchState = "done"
)

type State string

// The states of a payout. Confirmed, Returned and Cancelled are final. An operator
// decides about a Failed one.
const (
	Waiting   State = "waiting"   // for the signature or, in a manual batch, for the hash
	Signed    State = "signed"    // stored, not known to be broadcast
	Sent      State = "sent"      // the chain's nodes have it
	Confirmed State = "confirmed" // it is paid
	Failed    State = "failed"    // it can never be paid
	Returned  State = "returned"  // its withdrawal can be paid in another batch
	Cancelled State = "cancelled" // as Returned, before anything was signed
)

func (s State) ended() bool { return s == Confirmed || s == Returned || s == Cancelled }

// Mark is an actor with a time.
type Mark struct {
	actor.By
	At time.Time
}

// Batch is a group of withdrawals that are paid together.
type Batch struct {
	ID         int64
	Way        Way
	State      BatchState
	Payouts    int64
	Total      money.Amount
	Proposed   Mark
	Approved   Mark
	Alone      approval.Alone // reason for a single approval, or empty
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
	Nonce                     int64 // -1 before signing
	Hash                      string
	Note                      string // why it waits or has failed
	SignedAt, SentAt, EndedAt time.Time
}

// Transaction is a transaction that pays a payout once mined. Raw is empty for manual
// ones.
type Transaction struct {
	Hash              string
	Batch, Withdrawal int64
	N                 int64 // counts the payout's transactions from 1
	Chain             int64
	Sender            string
	Nonce             int64
	Raw               []byte
	By                string
	At                time.Time
}

// Wallet is the database's record of a hot wallet.
type Wallet struct {
	Sender string
	Chain  int64
	Next   int64 // nonce
	By     string
	At     time.Time
}

const (
	maxPayouts = 500 // in a batch
	maxNote    = 300
	inFlight   = 16 // nodes keep few pending transactions of one sender
	// mostRefused limits the refused payouts of a round.
	mostRefused = 20
	capWindow   = 24 * time.Hour
)

// Chain is the blockchain: *chain.Client.
type Chain interface {
	Sender() string // the hot wallet, or empty
	ChainID() int64
	// Sign signs a payment without broadcasting it.
	Sign(ctx context.Context, o evm.Order) (evm.Signed, error)
	Broadcast(ctx context.Context, raw []byte) error
	// Void signs a transaction that uses a nonce up and pays nobody.
	Void(ctx context.Context, nonce int64) (evm.Signed, error)
	// Used returns how many nonces of a sender are used.
	Used(ctx context.Context, sender string) (evm.Nonces, error)
	// Transfers returns the transfers that match a search.
	Transfers(ctx context.Context, s evm.Search) ([]evm.Transfer, error)
	// Verify checks whether a transaction paid.
	Verify(ctx context.Context, hash string, e evm.Expectation) evm.Verdict
}

func wrongState(p Payout) error {
	return errs.New(errs.Conflict, "payout.state", "The payout of withdrawal {withdrawal} is {state}.", "withdrawal", p.Withdrawal, "state", p.State)
}

// Cashier decides what may leave and mails members: *cashier.Service.
type Cashier interface {
	Payable(ctx context.Context, tx *ledger.Tx, limit int64) ([]withdrawal.Withdrawal, error)
	MayLeave(ctx context.Context, tx *ledger.Tx, w withdrawal.Withdrawal) error
	SetBatch(ctx context.Context, tx *ledger.Tx, id, batch int64) (withdrawal.Withdrawal, error)
	SentIn(ctx context.Context, tx *ledger.Tx, by actor.By, id int64, hash string) error
	FailedIn(ctx context.Context, tx *ledger.Tx, by actor.By, id int64, why string) error
	ConfirmIn(ctx context.Context, tx *ledger.Tx, by actor.By, id int64) error
}

// server is the actor of hot wallet payments.
var server = actor.By{Name: "hot wallet"}
