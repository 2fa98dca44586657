package builder

import (
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// callerPos returns the file, without folders, and line of the first caller outside of
// this package.
func callerPos() op.Pos {
	self := reflect.TypeFor[Op]().PkgPath() + "."
	var pcs [8]uintptr
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		if n == 0 {
			return op.Pos{}
		}
		frames := runtime.CallersFrames(pcs[:n])
		for {
			frame, more := frames.Next()
			if frame.File != "" && !strings.HasPrefix(frame.Function, self) {
				return op.Pos{File: filepath.Base(frame.File), Line: frame.Line}
			}
			if !more {
				break
			}
		}
	}
}

// At gives the instructions that are added from now on, and errors, a place in another program than
// the Go code that calls the builder, and metadata that tells of it, which is shared and not to be
// changed: for readers of other forms of programs. It holds for all computations of the module.
func (b *Builder) At(pos op.Pos, m *hlo.Metadata) {
	if b != nil {
		b.s.at = &place{pos, m}
	}
}

// place is what At sets.
type place struct {
	pos      op.Pos
	metadata *hlo.Metadata
}

// pos returns the place of what is added now.
func (s *session) pos() op.Pos {
	if s.at != nil {
		return s.at.pos
	}
	return callerPos()
}

// place gives i the place of the caller, or what At has set.
func (b *Builder) place(i *hlo.Instruction) {
	i.Pos = b.s.pos()
	if b.s.at != nil {
		i.Metadata = b.s.at.metadata
		return
	}
	if b.s.opts.NoMetadata {
		return
	}
	if m := b.s.metadata; m == nil || m.SourceFile != i.Pos.File || m.SourceLine != i.Pos.Line {
		b.s.metadata = &hlo.Metadata{SourceFile: i.Pos.File, SourceLine: i.Pos.Line}
	}
	i.Metadata = b.s.metadata
}
