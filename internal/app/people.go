package app

import (
	"context"
	"html/template"
	"sync"
	"time"
	_ "time/tzdata" // the plan's time zone must be available on every machine

	"github.com/prometheus/client_golang/prometheus"

	"github.com/bifolia/bifolia/internal/api/httpx"
	publicapi "github.com/bifolia/bifolia/internal/api/public"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/job"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/office/brand"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/people/ifsc"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/profile"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/people/team"
)

// openPeople builds the services for members and reads the tree.
func (a *App) openPeople(ctx context.Context, _ *prometheus.Registry) error {
	zone := plan.Default().Zone() // the time zone of local days
	secret, err := a.signer.Derive("sessions")
	if err != nil {
		return err
	}
	marks, err := a.signer.Derive("marks")
	if err != nil {
		return err
	}
	started := a.clock.Latest()
	index := tree.NewService(a.db.Tree(), a.log)
	if err := index.Load(ctx); err != nil {
		return err
	}
	if no, _ := index.State(); no > 0 {
		a.log.Info("tree loaded", "members", no, "took", a.clock.Latest().Sub(started).Round(time.Millisecond))
	}
	letters, err := a.openMail()
	if err != nil {
		return err
	}
	a.funds = fund.New(fund.Options{Store: a.db.Fund()})
	record := auditlog.New(auditlog.Options{Store: a.db.AuditLog(), Clock: a.clock, Do: a.ledger})
	access, err := auth.New(auth.Options{
		Store: a.db.Auth(), Clock: a.clock, Do: a.ledger, Log: a.log, Secret: secret, Hasher: a.hasher, OperatorIdle: a.cfg.OperatorIdle,
		Site: auth.SiteOf(a.publicURL(), a.cfg.Demo), Demo: a.cfg.Demo, Record: auditLogWriter(record), Waits: a.funds.Hold,
		Unfamiliar: func(ctx context.Context, tx *ledger.Tx, n auth.Arrival) error {
			return a.services.Enrol.Unfamiliar(ctx, tx, n)
		},
		Warn: func(ctx context.Context, tx *ledger.Tx, w auth.Warning) error {
			return a.services.Staff.Warn(ctx, tx, w)
		},
	})
	if err != nil {
		return err
	}
	a.second = approvalmail.New(approvalmail.Options{Operators: access, Mail: letters, May: httpx.RoleAllows})
	a.onClose("sessions", func(ctx context.Context) error { return closeWithin(ctx, access.Close) })
	members := member.New(member.Options{Store: a.db.Member(), Clock: a.clock, Secret: marks})
	a.services = services{
		Mail: letters,
		Do:   a.ledger, Auth: access, AuditLog: record, Tree: index, Members: members, Secret: marks,
		Enrol: enrol.New(enrol.Options{
			Do: a.ledger, Store: a.db.Enrol(), Tree: index, Members: members, Auth: access, Mail: letters, AuditLog: record, Clock: a.clock, Log: a.log, Secret: marks,
		}),
		Profile: profile.New(profile.Options{
			Do: a.ledger, Members: members, Auth: access, Mail: letters, Clock: a.clock, Zone: zone, Secret: marks,
			Company: a.isCompanyAddress,
		}),
		Team:     team.New(team.Options{Tree: index, Members: members, Store: a.db.Team(), Clock: a.clock, Zone: zone}),
		Support:  support.New(support.Options{Store: a.db.Support()}),
		IFSC:     ifsc.New(a.cfg.IFSCService, a.log),
		Features: publicapi.Features{BankDetails: a.cfg.BankDetails, ForgotPasswordOTP: a.cfg.ForgotPasswordOTP},
	}
	a.tasks = append(a.tasks, job.Task{Name: "delete ended sessions", Every: time.Hour, Run: access.DropDead})
	a.openOffice()
	a.background("tree", func(ctx context.Context) { index.Follow(ctx, a.alone()) })
	return nil
}

// alone tells whether this process has led since the last call: a new leader must first
// fetch what the previous one wrote.
func (a *App) alone() func() bool {
	led := false
	return func() bool {
		was := led
		led = a.ledger.State().Leading
		return was && led
	}
}

// background runs loops until the App closes.
func (a *App) background(name string, loops ...func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, loop := range loops {
		running.Go(func() { loop(ctx) })
	}
	a.onClose(name, func(limit context.Context) error {
		cancel()
		return closeWithin(limit, running.Wait)
	})
}

// openMail selects the transport of mails.
func (a *App) openMail() (*mail.Service, error) {
	sender, err := mail.NewSender(mail.SMTPOptions{
		Addr: a.cfg.SMTPAddr, User: a.cfg.SMTPUser, Password: a.cfg.SMTPPassword, TLS: a.cfg.SMTPTLS,
		CAFile: a.cfg.SMTPCAFile, From: a.cfg.MailFrom, PublicURL: a.publicURL(),
	}, a.cfg.Demo)
	if err != nil {
		return nil, err
	}
	return mail.New(mail.Options{
		Store: a.db.Mail(), Clock: a.clock, Do: a.ledger, Log: a.log, Sender: sender, PublicURL: a.publicURL(), Keep: a.cfg.Demo, Brand: a.mailBrand,
	})
}

// mailBrand is the part of the brand in force that mails show.
func (a *App) mailBrand() mail.Brand {
	site := a.services.Settings.Current().Site
	return mail.Brand{
		Name: site.Name, Logo: site.LogoText, Copyright: site.Footer.Copyright,
		Light: mailColours(site.Colours.Light), Dark: mailColours(site.Colours.Dark),
	}
}

// mailColours are those of a brand, which has only valid ones (see brand's check.go).
func mailColours(p brand.Palette) mail.Colours {
	return mail.Colours{Primary: template.CSS(p.Primary), OnPrimary: template.CSS(p.OnPrimary), Link: template.CSS(p.Link)} //nolint:gosec // checked to be #rrggbb
}

// publicURL is the address for members. By default it is derived from the listen address,
// whose port may have been 0.
func (a *App) publicURL() string {
	if a.cfg.PublicURL == a.cfg.AdvertiseURL {
		return a.AdvertiseURL()
	}
	return a.cfg.PublicURL
}

// outbox returns the mails of a demo.
func (a *App) outbox(ctx context.Context) ([]mail.Message, error) {
	const shown = 100
	return a.services.Mail.Recent(ctx, shown)
}
