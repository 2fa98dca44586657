package collective

import (
	"context"
	"time"

	"github.com/goxla/xla/literal"
)

// DefaultTimeout is how long a device waits for others where Run does not say.
const DefaultTimeout = 2 * time.Minute

// Run describes a run before it starts.
type Run struct {
	// Devices is the number of devices; they are called 0 to Devices-1.
	Devices int
	// Timeout is how long a device waits for others; 0 means DefaultTimeout.
	Timeout time.Duration
	// Groups, if set, returns the groups that the programs will meet in, in the same
	// order in all processes, for a transport that prepares for them.
	Groups func() [][]int
}

// Transport carries data between the devices of runs. It is safe for concurrent use.
type Transport interface {
	// Local returns which of the devices of a run this process runs, in rising order.
	// It fails if a run cannot have that many.
	Local(devices int) ([]int, error)
	// Open begins a run. It fails if this process cannot take part.
	Open(ctx context.Context, r Run) (Session, error)
}

// Session is the part of a run that is in this process.
type Session interface {
	// Communicator returns that of a local device, to be closed when the device ends.
	Communicator(device int) Communicator
	// Close ends the run, after all its communicators were closed. It fails if
	// messages were sent that nobody received.
	Close() error
}

// Communicator is how one device works with the others of its run. It is for one
// goroutine at a time.
//
// Arrays have the default layout. Those called send are not changed, those called
// recv are set; they belong to the caller again when the method returns. Each recv
// must have the shape of what is given for it, otherwise the method fails.
type Communicator interface {
	// Device returns the number of this device.
	Device() int
	// AllGather sets recv[k] to what member k of the group sends.
	AllGather(ctx context.Context, m Meeting, recv [][]literal.Literal, send []literal.Literal) error
	// AllToAll gives send[k] to member k and sets recv[k] to what member k gives this device.
	AllToAll(ctx context.Context, m Meeting, recv, send [][]literal.Literal) error
	// AllReduce sets recv[i] to the arrays send[i] of all members combined element by
	// element, in the order of the group, so that the result is the same bits on all
	// members and in every run. recv may be send.
	AllReduce(ctx context.Context, m Meeting, recv, send []literal.Literal, r Reducer) error
	// ReduceScatter sets recv[i] to the arrays that the members send to this device,
	// send[k][i] to member k, combined as by AllReduce.
	ReduceScatter(ctx context.Context, m Meeting, recv []literal.Literal, send [][]literal.Literal, r Reducer) error
	// Broadcast sets recv to what member root of the group sends; the others' send is not used.
	Broadcast(ctx context.Context, m Meeting, root int, recv, send []literal.Literal) error
	// Send gives arrays to a device. It does not wait until they are received.
	Send(ctx context.Context, t Transfer, send []literal.Literal) error
	// Recv waits for the next arrays of a transfer, in the order in which they were sent.
	Recv(ctx context.Context, t Transfer, recv []literal.Literal) error
	// Close says that the device has ended, well or with an error, and will not come
	// to meetings any more. Those who wait for it learn of it.
	Close(err error)
}

// Meeting is one collective operation that the members of a group execute together.
// Those with equal Op, ID and Group meet, in the order in which each of them comes.
type Meeting struct {
	// Op is the operation: all-reduce.
	Op string
	// ID tells meetings of one operation and group apart: a channel, or what else
	// the members agree on.
	ID string
	// Name is what the operation is called in this device's program, for errors.
	Name string
	// Group lists the members in their order, this device among them.
	Group []int
}

// Transfer names a way from one device to another. Messages on it come in order.
type Transfer struct {
	Channel int
	// Source and Target are the devices at the ends; AnyDevice on both ends means that
	// the message goes to whoever receives on the channel.
	Source, Target int
	// Name is what the operation is called in this device's program, for errors.
	Name string
}

// AnyDevice stands for a device that is not told.
const AnyDevice = -1

// Reducer combines arrays element by element.
type Reducer struct {
	// Kind is what Combine does, if it is one of the usual operations.
	Kind ReduceKind
	// Combine sets each element of acc to the combination of it and the element of x
	// at the same place. Both are arrays of rank 1 of one type and size. It is called
	// by the goroutine of the device.
	Combine func(acc, x literal.Literal) error
}

// ReduceKind is a usual reduction, for transports that have it ready.
type ReduceKind uint8

// The kinds.
const (
	ReduceOther ReduceKind = iota
	ReduceSum
	ReduceProduct
	ReduceMin
	ReduceMax
	ReduceAnd
	ReduceOr
	ReduceXor
)
