package gateway

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"

	"github.com/elazarl/goproxy"
)

// serveGoproxy is the proxy of many a tutorial: goproxy with a check of the
// host string.
func serveGoproxy(p Proxy, listener net.Listener, ready func()) error {
	proxy := goproxy.NewProxyHttpServer()
	proxy.Logger = log.New(io.Discard, "", 0)
	proxy.Tr = &http.Transport{DialContext: p.dialer().DialContext}
	refused := goproxy.ReqConditionFunc(func(r *http.Request, _ *goproxy.ProxyCtx) bool {
		return !p.permits(r.URL.Hostname())
	})
	proxy.OnRequest(refused).HandleConnect(goproxy.AlwaysReject)
	proxy.OnRequest(refused).DoFunc(func(r *http.Request, _ *goproxy.ProxyCtx) (*http.Request, *http.Response) {
		return r, goproxy.NewResponse(r, goproxy.ContentTypeText, http.StatusForbidden, errRefused.Error())
	})
	ready()
	return http.Serve(listener, proxy)
}

// dialer resolves names as the proxy was told.
func (p Proxy) dialer() *net.Dialer {
	return &net.Dialer{Resolver: &net.Resolver{
		PreferGo: true,
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, network, p.Resolver)
		},
	}}
}
