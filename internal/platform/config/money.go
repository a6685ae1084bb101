package config

import (
	"fmt"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// moneySettings bound what comes and leaves by operators' hands.
var moneySettings = []setting{
	{
		key: "fund_two_above", arg: "DOLLARS", byDef: "10000", numeric: true,
		parse: parseDollars(func(c *Config) *money.Amount { return &c.FundTwoAbove }),
		help:  "above it crediting a fund request by hand takes two operators; 0: always",
	},
	{
		key: "fund_alone_daily", arg: "DOLLARS", byDef: "5000", numeric: true,
		parse: parseDollars(func(c *Config) *money.Amount { return &c.FundAloneDaily }),
		help:  "what one operator may credit by hand alone within 24 hours, to all members together; 0: nothing",
	},
	{
		key: "withdraw_member_daily", arg: "DOLLARS", byDef: "5000", numeric: true,
		parse: parseDollars(func(c *Config) *money.Amount { return &c.WithdrawMemberDaily }),
		help:  "what one member may ask to withdraw on one day",
	},
	{
		key: "withdraw_total_daily", arg: "DOLLARS", byDef: "50000", numeric: true,
		parse: parseDollars(func(c *Config) *money.Amount { return &c.WithdrawTotalDaily }),
		help:  "what all members together may",
	},
	{
		key: "withdraw_two_above", arg: "DOLLARS", byDef: "1000", numeric: true,
		parse: parseDollars(func(c *Config) *money.Amount { return &c.WithdrawTwoAbove }),
		help:  "above it a withdrawal takes two operators; 0: always",
	},
	{
		key: "withdraw_factor_above", arg: "DOLLARS", byDef: "0", numeric: true,
		parse: parseDollars(func(c *Config) *money.Amount { return &c.WithdrawFactorAbove }),
		help:  "above it a member needs a second factor to withdraw; 0: never",
	},
}

func parseDollars(field func(*Config) *money.Amount) func(*Config, string) error {
	return func(c *Config, v string) error {
		a, err := money.Parse(v)
		if err != nil || a.Sign() < 0 {
			return fmt.Errorf("%s is not an amount in dollars such as 5000", quote(v))
		}
		*field(c) = a
		return nil
	}
}
