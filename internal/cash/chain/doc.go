// Package chain reads and pays one token on one EVM chain: it checks whether a
// transaction made an expected payment, and it signs and broadcasts payments. It is the
// only package that imports go-ethereum.
//
// Nodes are queried over JSON-RPC (rpc.go) through a client that reaches the configured
// hosts only (guard.go). If there is more than one node, no single one is trusted: at
// least two must answer, and all answers must agree (view.go). Their view is compared
// with the expectation (verify.go): a payment counts if its block is part of the chain
// and has enough confirmations. Amounts on the chain are units of the token, whose
// contract defines its decimals (token.go). The ledger counts micro-dollars and drops
// smaller fractions.
//
// To pay, a transaction is signed (wallet.go, sign.go) and returned to the caller, which
// stores it before it is broadcast. The same transaction can be broadcast any number of
// times and pays once.
package chain
