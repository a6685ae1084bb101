package config

import (
	"fmt"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// moneySettings are the limits of deposits and withdrawals.
var moneySettings = []setting{
	{"fund_two_above", "DOLLARS", "10000", parseDollars(func(c *Config) *money.Amount { return &c.FundTwoAbove }), "above it two operators must approve a fund request credited by hand; 0: always"},
	{"fund_alone_daily", "DOLLARS", "5000", parseDollars(func(c *Config) *money.Amount { return &c.FundAloneDaily }), "the maximum that one operator can credit by hand alone within 24 hours, to all members together; 0: nothing"},
	{"withdraw_member_daily", "DOLLARS", "5000", parseDollars(func(c *Config) *money.Amount { return &c.WithdrawMemberDaily }), "the maximum that one member can request to withdraw on a day"},
	{"withdraw_total_daily", "DOLLARS", "50000", parseDollars(func(c *Config) *money.Amount { return &c.WithdrawTotalDaily }), "the maximum for all members together"},
	{"withdraw_two_above", "DOLLARS", "1000", parseDollars(func(c *Config) *money.Amount { return &c.WithdrawTwoAbove }), "above it a withdrawal needs two operators; 0: always"},
	{"withdraw_factor_above", "DOLLARS", "0", parseDollars(func(c *Config) *money.Amount { return &c.WithdrawFactorAbove }), "above it a member needs a second factor to withdraw; 0: never"},
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
