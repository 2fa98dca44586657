package collective

import (
	"fmt"
	"strings"
	"time"
)

// MissingError says that an operation did not take place because devices did not come.
type MissingError struct {
	// Op is the operation, Name what the device's program calls it.
	Op, Name string
	// Group lists the devices that were to meet: the group, or sender and receiver.
	Group []int
	// Missing are those that did not come; it is empty for a message that any device could have sent.
	Missing []Absence
	// Waited is how long the device waited, if that is why it gave up; otherwise 0,
	// and the others cannot come any more.
	Waited time.Duration
}

// Absence says why a device did not come, as far as that is known.
type Absence struct {
	Device int
	// Reason is empty, or what the device does instead: "has ended".
	Reason string
}

// Error gives operation, group, missing members and the reason. Name is left to
// the caller, who has it.
func (e *MissingError) Error() string {
	text := e.Op
	if len(e.Group) > 0 {
		text += fmt.Sprintf(" of devices %v", e.Group)
	}
	if len(e.Missing) == 0 {
		text += ": nothing was sent"
	}
	for i, a := range e.Missing {
		reason := a.Reason
		if reason == "" {
			reason = "did not come"
		}
		text += fmt.Sprintf("%s device %d %s", [2]string{":", ","}[min(i, 1)], a.Device, reason)
	}
	if e.Waited > 0 {
		text += fmt.Sprintf(" (gave up after %v)", e.Waited)
	}
	return text
}

// PeerError says that an operation did not take place because another device failed.
type PeerError struct {
	Device int
	Err    error // the error of that device
}

// Error names the device and gives its error.
func (e *PeerError) Error() string { return fmt.Sprintf("device %d failed: %v", e.Device, e.Err) }

// Unwrap returns the error of the other device.
func (e *PeerError) Unwrap() error { return e.Err }

// LostError says that a run ended with messages which nobody received.
type LostError struct{ Transfers []Transfer }

// Error lists the messages.
func (e *LostError) Error() string {
	var list []string
	for _, t := range e.Transfers {
		list = append(list, fmt.Sprintf("send %%%s on %s", t.Name, t))
	}
	return "nobody received: " + strings.Join(list, ", ")
}

// String returns the way in words.
func (t Transfer) String() string {
	if t.Target == AnyDevice {
		return fmt.Sprintf("channel %d", t.Channel)
	}
	return fmt.Sprintf("channel %d from device %d to %d", t.Channel, t.Source, t.Target)
}
