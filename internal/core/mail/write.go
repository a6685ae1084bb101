package mail

import "strings"

// The parts of each letter, in order.

func (m Welcome) write(l *letter) {
	l.say("ready")
	l.facts("userId", "transactionPassword")
	l.say("confirm")
	l.button("button", secret(addressPath, "userid", m.UserID, "confirm", m.Token))
	l.link("login", loginPath)
	l.link("choose", pinPath)
}

func (m Password) write(l *letter) {
	l.say("asked", "choose")
	l.button("button", secret(forgotPath, "userid", m.UserID, "reset", m.Token))
	l.say("orTemporary")
	l.facts("userId", "temporary")
	l.link("login", loginPath)
	l.note("once", "ignore")
}

func (m PasswordChanged) write(l *letter) {
	member := l.member(m.UserID)
	l.say("changed", "fine")
	l.safety(member)
}

func (m PasswordCode) write(l *letter) {
	l.say("code")
	l.code("digits")
	l.say("valid")
	l.note("ignore")
}

func (m SignedIn) write(l *letter) {
	member := l.member(m.UserID)
	l.say("signedIn")
	l.facts("address", "device", "date")
	l.say("fine")
	l.safety(member)
}

func (m SessionEnded) write(l *letter) {
	member := l.member(m.UserID)
	l.say("ended", "again")
	l.safety(member)
}

// safety is the button of a mail about a sign-in or a password, and what to do if somebody
// else has acted.
func (l *letter) safety(member bool) {
	if !member {
		l.button("openConsole", adminPath)
		l.note("tellOwner")
		return
	}
	l.button("review", securityPath)
	l.notYou()
}

func (TransactionPasswordChanged) write(l *letter) {
	l.say("changed", "fine")
	l.safety(true)
}

func (m TransactionPasswordReset) write(l *letter) {
	l.choose(m.Asked, "asked", "sent")
	l.say("set")
	l.facts("userId", "transactionPassword")
	l.say("choose")
	if !m.AtOnce {
		l.say("waits")
	}
	l.button("button", pinPath)
	if m.Asked {
		l.link("secure", forgotPath)
	}
	l.link("tell", askPath)
}

func (m EmailConfirm) write(l *letter) {
	l.say("confirm")
	l.button("button", secret(addressPath, "userid", m.UserID, "confirm", m.Token))
	if m.Forgotten {
		l.link("forgotten", forgotPath)
		l.note("support")
	}
	l.note("ignore")
}

func (m EmailAsked) write(l *letter) {
	l.args["newEmail"] = mask(m.NewEmail)
	l.say("entered")
	l.facts("new", "date")
	l.say("fine", "cancel")
	l.button("button", securityPath)
	l.link("thenSet", forgotPath)
}

func (m EmailChanged) write(l *letter) {
	l.args["newEmail"] = mask(m.NewEmail)
	l.say("changed")
	l.facts("new", "date")
	l.say("fine")
	if m.Token == "" {
		l.say("otherwise")
		l.button("login", loginPath)
		return
	}
	l.say("undo")
	l.button("button", secret(addressPath, "userid", m.UserID, "undo", m.Token))
}

func (m EmailUndone) write(l *letter) {
	l.choose(m.Gone, "gone", "back")
	l.say("undone")
	if m.Gone {
		l.say("tell")
		l.button("button", askPath)
		return
	}
	l.say("set")
	l.button("button", forgotPath)
	l.link("tell", askPath)
}

func (m WalletChanged) write(l *letter) {
	l.args["wallet"] = shorten(m.Wallet)
	l.say("changed")
	l.facts("new", "date")
	l.say("waits", "fine")
	l.button("button", walletPath)
	l.notYou()
}

func (BankChanged) write(l *letter) {
	l.say("changed", "fine")
	l.button("button", profilePath)
	l.notYou()
}

func (m NewsletterConfirm) write(l *letter) {
	l.say("confirm")
	l.button("button", m.Confirm)
	l.note("valid")
	l.link("end", m.End)
}

func (m DepositAddress) write(l *letter) {
	l.choose(m.CalledOff != "", "calledOff", "planned")
	l.say("told")
	l.facts("now", "then")
	if m.CalledOff == "" {
		l.say("compare")
	}
	l.button("button", adminPath+"/settings")
}

func (FactorSet) write(l *letter) {
	l.say("set")
	l.safety(false)
}

func (FactorReset) write(l *letter) {
	l.say("reset")
	l.facts("cause")
	l.say("again")
	l.button("openConsole", adminPath)
	l.note("otherwise")
}

func (m PasskeyChanged) write(l *letter) {
	l.choose(m.Added, "added", "removed")
	l.say("changed")
	l.facts("passkey", "date")
	l.safety(false)
}

func (PasskeyRefused) write(l *letter) {
	l.say("refused")
	l.facts("passkey", "address", "date")
	l.say("remove")
	l.safety(false)
}

func (m SecondFactor) write(l *letter) {
	l.as = string(m.Event)
	l.say("told")
	if m.Waits() {
		l.say("waits")
	}
	l.say("fine")
	l.button("review", securityPath)
	l.notYou()
}

func (m SecondNeeded) write(l *letter) {
	l.say("waits")
	l.quote(m.What)
	if m.By != "" {
		l.facts("by")
	}
	l.button("button", adminPath+m.Screen)
}

func (m OperatorInvited) write(l *letter) {
	l.say("choose")
	l.button("button", secret(adminPath+"/accept", "operator", m.Operator, "token", m.Token))
	l.say("afterwards")
	l.note("ignore")
}

func (m TicketAnswered) write(l *letter) {
	l.say("answered")
	l.quote(m.Answer)
	l.say("asked")
	l.quote(m.Query)
	l.button("button", askPath)
}

// fundsPath is the list of fund requests.
func fundsPath(byUSDT bool) string {
	if byUSDT {
		return usdtFundsPath
	}
	return bankFundsPath
}

func (m FundReceived) write(l *letter) {
	l.say("received")
	l.facts("request", "amount", "fund", "number")
	l.button("button", fundsPath(m.USDT))
	l.notYou()
}

func (m FundDecided) write(l *letter) {
	l.choose(m.Approved, "approved", "rejected")
	l.say("decided")
	facts := []string{"request", "amount", "fund", "date"}
	if m.Remark != "" {
		facts = append(facts, "remark")
	}
	l.facts(facts...)
	l.button("button", fundsPath(m.USDT))
	if !m.Approved {
		l.link("tell", askPath)
	}
}

func (m Withdrawal) write(l *letter) {
	l.args["address"], l.args["net"] = shorten(m.Address), USDT(m.Net)
	l.as = strings.ToLower(m.State)
	l.say("told")
	facts := []string{"number", "amount"}
	if !m.Fee.IsZero() {
		facts = append(facts, "fee")
	}
	facts = append(facts, "net", "to")
	if m.Hash != "" {
		facts = append(facts, "hash")
	}
	if m.Remark != "" {
		facts = append(facts, "remark")
	}
	l.facts(facts...)
	if !m.Waits.IsZero() {
		l.say("waits")
	}
	l.button("button", withdrawalsPath)
	switch m.State {
	case "Pending":
		l.link("cancel", withdrawPath)
		l.notYou()
	case "Rejected":
		l.link("tell", askPath)
	default:
		l.notYou()
	}
}

func (m WithdrawalCode) write(l *letter) {
	l.args["address"] = shorten(m.Address)
	l.say("is")
	l.code("code")
	if !m.Amount.IsZero() {
		l.say("only")
		l.facts("amount", "from", "to")
	}
	l.say("once")
	l.button("button", withdrawPath)
	l.notYou()
}

func (TransferSent) write(l *letter) {
	l.say("told")
	l.facts("amount", "to", "from", "date")
	l.say("receipt")
	l.button("button", transferPath)
	l.notYou()
}

func (TransferReceived) write(l *letter) {
	l.say("told")
	l.facts("amount", "from", "to", "date")
	l.button("button", receivedPath)
}

func (m PackageBought) write(l *letter) {
	l.choose(m.For == 0, "own", "other")
	l.say("told")
	facts := []string{"package", "amount", "from"}
	if m.For != 0 {
		facts = append(facts, "for")
	}
	l.facts(append(facts, "date")...)
	if m.Days > 0 {
		l.say("return")
	}
	l.button("button", packagesPath)
	l.notYou()
}

func (PackageGiven) write(l *letter) {
	l.say("told")
	l.facts("package", "amount", "from", "date")
	l.button("button", packagesPath)
}

func (m PackageReturned) write(l *letter) {
	l.choose(m.Fund != "", "payer", "owner")
	l.say("told")
	l.facts("package", "amount", "date")
	l.button("button", packagesPath)
	if m.Fund != "" {
		l.notYou()
	}
}

// investmentsPath is the list of a line's investments.
func investmentsPath(line string) string {
	if line == "CRYPTO" {
		return "/CryptoActHistory"
	}
	return "/ForexActHistory"
}

// claimsPath is the list of a line's claims.
func claimsPath(line string) string {
	if line == "CRYPTO" {
		return "/WithdrawalClaimCrypto"
	}
	return "/WithdrawalClaim"
}

// lineName is a line as people read it: Forex for FOREX.
func (l *letter) lineName(line string) {
	if line != "" {
		l.args["line"] = line[:1] + strings.ToLower(line[1:])
	}
}

// terms prepares the terms of an investment.
func (l *letter) terms(t Terms) {
	l.lineName(t.Line)
	l.args["ends"] = l.moment("day", t.Ends)
}

func (m InvestmentMade) write(l *letter) {
	l.terms(m.Terms)
	l.choose(m.For == 0, "own", "other")
	l.say("told")
	facts := []string{"package", "amount", "from"}
	if m.For != 0 {
		facts = append(facts, "for")
	}
	l.facts(append(facts, "term", "ends", "split")...)
	l.note("risk")
	l.button("button", investmentsPath(m.Line))
	l.notYou()
}

func (m InvestmentGiven) write(l *letter) {
	l.terms(m.Terms)
	l.say("told")
	l.facts("package", "amount", "from", "term", "ends", "split")
	l.note("risk")
	l.button("button", investmentsPath(m.Line))
}

func (m ClaimReady) write(l *letter) {
	l.lineName(m.Line)
	l.say("told")
	l.facts("line", "amount", "net")
	l.button("button", claimsPath(m.Line))
}

func (m ClaimPaid) write(l *letter) {
	l.lineName(m.Line)
	l.say("told")
	l.facts("line", "amount", "net", "wallet", "date")
	l.button("button", withdrawPath)
	l.notYou()
}
