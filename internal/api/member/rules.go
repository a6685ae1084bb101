package member

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/people/auth"
)

// moneyRules are the rules that a form shows before anything is sent.
type moneyRules struct {
	Min         httpx.USD `json:"withdrawMin" doc:"The minimum withdrawal from an income wallet; unused funds have no minimum."`
	ChargePPM   int64     `json:"withdrawChargePPM" doc:"The fee on income withdrawals in parts per million; unused funds have no fee."`
	Daily       httpx.USD `json:"withdrawDaily" doc:"The most that a member can withdraw on one day."`
	WalletHours int64     `json:"walletWaitHours" doc:"The hours for which withdrawals pause after a change of the wallet address."`
	AccessHours int64     `json:"accessWaitHours" doc:"The hours for which withdrawals pause after a change of the password, the transaction password or the e-mail address."`
	CodeMinutes int64     `json:"codeMinutes" doc:"How long a one-time code can be used."`
	CoolingDays int64     `json:"coolingOffDays" doc:"So long a Robot package can be given back."`
	BankDetails bool      `json:"bankDetails" doc:"Whether members keep bank details here."`
}

func (c *Calls) moneyRules(ctx context.Context, _ *struct{}) (*httpx.Reply[moneyRules], error) {
	p, err := c.Report.Plan(ctx)
	if err != nil {
		return nil, err
	}
	return httpx.NewReply(moneyRules{
		Min: httpx.ToUSD(p.Withdraw.Min), ChargePPM: p.Withdraw.ChargePPM, Daily: httpx.ToUSD(c.Cashier.Limits().MemberDaily),
		WalletHours: int64(auth.WalletWait / time.Hour), AccessHours: int64(auth.AccessWait / time.Hour),
		CodeMinutes: int64(withdrawal.CodeLife / time.Minute), CoolingDays: p.CoolingOffDays, BankDetails: c.Features.BankDetails,
	}), nil
}
