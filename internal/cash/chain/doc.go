// Package chain knows one token on one EVM chain: whether a transaction paid
// what somebody says it paid, and how to pay with it. It is the only package
// that knows go-ethereum.
//
// Nodes are asked over JSON-RPC (rpc.go) through a client that reaches the
// configured hosts and nothing else (guard.go). No single node is believed when
// there are two: at least two must answer, and all that answer must tell the
// same story (view.go). A story is judged in words that people understand
// (verify.go): it counts when the block it is in is still part of the chain and
// deep enough. Amounts on the chain are whole units of the token, as many as
// its contract says there are in a dollar (token.go); the ledger's are
// micro-dollars, and what is less than one of those does not count.
//
// To pay, a transaction is signed (wallet.go, sign.go) and handed to the caller,
// who keeps it before it is broadcast: the same transaction can be sent any
// number of times and pays once.
package chain
