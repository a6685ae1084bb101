package config

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/platform/eip55"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/platform/xpub"
)

// chainSettings are the settings of the chain and of payouts on it.
var chainSettings = []setting{
	{"chain_rpc_urls", "LIST", "none: the chain is not used", parseChainURLs, "JSON-RPC addresses of nodes (https://…,https://…); two are compared"},
	{"chain_id", "NUMBER", "56: BNB Smart Chain", parseCount(func(c *Config) *int64 { return &c.ChainID }, 1<<53), "the chain's ID; nodes of another chain are rejected"},
	{"chain_token", "ADDRESS", "USDT on BNB Smart Chain", parseAddress(func(c *Config) *string { return &c.ChainToken }), "the contract of the token for payments"},
	{"chain_receiver", "ADDRESS", "the brand's USDT address", parseAddress(func(c *Config) *string { return &c.ChainReceiver }), "the company's address for deposits; a brand file with another one is refused"},
	{"chain_confirmations", "NUMBER", "12", parseCount(func(c *Config) *int64 { return &c.ChainConfirmations }, 10_000), "how many blocks deep a payment must be to count"},
	{"chain_allow_private", "BOOL", "false", parseBool(func(c *Config) *bool { return &c.ChainAllowPrivate }), "true allows nodes with private addresses, and http"},
	{"deposit_xpub", "XPUB,…", "none: one address for everybody", parseDepositXpub, "account key (m/44'/60'/0', xpub) of members' addresses, followed by former ones"},
	{"deposit_minimum", "DOLLARS", "1", parseDollars(func(c *Config) *money.Amount { return &c.DepositMinimum }), "smaller payments make no fund request: they are only listed for operators"},
	{"deposit_intent_time", "TIME", "2h", parseTime(func(c *Config) *time.Duration { return &c.DepositIntentTime }, 10*time.Minute, 48*time.Hour, "from 10m to 48h"), "how long an announced payment may take to arrive, 10m to 48h"},
	{"hot_wallet_key_file", "FILE", "none: the server makes no payouts", notEmpty(func(c *Config) *string { return &c.HotWalletKeyFile }), "the key of the wallet that pays; only its owner may read the file"},
	{"hot_wallet_key", "TEXT", "none", parseHotWalletKey, "the key itself; only as BIFOLIA_HOT_WALLET_KEY"},
	{"payout_daily_cap", "DOLLARS", "5000", parseDollars(func(c *Config) *money.Amount { return &c.PayoutDailyCap }), "the maximum that the hot wallet pays in 24 hours"},
	{"payout_max_gas_gwei", "NUMBER", "20", parseCount(func(c *Config) *int64 { return &c.PayoutMaxGasGwei }, 1_000_000), "the maximum gas price of a payout"},
}

// parseChainURLs never repeats the value: providers put secret keys into it.
func parseChainURLs(c *Config, v string) error {
	list := listed(v)
	for _, part := range list {
		u, err := url.Parse(part)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.Fragment != "" {
			return errors.New("the value is not a list of addresses such as https://HOST/PATH")
		}
	}
	c.ChainURLs = list
	return nil
}

// chainHosts returns the nodes without the parts of their addresses that may be secret.
func (c Config) chainHosts() string {
	hosts := make([]string, 0, len(c.ChainURLs))
	for _, text := range c.ChainURLs {
		if u, err := url.Parse(text); err == nil && u.Host != "" {
			hosts = append(hosts, u.Host)
		} else {
			hosts = append(hosts, text) // it was redacted before
		}
	}
	return strings.Join(hosts, ",")
}

// parseDepositXpub never repeats the value: it may be a private key, and the
// public one shows every deposit.
func parseDepositXpub(c *Config, v string) error {
	var list []string
	for part := range strings.SplitSeq(v, ",") {
		part = strings.TrimSpace(part)
		if _, err := xpub.Parse(part); err != nil {
			return err
		}
		list = append(list, part)
	}
	c.DepositXpub = list
	return nil
}

func parseAddress(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, v string) error {
		address, ok := eip55.Parse(strings.TrimSpace(v))
		if !ok {
			return fmt.Errorf("%s is not an address (0x and 40 digits), or its checksum is wrong", quote(v))
		}
		*field(c) = address
		return nil
	}
}

func parseCount(field func(*Config) *int64, most int64) func(*Config, string) error {
	return func(c *Config, v string) error {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < 1 || n > most {
			return fmt.Errorf("%s is not a number from 1 to %d", quote(v), most)
		}
		*field(c) = n
		return nil
	}
}

// parseHotWalletKey never repeats the value.
func parseHotWalletKey(c *Config, v string) error {
	digits := strings.TrimPrefix(strings.TrimSpace(v), "0x")
	if len(digits) != 64 || strings.Trim(strings.ToLower(digits), "0123456789abcdef") != "" {
		return errors.New("the value is not a key: 64 digits from 0 to f")
	}
	c.HotWalletKey = digits
	return nil
}

// checkChain returns the mistakes in combinations of valid settings.
func (c *Config) checkChain(given layer) (wrong []string) {
	has := func(key string) bool { _, ok := given[key]; return ok }
	say := func(key, sentence string) { wrong = append(wrong, given[key].origin+": "+sentence) }
	if has("hot_wallet_key") && has("hot_wallet_key_file") {
		say("hot_wallet_key", "hot_wallet_key_file is given too; give one of them")
	}
	if has("hot_wallet_key") && given["hot_wallet_key"].origin != envPrefix+"HOT_WALLET_KEY" {
		say("hot_wallet_key", "a key may only be given in the environment or in a separate file (hot_wallet_key_file)")
	}
	for _, key := range []string{"hot_wallet_key", "hot_wallet_key_file", "deposit_xpub"} {
		if has(key) && !has("chain_rpc_urls") {
			say(key, "chain_rpc_urls is missing beside it")
		}
	}
	return wrong
}
