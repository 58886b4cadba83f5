package campaign

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ijongo/ijongo/fuzz/wire"
)

// beginning is what a target may take until it calls f.Fuzz, in timeouts of
// a run.
const beginning = 6

// Describe asks a target for its seeds and its layout. What keeps a target
// from being fuzzed at all shows here, as a [TargetError]. The timeout is
// that of a run; 0 is none. A target that is killed from outside is asked again.
func Describe(ctx context.Context, t Target, timeout time.Duration) (d *wire.Description, err error) {
	for range maxIdleDeaths {
		d, err = t.describe(ctx, timeout)
		if e := (*TargetError)(nil); !errors.As(err, &e) || !strings.HasSuffix(e.What, "(signal: killed)") {
			break
		}
	}
	return d, err
}

func (t Target) describe(ctx context.Context, timeout time.Duration) (*wire.Description, error) {
	p, err := t.launch(wire.Config{Mode: wire.Describe}, nil)
	if err != nil {
		return nil, err
	}
	var expired <-chan time.Time
	if timeout > 0 {
		expired = time.After(beginning * timeout)
	}
	for {
		select {
		case m, ok := <-p.messages:
			switch {
			case !ok:
				<-p.ended
				return nil, undescribed(t, p)
			case m.Error != "":
				p.end()
				return nil, &TargetError{What: m.Error}
			case m.Description != nil:
				p.end()
				return m.Description, nil
			}
		case <-expired:
			p.dump()
			return nil, &TargetError{
				fmt.Sprintf("the target hangs before %s calls f.Fuzz (no answer in %v)", t.Name, beginning*timeout),
				steady(p.output.String()),
			}
		case <-ctx.Done():
			p.kill()
			return nil, ctx.Err()
		}
	}
}

// undescribed says why a target has ended without a description.
func undescribed(t Target, p *process) error {
	printed := p.output.String()
	before := fmt.Sprintf("before %s called f.Fuzz", t.Name)
	switch {
	case p.garbled != nil:
		return p.garbled
	case strings.Contains(printed, "testing: warning: no tests to run"):
		return &TargetError{What: fmt.Sprintf("the target has no fuzz function %s", t.Name)}
	case faultReport(printed) != "":
		return &TargetError{"the target panicked " + before, printed}
	case !p.cmd.ProcessState.Success():
		return &TargetError{fmt.Sprintf("the target ended %s (%v)", before, p.cmd.ProcessState), printed}
	default:
		return &TargetError{fmt.Sprintf("the target ended %s (does TestMain call m.Run, and %s reach f.Fuzz on every path?)", before, t.Name), printed}
	}
}
