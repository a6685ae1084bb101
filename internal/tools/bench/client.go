package bench

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// client is a minimal keep-alive HTTP/1.1 connection: on the same cores, the load generator
// must not cost more than the measured server.
type client struct {
	addr, token string
	conn        net.Conn
	in          *bufio.Reader
	out         []byte
	body        []byte
}

func newClient(addr, token string) *client { return &client{addr: addr, token: token} }

// post sends a JSON body and returns the status and the answer, which is valid until the next
// call. After an error the next call opens a new connection; the caller decides about a retry.
func (c *client) post(path, key string, body []byte) (status int, answer []byte, err error) {
	c.out = fmt.Appendf(c.out[:0], "POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nIdempotency-Key: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", path, c.addr, c.token, key, len(body))
	c.out = append(c.out, body...)
	return c.send()
}

// get requests a path, like post.
func (c *client) get(path string) (status int, answer []byte, err error) {
	c.out = fmt.Appendf(c.out[:0], "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", path, c.addr, c.token)
	return c.send()
}

// send sends the request in out.
func (c *client) send() (status int, answer []byte, err error) {
	if err := c.connect(); err != nil {
		return 0, nil, err
	}
	_ = c.conn.SetDeadline(time.Now().Add(60 * time.Second))
	if _, err = c.conn.Write(c.out); err == nil {
		status, answer, err = c.read()
	}
	if err != nil {
		c.close()
	}
	return status, answer, err
}

// connect opens the connection unless it is open.
func (c *client) connect() error {
	if c.conn != nil {
		return nil
	}
	conn, err := net.DialTimeout("tcp", c.addr, 5*time.Second)
	if err != nil {
		return err
	}
	c.conn, c.in = conn, bufio.NewReaderSize(conn, 8<<10)
	return nil
}

func (c *client) close() {
	if c.conn != nil {
		_ = c.conn.Close()
		c.conn = nil
	}
}

func (c *client) read() (status int, answer []byte, err error) {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return 0, nil, err
	}
	if len(line) < 12 {
		return 0, nil, errors.New("bench: no HTTP answer")
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, nil, err
	}
	length, chunked := -1, false
	for {
		if line, err = c.in.ReadSlice('\n'); err != nil {
			return 0, nil, err
		}
		if len(line) <= 2 {
			break
		}
		name, value, _ := strings.Cut(string(line), ":")
		switch {
		case strings.EqualFold(name, "Content-Length"):
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return 0, nil, err
			}
		case strings.EqualFold(name, "Transfer-Encoding"):
			chunked = true
		}
	}
	if chunked {
		err = c.chunks()
		return status, c.body, err
	}
	if length < 0 {
		return 0, nil, errors.New("bench: an answer without a length")
	}
	if cap(c.body) < length {
		c.body = make([]byte, length)
	}
	_, err = io.ReadFull(c.in, c.body[:length])
	return status, c.body[:length], err
}

// chunks reads an answer with chunked encoding.
func (c *client) chunks() error {
	c.body = c.body[:0]
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(strings.TrimSpace(string(line)), 16, 32)
		if err != nil {
			return err
		}
		had := len(c.body)
		c.body = append(c.body, make([]byte, n+2)...) // with the end of line after it
		if _, err := io.ReadFull(c.in, c.body[had:]); err != nil {
			return err
		}
		c.body = c.body[:had+int(n)]
		if n == 0 {
			return nil
		}
	}
}
