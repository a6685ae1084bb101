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

// chainSettings are how the chain is asked, and how money leaves by it.
var chainSettings = []setting{
	{
		key: "chain_rpc_urls", arg: "LIST", byDef: "none: nothing is looked up", parse: parseChainURLs,
		help: "JSON-RPC addresses of nodes (https://…,https://…); two are compared",
	},
	{
		key: "chain_id", arg: "NUMBER", byDef: "56: BNB Smart Chain", numeric: true,
		parse: parseCount(func(c *Config) *int64 { return &c.ChainID }, 1<<53),
		help:  "the chain's number; nodes of another one are not believed",
	},
	{
		key: "chain_token", arg: "ADDRESS", byDef: "USDT on BNB Smart Chain",
		parse: parseAddress(func(c *Config) *string { return &c.ChainToken }),
		help:  "the contract of the token that people pay with",
	},
	{
		key: "chain_receiver", arg: "ADDRESS", byDef: "the brand's USDT address",
		parse: parseAddress(func(c *Config) *string { return &c.ChainReceiver }),
		help:  "the company's address for deposits; a brand file with another one is refused",
	},
	{
		key: "chain_confirmations", arg: "NUMBER", byDef: "12", numeric: true,
		parse: parseCount(func(c *Config) *int64 { return &c.ChainConfirmations }, 10_000),
		help:  "how many blocks deep a payment must be to count",
	},
	{
		key: "chain_allow_private", arg: "BOOL", byDef: "false", boolean: true,
		parse: parseBool(func(c *Config) *bool { return &c.ChainAllowPrivate }),
		help:  "true lets nodes have private addresses, and http",
	},
	{
		key: "deposit_xpub", arg: "XPUB,…", byDef: "none: one address for everybody", parse: parseDepositXpub,
		help: "account key (m/44'/60'/0', xpub) that members' addresses come from; former ones after it",
	},
	{
		key: "deposit_minimum", arg: "DOLLARS", byDef: "1", numeric: true,
		parse: parseDollars(func(c *Config) *money.Amount { return &c.DepositMinimum }),
		help:  "a payment below it makes no fund request: it is only listed for operators",
	},
	{
		key: "deposit_intent_time", arg: "TIME", byDef: "2h", parse: parseIntentTime,
		help: "how long an announced payment may take to arrive, 10m to 48h",
	},
	{
		key: "hot_wallet_key_file", arg: "FILE", byDef: "none: the server pays nobody",
		parse: notEmpty(func(c *Config) *string { return &c.HotWalletKeyFile }),
		help:  "the key that the server pays with; only its owner may read the file",
	},
	{
		key: "hot_wallet_key", arg: "TEXT", byDef: "none", parse: parseHotWalletKey,
		help: "the key itself; only as BIFOLIA_HOT_WALLET_KEY, not where others see it",
	},
	{
		key: "payout_daily_cap", arg: "DOLLARS", byDef: "5000", numeric: true,
		parse: parseDollars(func(c *Config) *money.Amount { return &c.PayoutDailyCap }),
		help:  "what the hot wallet pays in 24 hours at most",
	},
	{
		key: "payout_max_gas_gwei", arg: "NUMBER", byDef: "20", numeric: true,
		parse: parseCount(func(c *Config) *int64 { return &c.PayoutMaxGasGwei }, 1_000_000),
		help:  "the most that a payout pays for gas",
	},
}

// parseChainURLs never repeats the value: providers put secret keys into it.
func parseChainURLs(c *Config, v string) error {
	var list []string
	for part := range strings.SplitSeq(v, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		u, err := url.Parse(part)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.Fragment != "" {
			return errors.New("the value is not a list of addresses such as https://HOST/PATH")
		}
		list = append(list, part)
	}
	c.ChainURLs = list
	return nil
}

// chainHosts are the nodes without what may be secret in their addresses.
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

func parseIntentTime(c *Config, v string) error {
	d, err := time.ParseDuration(v)
	if err != nil || d < 10*time.Minute || d > 48*time.Hour {
		return fmt.Errorf("%s is not a time from 10m to 48h", quote(v))
	}
	c.DepositIntentTime = d
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

// checkChain says what is wrong with settings that are each right by
// themselves.
func (c *Config) checkChain(given layer) (wrong []string) {
	has := func(key string) bool { _, ok := given[key]; return ok }
	say := func(key, sentence string) { wrong = append(wrong, given[key].origin+": "+sentence) }
	if has("hot_wallet_key") && has("hot_wallet_key_file") {
		say("hot_wallet_key", "hot_wallet_key_file is given too; give one of them")
	}
	if has("hot_wallet_key") && given["hot_wallet_key"].origin != envPrefix+"HOT_WALLET_KEY" {
		say("hot_wallet_key", "a key may stand in the environment, or in a file of its own (hot_wallet_key_file), and nowhere else")
	}
	for _, key := range []string{"hot_wallet_key", "hot_wallet_key_file", "deposit_xpub"} {
		if has(key) && !has("chain_rpc_urls") {
			say(key, "chain_rpc_urls is missing beside it")
		}
	}
	return wrong
}
