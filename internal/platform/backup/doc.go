// Package backup is the file that a backup is: how it is written so that a file
// with its name is whole, how it is read so that nothing damaged is believed, and
// how PostgreSQL's own programs are found and run for it.
//
// The file is a plain tar archive that ordinary tools can open:
//
//	database       SQLite: the database itself; PostgreSQL: pg_dump's custom format
//	ledger.pub     the public halves of the keys that the ledger was signed with
//	manifest.json  what it is of: schema, ledger head, sum, time
//	seal           the SHA-256 of every byte before it
//
// It is encrypted with age to the recipients of the configuration, so that only
// who has one of their secret keys can read it; without any it is in the clear.
//
// The key that signs the ledger is not in it: whoever has database and key can
// write another history that verifies, so the two are kept apart.
package backup
