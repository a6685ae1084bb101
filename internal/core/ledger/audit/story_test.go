package audit_test

// story is a small ledger in which everything happens that the format knows:
// deposits, sales, pools, incomes, profit, holds of every end, a reversal,
// batches without transfers and without anything.
func story() *maker {
	m := newMaker()
	m.keep = true
	const fund7, fund8, fund9 = "L:FUND:FUNDS:100007", "L:FUND:FUNDS:100008", "L:FUND:FUNDS:100009"
	m.command("u100007", "dep-1", []byte(`{"ok":true}`), func() {
		m.post("deposit", "", usd("A:CLIENT", 1000), usd(fund7, 1000))
	})
	m.command("u100008", "dep-1", []byte(`{"ok":true}`), func() {
		m.post("deposit", "", usd("A:CLIENT", 2000), usd(fund8, 2000))
	})
	m.seal() // batch 1: transfers 1, 2

	m.command("u100007", "buy-1", []byte(`{"sale":"s1"}`), func() {
		m.post("buy", "Robot, one year", usd(fund7, -300), usd("L:DEFERRED:s1", 300))
	})
	m.seal() // batch 2: transfer 3

	m.command("u100007", "wd-1", []byte(`{"hold":1}`), func() { m.place(fund7, 100, "; withdrawal") })
	m.place(fund8, 50, "")
	m.seal() // batch 3: transfers 4, 5: holds 1, 2

	m.command("op", "final-s1", nil, func() {
		m.post("sale.final", "", usd("L:DEFERRED:s1", -300), usd("P:LEVEL", 60), usd("P:MATCH", 60), usd("E:COMPANY", 180),
			usd("A:CLIENT", -300), usd("A:FIELD", 120), usd("A:OPERATING", 180))
		m.post("expense", "rent", usd("A:OPERATING", -500), usd("E:COMPANY", -500))
	})
	m.seal() // batch 4: transfers 6, 7; the company is below zero

	m.head.Epoch = 3
	m.post("income.level", "", usd("P:LEVEL", -40), usd("L:INCOME:Level:100008", 30), usd("L:HELD:Level:100009", 10))
	m.post("income.match", "", usd("P:MATCH", -20), usd("L:INCOME:Matching:100008", 20))
	m.post("income.release", "", usd("L:HELD:Level:100009", -10), usd("L:INCOME:Level:100009", 10))
	m.seal() // batch 5: transfers 8, 9, 10

	m.command("op", "pay-1", []byte("paid"), func() {
		m.release(1, "withdraw", "settled", usd(fund7, -100), usd("A:CLIENT", -100))
	})
	m.command("u100008", "cancel-1", []byte("void"), func() { m.release(2, "hold.void", "voided") })
	m.place(fund8, 70, "; still open")
	m.place(fund8, 80, "; will expire")
	m.release(4, "hold.expire", "expired")
	m.seal() // batch 6: transfers 11 … 15: holds 3, 4

	m.command("u100008", "invest-1", []byte("p1"), func() {
		m.post("invest", "", usd(fund8, -500), usd("L:PRINCIPAL:FOREX:100008:p1", 500), usd("A:CLIENT", -500), usd("A:TRADING:FOREX", 500))
	})
	m.post("profit", "", usd("A:TRADING:FOREX", 50), usd("L:ROI_HELD:FOREX", 50))
	m.post("roi", "", usd("L:ROI_HELD:FOREX", -20), usd("L:INCOME:ForexROI:100008", 20))
	m.seal() // batch 7: transfers 16, 17, 18

	m.seal() // batch 8: nothing at all

	m.command("u100009", "hello-1", []byte{}, func() {})
	m.seal() // batch 9: a command that posts nothing

	m.post("deposit", "", usd("A:CLIENT", 25), usd(fund9, 25))
	m.post("reverse", "typing error", usd("A:CLIENT", -25), usd(fund9, -25)).Reverses = 19
	m.post("deposit", "", usd("A:CLIENT", 5), usd(fund9, 5))
	m.seal() // batch 10: transfers 19, 20, 21
	return m
}
