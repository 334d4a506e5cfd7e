package world

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"sixways-lab/space"
	"sixways/fixture"
)

var quiet = log.New(io.Discard, "", 0)

// serveDNS answers on port 53 by UDP and TCP (RFC 1035 §4.2).
func (w *World) serveDNS(s *space.Space) error {
	listener, err := Listen(s, ResolverAddress+":53")
	if err != nil {
		return fmt.Errorf("outside resolver: %w", err)
	}
	w.closes = append(w.closes, listener)
	go w.acceptDNS(listener)

	var packets net.PacketConn
	err = s.Do(func() (err error) {
		packets, err = (&net.ListenConfig{}).ListenPacket(context.Background(), "udp4", ResolverAddress+":53")
		return err
	})
	if err != nil {
		return fmt.Errorf("outside resolver: %w", err)
	}
	w.closes = append(w.closes, packets)
	go w.receiveDNS(packets)
	return nil
}

func (w *World) receiveDNS(packets net.PacketConn) {
	buffer := make([]byte, 1500)
	for {
		n, from, err := packets.ReadFrom(buffer)
		if err != nil {
			return // closed
		}
		if reply, err := w.answer(buffer[:n]); err == nil {
			packets.WriteTo(reply, from) // a lost reply is the asker's timeout
		}
	}
}

func (w *World) acceptDNS(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return // closed
		}
		go func() {
			defer conn.Close()
			conn.SetDeadline(time.Now().Add(10 * time.Second))
			query, err := ReadMessage(conn)
			if err != nil {
				return
			}
			if reply, err := w.answer(query); err == nil {
				WriteMessage(conn, reply)
			}
		}()
	}
}

// ReadMessage reads a DNS message from a stream (RFC 1035 §4.2.2).
func ReadMessage(r io.Reader) ([]byte, error) {
	var size [2]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	message := make([]byte, binary.BigEndian.Uint16(size[:]))
	_, err := io.ReadFull(r, message)
	return message, err
}

// WriteMessage writes a DNS message to a stream.
func WriteMessage(w io.Writer, message []byte) error {
	_, err := w.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(message))), message...))
	return err
}

// answerDoH answers a query in the body of a POST (RFC 8484).
func (w *World) answerDoH(rw http.ResponseWriter, r *http.Request) {
	query, err := io.ReadAll(io.LimitReader(r.Body, 1500))
	if err != nil {
		http.Error(rw, err.Error(), http.StatusBadRequest)
		return
	}
	reply, err := w.answer(query)
	if err != nil {
		http.Error(rw, err.Error(), http.StatusBadRequest)
		return
	}
	rw.Header().Set("Content-Type", "application/dns-message")
	rw.Write(reply)
}

// answer logs the nonce of a query under the attacker's zone, and replies.
func (w *World) answer(query []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil {
		return nil, err
	}
	if len(m.Questions) != 1 {
		return nil, fmt.Errorf("query with %d questions; want one", len(m.Questions))
	}
	q := m.Questions[0]
	name := strings.ToLower(strings.TrimSuffix(q.Name.String(), "."))
	if nonce, _, _ := strings.Cut(name, "."); nonce != name {
		w.Log.add(DNS, nonce)
	}
	m.Response, m.Authoritative, m.RecursionAvailable = true, true, true
	m.Additionals = nil
	address, known := hosts[name]
	if strings.HasSuffix(name, "."+fixture.ExfilZone) {
		address, known = fixture.RawIP, true
	}
	switch {
	case !known:
		m.RCode = dnsmessage.RCodeNameError
	case q.Type == dnsmessage.TypeA:
		m.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 1},
			Body:   &dnsmessage.AResource{A: netip.MustParseAddr(address).As4()},
		}}
	}
	return m.Pack()
}
