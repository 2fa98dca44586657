package hlo

import "fmt"

// Metadata tells where an instruction comes from in the user's program. Fields
// that are zero are absent.
type Metadata struct {
	OpType, OpName   string
	SourceFile       string
	SourceLine       int
	SourceEndLine    int
	SourceColumn     int
	SourceEndColumn  int
	ProfileType      []int
	DeduplicatedName string
	SchedulingName   string
	StackFrameID     int
	Payload          string
}

// Statistics are numbers shown beside an instruction; Index is visualizing_index.
type Statistics struct {
	Index int
	Items []Statistic
}

// Statistic is one named number.
type Statistic struct {
	Name  string
	Value float64
}

// Origin is origin={...}: for each leaf of the result the instruction that first
// made the value. Text is kept in XLA's printed form, without the outer braces.
type Origin struct{ Text string }

// DebugTables are the source tables in front of the computations, keyed by number.
type DebugTables struct {
	FileNames     []NumberedString
	FunctionNames []NumberedString
	FileLocations []FileLocation
	StackFrames   []StackFrame
}

// NumberedString is an entry of FileNames or FunctionNames.
type NumberedString struct {
	ID   int
	Text string
}

// FileLocation is an entry of FileLocations.
type FileLocation struct {
	ID                               int
	FileNameID, FunctionNameID       int
	Line, EndLine, Column, EndColumn int
}

// StackFrame is an entry of StackFrames. ParentFrameID is as in text: one more than the ID of the
// caller's frame; 1 or 0: a root.
type StackFrame struct {
	ID                            int
	FileLocationID, ParentFrameID int
}

func (i *Instruction) errorf(attr, label, format string, args ...any) error {
	e := &Error{Pos: i.Pos, Instr: i.name, Op: i.code, Attr: attr, Label: label, Err: fmt.Errorf(format, args...)}
	if i.comp != nil && e.Pos.IsValid() && e.Pos.File == "" {
		e.Pos.File = i.comp.module.File
	}
	return e
}
