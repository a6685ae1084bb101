package app

import "github.com/bifolia/bifolia/internal/office"

// openOffice puts together what is about operators.
func (a *App) openOffice() {
	c := &a.people.calls
	c.Office = office.New(office.Options{Do: a.ledger, Auth: c.Auth, Mail: a.people.mail, Clock: a.clock, Log: a.log})
}
