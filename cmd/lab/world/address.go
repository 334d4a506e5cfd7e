// Package world is what the lab's sandbox tries to reach: servers with real
// sockets that log every nonce that arrives.
package world

import "sixways/fixture"

// Addresses of the lab. They are documentation examples (RFC 5737) or private
// (RFC 1918), and well-known ones (RFC 3927, RFC 1122); 192.0.2.0/24 is left
// out, for machines are found to use it.
const (
	SandboxAddress = "10.77.0.2"
	GatewayAddress = "10.77.0.1"
	SandboxNetwork = "10.77.0.0/24"

	// GatewayOutside and Router are the two ends of the cable to the world.
	GatewayOutside = "198.51.100.1"
	Router         = "198.51.100.2"

	PartnerAddress  = "198.51.100.20"
	PackagesAddress = "198.51.100.30"
	ResolverAddress = "198.51.100.53"
	DoHAddress      = "198.51.100.54"
)

// Names beside those of the fixture that the outside resolver answers.
const (
	// DoHName serves DNS over HTTPS (RFC 8484).
	DoHName = "dns.resolver.example"
	// MetadataAlias, RawAlias and LoopbackAlias are names that somebody let
	// resolve to the metadata address, the raw address and 127.0.0.1.
	MetadataAlias = "metadata.alias.example"
	RawAlias      = "raw.alias.example"
	LoopbackAlias = "loopback.alias.example"
)

var hosts = map[string]string{
	fixture.PartnerAPI:   PartnerAddress,
	fixture.PackageIndex: PackagesAddress,
	DoHName:              DoHAddress,
	MetadataAlias:        fixture.Metadata,
	RawAlias:             fixture.RawIP,
	LoopbackAlias:        fixture.Sidecar,
}

// Service says which server has seen a nonce.
type Service string

// The services. DNS stands for the outside resolver, asked in whatever way.
const (
	Partner  Service = "partner"
	Packages Service = "packages"
	Raw      Service = "raw"
	Metadata Service = "metadata"
	DNS      Service = "dns"
	Sidecar  Service = "sidecar"
)

type endpoint struct {
	service Service
	address string
	secure  bool // TLS
}

var endpoints = []endpoint{
	{Partner, PartnerAddress + ":443", true},
	{Partner, PartnerAddress + ":80", false},
	{Packages, PackagesAddress + ":443", true},
	{Packages, PackagesAddress + ":80", false},
	{Raw, fixture.RawIP + ":443", false},
	{Raw, fixture.RawIP + ":8443", true},
	{Raw, fixture.RawIP + ":53", false},
	{Metadata, fixture.Metadata + ":80", false},
	{DNS, DoHAddress + ":443", true},
}

// SidecarPort is where the credential sidecar listens on loopback.
const SidecarPort = "9000"
