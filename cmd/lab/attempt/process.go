package attempt

import (
	"bytes"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"sixways-lab/space"
)

// ProcessName is argument zero of the process that sends.
const ProcessName = "sixways-lab/attempt"

// Order is what the sending process is told.
type Order struct {
	// Space is the ID of the namespace that the process must find itself in,
	// and Links the interfaces that it must find there.
	Space string
	Links []string
	// UID is the user to become first; 0 to stay.
	UID int
	// Root is the certificate to trust, in PEM.
	Root  []byte
	Tries []Try
}

// Outcome is what came of a try, as its sender sees it.
type Outcome struct {
	Answer string
	// Error is why there was no answer.
	Error string
	// TimedOut says that there was just silence.
	TimedOut bool
}

// Run has a process inside the namespace send the tries, all at once, and
// returns their outcomes in order.
func Run(s *space.Space, o Order) ([]Outcome, error) {
	order, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = []string{ProcessName}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(order), &stdout, &stderr
	if err := s.Start(cmd); err != nil {
		return nil, fmt.Errorf("attempts: %w", err)
	}
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("attempts: %w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	var outcomes []Outcome
	if err := json.Unmarshal(stdout.Bytes(), &outcomes); err != nil {
		return nil, fmt.Errorf("attempts: answer %q: %w", stdout.Bytes(), err)
	}
	if len(outcomes) != len(o.Tries) {
		return nil, fmt.Errorf("attempts: %d outcomes; want %d", len(outcomes), len(o.Tries))
	}
	return outcomes, nil
}

// Main is the sending process. It reads an Order and writes the outcomes as
// JSON. Before the first socket it makes sure that it is where the order says;
// anywhere else it refuses. It returns the exit status.
func Main(stdin io.Reader, stdout, stderr io.Writer) int {
	outcomes, err := obey(stdin)
	if err == nil {
		err = json.NewEncoder(stdout).Encode(outcomes)
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

func obey(stdin io.Reader) ([]Outcome, error) {
	var o Order
	if err := json.NewDecoder(stdin).Decode(&o); err != nil {
		return nil, fmt.Errorf("refused to send: the order cannot be read: %w", err)
	}
	if err := Guard(o.Space, o.Links); err != nil {
		return nil, fmt.Errorf("refused to send: %w", err)
	}
	if err := become(o.UID); err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(o.Root) {
		return nil, errors.New("the order's certificate cannot be read")
	}
	outcomes := make([]Outcome, len(o.Tries))
	var all sync.WaitGroup
	for i, t := range o.Tries {
		all.Go(func() {
			answer, err := t.send(roots)
			outcomes[i] = Outcome{Answer: answer}
			if err != nil {
				outcomes[i] = Outcome{Error: err.Error(), TimedOut: timedOut(err)}
			}
		})
	}
	all.Wait()
	return outcomes, nil
}

func become(uid int) error {
	if uid == 0 {
		return nil
	}
	if err := syscall.Setgroups(nil); err != nil {
		return fmt.Errorf("drop the groups: %w", err)
	}
	if err := syscall.Setgid(uid); err != nil {
		return fmt.Errorf("become group %d: %w", uid, err)
	}
	if err := syscall.Setuid(uid); err != nil {
		return fmt.Errorf("become user %d: %w", uid, err)
	}
	if os.Geteuid() != uid {
		return fmt.Errorf("become user %d: still user %d", uid, os.Geteuid())
	}
	return nil
}
