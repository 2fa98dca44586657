package lower

import (
	"errors"
	"fmt"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/stablehlo"
)

// places keeps the metadata of locations that were seen.
type places struct {
	last     stablehlo.Location
	metadata *hlo.Metadata
}

// at returns the metadata for a location of the user's program, nil for none.
func (p *places) at(loc stablehlo.Location) *hlo.Metadata {
	if loc == nil {
		return nil
	}
	if p.last != loc {
		m := &hlo.Metadata{}
		budget := maxLocations
		describe(m, loc, &budget)
		if m.SourceFile == "" && m.OpName == "" {
			m = nil
		}
		p.last, p.metadata = loc, m
	}
	return p.metadata
}

// maxLocations is how many parts of a location are looked at: parts may be shared, so
// that a small file holds a location of any size.
const maxLocations = 1000

// describe sets the fields of m that loc tells of. The first name and the first file
// that come along count: those nearest to the operation.
func describe(m *hlo.Metadata, loc stablehlo.Location, budget *int) {
	if *budget--; *budget < 0 {
		return
	}
	switch loc := loc.(type) {
	case *stablehlo.FileLoc:
		if m.SourceFile == "" {
			m.SourceFile, m.SourceLine, m.SourceColumn = loc.File, loc.Line, loc.Col
			m.SourceEndLine, m.SourceEndColumn = loc.EndLine, loc.EndCol
		}
	case *stablehlo.NameLoc:
		if m.OpName == "" {
			m.OpName = loc.Name
		}
		describe(m, loc.Child, budget)
	case *stablehlo.CallSiteLoc:
		describe(m, loc.Callee, budget)
		describe(m, loc.Caller, budget)
	case *stablehlo.FusedLoc:
		for _, l := range loc.Locs {
			describe(m, l, budget)
		}
	}
}

// errorAt returns err as an *hlo.Error about operation o: with its place in the file,
// its name, and its location in the user's program.
func (l *lowerer) errorAt(o *stablehlo.Op, err error) error {
	placed := &placedError{}
	if errors.As(err, &placed) {
		return err
	}
	e := &hlo.Error{Err: err}
	if inner, ok := errors.AsType[*op.Error](err); ok {
		e.Label = inner.Label
		cause := inner.Err
		if inner.Attr != "" {
			cause = fmt.Errorf("%s: %w", inner.Attr, cause)
		}
		e.Err = cause
	}
	e.Err = &placedError{op: o.Name, loc: o.Loc, err: e.Err}
	e.Pos = l.pos(o)
	return e
}

// pos returns the place of o in the file.
func (l *lowerer) pos(o *stablehlo.Op) op.Pos {
	return op.Pos{File: l.file, Line: o.Pos.Line, Column: o.Pos.Col}
}

// placedError is an error that names the operation.
type placedError struct {
	op  string
	loc stablehlo.Location
	err error
}

func (e *placedError) Error() string {
	text := e.op + ": " + e.err.Error()
	if _, unknown := e.loc.(stablehlo.UnknownLoc); e.loc != nil && !unknown {
		text += " at " + e.loc.String()
	}
	return text
}

func (e *placedError) Unwrap() error { return e.err }
