package app

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	operatorapi "github.com/bifolia/bifolia/internal/api/operator"
	"github.com/bifolia/bifolia/internal/cash/chain"
	"github.com/bifolia/bifolia/internal/cash/depositwatch"
	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/job"
)

// chainInterval is the polling interval of the chain.
const chainInterval = 15 * time.Second

// openChain builds the services that use the chain: the watcher of deposits and the payer
// of withdrawals. Without nodes the chain is not asked, and payouts are lists for manual
// payment.
func (a *App) openChain(_ context.Context, registry *prometheus.Registry) error {
	c := &a.services
	opt := payout.Options{
		Do: a.ledger, Store: a.db.Payout(), Cashier: c.Cashier, Withdrawals: withdrawal.New(withdrawal.Options{Store: a.db.Withdrawal()}), AuditLog: c.AuditLog, Second: a.second,
		DailyCap: a.cfg.PayoutDailyCap, Demo: a.cfg.Demo, Log: a.log, Others: a.otherAdopters,
	}
	a.tasks = append(a.tasks, job.Task{Name: "take note of restores", Every: restoreCheckInterval, Run: a.holdIfRestored})
	if len(a.cfg.ChainURLs) == 0 {
		c.Payout = payout.New(opt)
		return nil
	}
	key, err := a.hotWallet()
	if err != nil {
		return err
	}
	client, err := chain.Open(chain.Options{
		URLs: a.cfg.ChainURLs, AllowPrivate: a.cfg.ChainAllowPrivate, ChainID: a.cfg.ChainID, Token: a.cfg.ChainToken, Confirmations: a.cfg.ChainConfirmations,
		Clock: a.clock, Log: a.log, Key: key, MaxGasPrice: a.cfg.PayoutMaxGasGwei,
	})
	if err != nil {
		return err
	}
	if key != nil {
		a.hotAddress = key.Address()
		a.log.Info("the server pays withdrawals from its hot wallet", "address", key.Address(), "daily_cap", a.cfg.PayoutDailyCap)
	}
	opt.Chain, a.paying = client, client
	c.Payout = payout.New(opt)
	c.Chain = &chainStatus{client, a.cfg.ChainToken, a.receiver, a.cfg.ChainConfirmations}
	a.watching = depositwatch.Options{
		Chain: client, Cashier: c.Cashier, Deposits: a.deposits, Members: c.Members, Receiver: a.receiver, Company: a.watchedAddress, Clock: a.clock, Log: a.log, Watch: chainMetrics(registry, client, c.Payout),
	}
	a.watch = depositwatch.New(a.watching)
	c.Watch, c.Balances, c.Confirmations = a.watch, client, a.cfg.ChainConfirmations
	a.tasks = append(a.tasks,
		job.Task{Name: "watch the chain", Every: chainInterval, Run: a.watch.Run},
		job.Task{Name: "pay withdrawals", Every: chainInterval, Run: c.Payout.Run},
	)
	return nil
}

// receiver is the configured address for deposits, unless operators have set another
// since: then that one, which members are shown.
func (a *App) receiver() string {
	if a.services.Settings.StoredAddress() {
		return ""
	}
	return a.cfg.ChainReceiver
}

// hotWallet is the key that the server pays with; nil if there is none.
func (a *App) hotWallet() (*chain.Key, error) {
	switch {
	case a.cfg.HotWalletKeyFile != "":
		return chain.ReadKey(a.cfg.HotWalletKeyFile)
	case a.cfg.HotWalletKey != "":
		return chain.ParseKey(a.cfg.HotWalletKey)
	}
	return nil, nil
}

// chainStatus reports the status of the chain to operators.
type chainStatus struct {
	client        *chain.Client
	token         string
	receiver      func() string
	confirmations int64
}

func (s *chainStatus) Status(ctx context.Context) operatorapi.ChainStatus {
	out := operatorapi.ChainStatus{ID: s.client.ChainID(), Token: s.token, Receiver: s.receiver(), Confirmations: s.confirmations, Wallet: s.client.Sender()}
	limit, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if out.Wallet != "" {
		var err error
		if out.Funds, out.GasGwei, err = s.client.Funds(limit); err != nil {
			out.Unknown = true
		}
	}
	s.client.Greet(limit)
	for _, h := range s.client.Health() {
		out.Nodes = append(out.Nodes, operatorapi.ChainNode{Host: h.Host, Up: h.Up, Block: int64(min(h.Block, 1<<62)), At: h.At, Error: h.Err})
	}
	return out
}

// chainMetrics registers the metrics of the chain and returns the function that counts
// verdicts.
func chainMetrics(registry *prometheus.Registry, client *chain.Client, payouts *payout.Service) func(evm.State) {
	verdicts := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "bifolia_chain_verdicts_total", Help: "Fund requests looked up, by what was found."}, []string{"state"})
	registry.MustRegister(verdicts,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "bifolia_chain_nodes_down", Help: "Nodes that did not answer when they were last asked."}, func() float64 {
			down := 0
			for _, h := range client.Health() {
				if !h.Up && h.Err != chain.NotAsked {
					down++
				}
			}
			return float64(down)
		}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "bifolia_payout_standing_still", Help: "1 when the hot wallet should pay and does not."}, func() float64 {
			return flag(payouts.Trouble().Message != "")
		}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "bifolia_payout_failed", Help: "Payouts that failed and wait for a person."}, func() float64 {
			return float64(payouts.FailedNow())
		}),
	)
	return func(s evm.State) { verdicts.WithLabelValues(string(s)).Inc() }
}

// verifyPayment asks the chain whether a transaction paid; false without a chain.
func (a *App) verifyPayment(ctx context.Context, hash string, e evm.Expectation) (evm.Verdict, bool) {
	if a.paying == nil {
		return evm.Verdict{}, false
	}
	return a.paying.Verify(ctx, hash, e), true
}
