package cashier

import (
	"bytes"
	"encoding/base64"
	"image/png"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/qr"
)

// qrSize is the side length of the picture in pixels.
const qrSize = 256

// qrPicture returns text as a QR code: a PNG in a data: URL, the only foreign image
// source that pages allow.
func qrPicture(text string) (string, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return "", err
	}
	if code, err = barcode.Scale(code, qrSize, qrSize); err != nil {
		return "", err
	}
	var out bytes.Buffer
	if err := png.Encode(&out, code); err != nil {
		return "", err
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(out.Bytes()), nil
}
