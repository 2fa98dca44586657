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

// place gives i the place of the caller.
func (b *Builder) place(i *hlo.Instruction) {
	i.Pos = callerPos()
	if b.s.opts.NoMetadata {
		return
	}
	if m := b.s.metadata; m == nil || m.SourceFile != i.Pos.File || m.SourceLine != i.Pos.Line {
		b.s.metadata = &hlo.Metadata{SourceFile: i.Pos.File, SourceLine: i.Pos.Line}
	}
	i.Metadata = b.s.metadata
}
