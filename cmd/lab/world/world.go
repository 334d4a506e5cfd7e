package world

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"sixways-lab/space"
)

// World is the outside: a web server for each destination and a resolver.
type World struct {
	Log    *Log
	closes []io.Closer
}

// Log holds what has arrived, by nonce. It is safe for concurrent use.
type Log struct {
	mu   sync.Mutex
	seen map[string]Service
}

// Saw reports whether a service has seen a nonce.
func (l *Log) Saw(s Service, nonce string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seen[nonce] == s
}

func (l *Log) add(s Service, nonce string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen[nonce] = s
}

// Answer is what a service replies to a request for "/" and a nonce.
func Answer(s Service, nonce string) string { return string(s) + " " + nonce }

// New makes a world without servers.
func New() *World { return &World{Log: &Log{seen: map[string]Service{}}} }

// Open gives the namespace the world's addresses and starts all servers there
// but the sidecar.
func (w *World) Open(s *space.Space, identity *Identity) error {
	for _, address := range append(endpointHosts(), ResolverAddress) {
		if err := s.AddAddress("lo", address+"/32"); err != nil {
			return err
		}
	}
	if err := s.AddRoute(SandboxNetwork, GatewayOutside); err != nil {
		return err
	}
	for _, e := range endpoints {
		if err := w.serve(s, e, identity); err != nil {
			return err
		}
	}
	return w.serveDNS(s)
}

// OpenSidecar starts the credential sidecar on a namespace's loopback.
func (w *World) OpenSidecar(s *space.Space) error {
	return w.serve(s, endpoint{service: Sidecar, address: "127.0.0.1:" + SidecarPort}, nil)
}

// Close stops all servers. What they fail at then, nobody waits for.
func (w *World) Close() {
	for _, c := range w.closes {
		c.Close()
	}
}

func endpointHosts() []string {
	var list []string
	for _, e := range endpoints {
		host, _, _ := strings.Cut(e.address, ":")
		if len(list) == 0 || list[len(list)-1] != host {
			list = append(list, host)
		}
	}
	return list
}

func (w *World) serve(s *space.Space, e endpoint, identity *Identity) error {
	listener, err := Listen(s, e.address)
	if err != nil {
		return fmt.Errorf("%s: %w", e.service, err)
	}
	if e.secure {
		listener = tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{identity.certificate}})
	}
	server := &http.Server{Handler: w.handler(e.service), ReadTimeout: 10 * time.Second, ErrorLog: quiet}
	w.closes = append(w.closes, server)
	go server.Serve(listener) // ends by Close; a dead server shows as a way that is never open
	return nil
}

func (w *World) handler(s Service) http.Handler {
	if s == DNS {
		return http.HandlerFunc(w.answerDoH)
	}
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		nonce := strings.TrimPrefix(r.URL.Path, "/")
		w.Log.add(s, nonce)
		io.WriteString(rw, Answer(s, nonce))
	})
}

// Listen opens a TCP listener inside a namespace.
func Listen(s *space.Space, address string) (listener net.Listener, err error) {
	var config net.ListenConfig
	config.SetMultipathTCP(false)
	err = s.Do(func() error {
		listener, err = config.Listen(context.Background(), "tcp4", address)
		return err
	})
	return listener, err
}
