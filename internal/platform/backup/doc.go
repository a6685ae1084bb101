// Package backup writes and reads backup files. A file with the requested name is always
// complete, and reading detects all damage. The package also finds and runs PostgreSQL's
// own programs.
//
// The file is a plain tar archive that ordinary tools can open:
//
//	database       SQLite: the database itself; PostgreSQL: pg_dump's custom format
//	ledger.pub     the public keys that the ledger was signed with
//	manifest.json  schema, ledger head, checksum, time
//	seal           the SHA-256 of every byte before it
//
// It is encrypted with age to the configured recipients, so that only owners of their
// secret keys can read it; without recipients it is not encrypted.
//
// It does not contain the key that signs the ledger: database and key together allow
// forging a history that verifies, so they are stored separately.
package backup
