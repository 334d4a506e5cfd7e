module sixways

go 1.26

require (
	github.com/google/go-cmp v0.7.0
	github.com/maxence-charriere/go-app/v10 v10.1.11
)

require (
	github.com/google/uuid v1.6.0 // indirect
	github.com/tailscale/hujson v0.0.0-20260727124030-b80ff77dac4f // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
)
