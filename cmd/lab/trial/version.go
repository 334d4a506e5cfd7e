package trial

import (
	"fmt"
	"os/exec"
	"regexp"
	"runtime/debug"

	"golang.org/x/sys/unix"
)

// Versions are those of what the model was held against.
type Versions struct {
	Kernel   string
	Programs map[string]string
}

var modules = map[string]string{
	"smokescreen": "github.com/stripe/smokescreen",
	"goproxy":     "github.com/elazarl/goproxy",
}

var programs = map[string]string{
	"nft":     "--version",
	"dnsmasq": "--version",
	"squid":   "--version",
}

var numbers = regexp.MustCompile(`\d+(\.\d+)+`)

// FindVersions asks the kernel, the programs and the running program itself.
func FindVersions() (Versions, error) {
	v := Versions{Programs: map[string]string{}}
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return v, fmt.Errorf("kernel version: %w", err)
	}
	if v.Kernel = numbers.FindString(unix.ByteSliceToString(name.Release[:])); v.Kernel == "" {
		return v, fmt.Errorf("kernel version: no number in %q", name.Release)
	}
	for program, flag := range programs {
		output, err := exec.Command(program, flag).Output()
		if err != nil {
			return v, fmt.Errorf("version of %s: %w", program, err)
		}
		if v.Programs[program] = numbers.FindString(string(output)); v.Programs[program] == "" {
			return v, fmt.Errorf("version of %s: no number in %q", program, output)
		}
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v, fmt.Errorf("versions of the modules: the program was built without")
	}
	for program, path := range modules {
		for _, m := range info.Deps {
			if m.Path == path {
				v.Programs[program] = m.Version
			}
		}
		if v.Programs[program] == "" {
			return v, fmt.Errorf("version of %s: module %s is not built in", program, path)
		}
	}
	return v, nil
}
