package gateway

import "sixways-lab/space"

// Gateway is a running enforcement.
type Gateway struct{ daemons []*daemon }

// Start enforces a plan in a namespace that has its interfaces and addresses.
func Start(s *space.Space, p Plan) (*Gateway, error) {
	if err := s.Set("net/ipv4/ip_forward", "1"); err != nil {
		return nil, err
	}
	if err := load(s, p.ruleset()); err != nil {
		return nil, err
	}
	g := &Gateway{}
	if p.Resolver != nil {
		if err := g.add(startResolver(s, *p.Resolver)); err != nil {
			return nil, err
		}
	}
	if p.HostStub {
		if err := g.add(startHostStub(s)); err != nil {
			return nil, err
		}
	}
	if err := g.add(startProxy(s, p.Proxy)); err != nil {
		return nil, err
	}
	return g, nil
}

func (g *Gateway) add(d *daemon, err error) error {
	if err != nil {
		g.Stop()
		return err
	}
	g.daemons = append(g.daemons, d)
	return nil
}

// Stop ends the gateway's programs and waits for their end.
func (g *Gateway) Stop() {
	for _, d := range g.daemons {
		d.stop()
	}
}
