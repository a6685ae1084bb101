package app

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"
)

// device is an authenticator with one passkey (ES256). Tests change its claims to check
// that the server does not trust them.
type device struct {
	t          *testing.T
	key        *ecdsa.PrivateKey
	credential []byte
	handle     []byte
	origin     string // as the browser sends it
	host       string // the host it signs for
	unverified bool   // no user verification
	uses       uint32
}

const (
	userPresent  = 0x01
	userVerified = 0x04
	hasKey       = 0x40
)

func newDevice(t *testing.T) *device {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	d := &device{t: t, key: key, credential: make([]byte, 32)}
	_, _ = rand.Read(d.credential) // never fails
	return d
}

func b64(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

func (d *device) unb64(s string) []byte {
	d.t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		d.t.Fatal(err)
	}
	return raw
}

func (d *device) clientData(kind, challenge string) []byte {
	d.t.Helper()
	raw, err := json.Marshal(m{"type": kind, "challenge": challenge, "origin": d.origin, "crossOrigin": false})
	if err != nil {
		d.t.Fatal(err)
	}
	return raw
}

// data returns the authenticator data; it counts every use.
func (d *device) data(flags byte) []byte {
	if !d.unverified {
		flags |= userVerified
	}
	d.uses++
	host := sha256.Sum256([]byte(d.host))
	return binary.BigEndian.AppendUint32(append(host[:], flags|userPresent), d.uses)
}

// begun is the challenge before a passkey signs.
type begun struct {
	Data struct {
		Flow, Origin string
		Options      struct {
			Challenge, RPID, UserVerification, Attestation string

			RP   struct{ ID string }
			User struct{ ID, Name string }

			ExcludeCredentials     []struct{ ID string }
			AuthenticatorSelection struct{ ResidentKey, UserVerification string }
		}
	}
}

// make answers operator/passkeys/begin with a new key.
func (d *device) make(b begun) m {
	d.t.Helper()
	d.handle = d.unb64(b.Data.Options.User.ID)
	d.at(b.Data.Origin, b.Data.Options.RP.ID)
	point, err := d.key.PublicKey.Bytes()
	if err != nil {
		d.t.Fatal(err)
	}
	// COSE in CBOR: EC2, ES256, P-256, x, y.
	cose := append([]byte{0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32}, point[1:33]...)
	cose = append(append(cose, 0x22, 0x58, 32), point[33:]...)
	data := append(d.data(hasKey), make([]byte, 16)...) // no model
	data = append(binary.BigEndian.AppendUint16(data, uint16(len(d.credential))), d.credential...)
	data = append(data, cose...)
	var object bytes.Buffer
	object.WriteString("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58")
	object.WriteByte(byte(len(data)))
	object.Write(data)
	return m{
		"flow": b.Data.Flow, "id": b64(d.credential), "clientDataJSON": b64(d.clientData("webauthn.create", b.Data.Options.Challenge)),
		"attestationObject": b64(object.Bytes()), "transports": []string{"internal"},
	}
}

// at sets the device's site, unless the test has set another.
func (d *device) at(origin, host string) {
	if d.origin == "" {
		d.origin = origin
	}
	if d.host == "" {
		d.host = host
	}
}

// sign answers operator/passkey/begin.
func (d *device) sign(b begun) m {
	d.t.Helper()
	d.at(b.Data.Origin, b.Data.Options.RPID)
	data, client := d.data(0), d.clientData("webauthn.get", b.Data.Options.Challenge)
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(append(bytes.Clone(data), hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, d.key, digest[:])
	if err != nil {
		d.t.Fatal(err)
	}
	return m{
		"flow": b.Data.Flow, "id": b64(d.credential), "clientDataJSON": b64(client), "authenticatorData": b64(data),
		"signature": b64(signature), "userHandle": b64(d.handle),
	}
}
