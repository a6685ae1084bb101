// Package actor identifies the callers of commands, as the ledger and the audit log
// record them.
package actor

import "strconv"

// OperatorPrefix precedes an operator's number in the ledger.
const OperatorPrefix = "operator:"

// By is an operator. Operator 0 is a person at the command line, or the server itself;
// the name tells which.
type By struct {
	Operator int64
	Name     string // the e-mail address
	local    bool
}

// CommandLine is a person at the server's command line. Only there a single person may
// approve an act that needs two operators, so no other code makes such a By.
func CommandLine(name string) By { return By{Name: name, local: true} }

// Is reports whether both are the same person: by the name at the command line, else by
// the operator's number, because names can change.
func (b By) Is(other By) bool {
	return b.Operator == other.Operator && (b.Operator != 0 || b.Name == other.Name)
}

// Local reports whether the caller is at the command line.
func (b By) Local() bool { return b.local }

// Key is the actor of the operator's commands in the ledger.
func (b By) Key() string { return Operator(b.Operator) }

// Operator is the ledger's name of an operator; 0 is the command line.
func Operator(id int64) string {
	if id == 0 {
		return "command line"
	}
	return OperatorPrefix + strconv.FormatInt(id, 10)
}

// Member is the ledger's name of a member.
func Member(uid int64) string { return "member:" + strconv.FormatInt(uid, 10) }
