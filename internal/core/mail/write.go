package mail

// The parts of each letter, in order.

func (m Welcome) write(l *letter) {
	l.say("ready")
	l.facts("userId", "transactionPassword")
	l.link("confirm", secret(addressPath, "userid", m.UserID, "confirm", m.Token))
	l.link("login", loginPath)
	l.say("choose")
}

func (m Password) write(l *letter) {
	l.say("asked")
	l.link("choose", secret(forgotPath, "userid", m.UserID, "reset", m.Token))
	l.say("orTemporary")
	l.facts("userId", "temporary")
	l.link("login", loginPath)
	l.say("once", "ignore")
}

func (m PasswordChanged) write(l *letter) {
	help := l.owner(m.UserID)
	l.say("changed", "fine")
	l.link("otherwise", help)
}

func (m PasswordCode) write(l *letter) {
	l.say("code")
	l.quote(m.Code)
	l.say("valid", "ignore")
}

func (m SignedIn) write(l *letter) {
	help := l.owner(m.UserID)
	l.say("signedIn")
	l.facts("address", "device")
	l.say("fine")
	l.link("otherwise", help)
}

func (m SessionEnded) write(l *letter) {
	help := l.owner(m.UserID)
	l.say("ended", "again")
	l.link("otherwise", help)
}

func (TransactionPasswordChanged) write(l *letter) {
	l.say("changed", "fine")
	l.link("otherwise", forgotPath)
}

func (m TransactionPasswordReset) write(l *letter) {
	l.choose(m.Asked, "asked", "sent")
	l.say("set")
	l.facts("userId", "transactionPassword")
	l.link("choose", loginPath)
	if !m.AtOnce {
		l.say("waits")
	}
	if m.Asked {
		l.link("otherwise", forgotPath)
	}
	l.link("tell", askPath)
}

func (m EmailConfirm) write(l *letter) {
	l.link("confirm", secret(addressPath, "userid", m.UserID, "confirm", m.Token))
	if m.Forgotten {
		l.link("forgotten", forgotPath)
		l.say("support")
	}
	l.say("ignore")
}

func (m EmailAsked) write(l *letter) {
	l.args["newEmail"] = mask(m.NewEmail)
	l.say("entered", "fine")
	l.link("cancel", securityPath)
	l.link("thenSet", forgotPath)
}

func (m EmailChanged) write(l *letter) {
	l.args["newEmail"] = mask(m.NewEmail)
	l.say("changed", "fine")
	if m.Token == "" {
		l.link("otherwise", loginPath)
	} else {
		l.link("undo", secret(addressPath, "userid", m.UserID, "undo", m.Token))
	}
}

func (m EmailUndone) write(l *letter) {
	l.choose(m.Gone, "gone", "back")
	l.say("undone")
	if !m.Gone {
		l.link("set", forgotPath)
	}
	l.link("tell", askPath)
}

func (m WalletChanged) write(l *letter) {
	l.args["wallet"] = shorten(m.Wallet)
	l.say("changed", "waits", "fine")
	l.link("otherwise", loginPath)
}

func (BankChanged) write(l *letter) {
	l.say("changed", "fine")
	l.link("changeAndTell", loginPath)
}

func (m NewsletterConfirm) write(l *letter) {
	l.link("confirm", m.Confirm)
	l.say("valid")
	l.link("end", m.End)
}

func (m DepositAddress) write(l *letter) {
	l.choose(m.CalledOff != "", "calledOff", "planned")
	l.say("told")
	l.facts("now", "then")
	compare := "compare"
	if m.CalledOff != "" {
		compare = ""
	}
	l.link(compare, adminPath+"/settings")
}

func (FactorSet) write(l *letter) {
	l.say("set")
	l.link("tellOwner", adminPath)
}

func (FactorReset) write(l *letter) {
	l.say("reset")
	l.facts("reason")
	l.link("again", adminPath)
	l.say("otherwise")
}

func (m PasskeyChanged) write(l *letter) {
	l.choose(m.Added, "added", "removed")
	l.say("changed")
	l.link("tellOwner", adminPath)
}

func (PasskeyRefused) write(l *letter) {
	l.say("refused")
	l.link("remove", adminPath)
}

func (m SecondFactor) write(l *letter) {
	l.as = string(m.Event)
	l.say("told")
	if m.Waits() {
		l.say("waits")
	}
	l.say("fine")
	l.link("askAndTell", forgotPath)
}

func (m SecondNeeded) write(l *letter) {
	l.say("waits")
	l.quote(m.What)
	if m.By != "" {
		l.facts("by")
	}
	l.link("look", adminPath+m.Screen)
}

func (m OperatorInvited) write(l *letter) {
	l.link("choose", secret(adminPath+"/accept", "operator", m.Operator, "token", m.Token))
	l.say("afterwards", "ignore")
}

func (m TicketAnswered) write(l *letter) {
	l.say("answered")
	l.quote(m.Answer)
	l.say("asked")
	l.quote(m.Query)
	l.link("all", askPath)
}

func (FundReceived) write(l *letter) {
	l.say("received")
	l.facts("amount", "fund", "number")
	l.say("checked")
	l.link("otherwise", loginPath)
}

func (m FundDecided) write(l *letter) {
	l.choose(m.Approved, "approved", "rejected")
	l.say("decided", "credited")
	if m.Remark != "" {
		l.facts("remark")
	}
	l.link("account", loginPath)
}

func (m Withdrawal) write(l *letter) {
	l.args["address"] = shorten(m.Address)
	l.say("state")
	facts := []string{"amount", "paid", "to"}
	if m.Hash != "" {
		facts = append(facts, "hash")
	}
	l.facts(facts...)
	if m.Waits != "" {
		l.say("waits")
	}
	if m.State == "Rejected" || m.State == "Cancelled" {
		l.say("back")
	}
	if m.Remark != "" {
		l.facts("remark")
	}
	l.link("otherwise", loginPath)
}

func (m WithdrawalCode) write(l *letter) {
	l.args["address"] = shorten(m.Address)
	l.say("is")
	l.facts("code")
	if m.Amount != "" {
		l.say("only")
		l.facts("amount", "from", "to")
	}
	l.say("once")
	l.link("otherwise", loginPath)
}

func (m TransferSent) write(l *letter) {
	l.choose(m.Bought, "bought", "sent")
	l.say("told")
	l.facts("amount", "to", "time")
	l.say("receipt")
	l.link("otherwise", forgotPath)
	l.link("tell", askPath)
}
