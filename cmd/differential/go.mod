module sixways/cmd/differential

go 1.26

require (
	github.com/sirupsen/logrus v1.9.0
	github.com/stripe/smokescreen v0.1.0
	sixways v0.0.0
)

require (
	github.com/kr/pretty v0.1.0 // indirect
	github.com/tailscale/hujson v0.0.0-20260727124030-b80ff77dac4f // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/net v0.56.0 // indirect
	golang.org/x/sys v0.46.0 // indirect
	golang.org/x/text v0.39.0 // indirect
	gopkg.in/check.v1 v1.0.0-20190902080502-41f04d3bba15 // indirect
	gopkg.in/yaml.v2 v2.4.0 // indirect
)

replace sixways => ../..
