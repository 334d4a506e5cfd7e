package gateway

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"sixways-lab/space"
)

// readiness bounds the wait for a program to say that it is ready. One that ends
// before is noticed at once, so that only a busy machine takes long.
const readiness = 10 * time.Second

// daemon is a program that runs inside a namespace until it is stopped.
type daemon struct {
	cmd     *exec.Cmd
	drained chan struct{}

	mu   sync.Mutex
	last []string // lines that it has written, for errors
}

// start runs a program and waits for a line on its standard error that holds
// the given text.
func start(s *space.Space, cmd *exec.Cmd, ready string) (*daemon, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = write
	d := &daemon{cmd: cmd, drained: make(chan struct{})}
	err = s.Start(cmd)
	write.Close()
	if err != nil {
		read.Close()
		return nil, fmt.Errorf("%s: %w", cmd.Args[0], err)
	}
	isReady := make(chan struct{})
	go d.drain(read, ready, isReady)
	select {
	case <-isReady:
		return d, nil
	case <-d.drained:
		err = errors.New("it ended")
	case <-time.After(readiness):
		err = fmt.Errorf("not ready after %v", readiness)
	}
	d.stop()
	return nil, fmt.Errorf("%s: %w: %s", cmd.Args[0], err, strings.Join(d.last, " | "))
}

func (d *daemon) drain(r io.ReadCloser, ready string, isReady chan<- struct{}) {
	defer close(d.drained)
	defer r.Close()
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if isReady != nil && strings.Contains(lines.Text(), ready) {
			close(isReady)
			isReady = nil
		}
		d.mu.Lock()
		d.last = append(d.last[max(0, len(d.last)-9):], lines.Text())
		d.mu.Unlock()
	}
}

// stop kills the program's process group and waits for its end.
func (d *daemon) stop() {
	syscall.Kill(-d.cmd.Process.Pid, syscall.SIGKILL) // it may have ended
	d.cmd.Wait()                                      // ended by the kill, which is no news
	<-d.drained
}
