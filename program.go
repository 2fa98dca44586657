package xla

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlopb"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo/bytecode"
	"github.com/goxla/xla/stablehlo/jaxexport"
)

// Program is a program as it was read from a file.
//
// A program with sizes that are not known, which StableHLO has, cannot run as it is:
// WithShapes returns it for given shapes.
type Program struct {
	module   *hlo.Module // nil for a program with unknown sizes
	form     Form
	verified bool
	stable   *stableProgram // of StableHLO
}

// Form is the kind of file that a program came from.
type Form string

// The forms.
const (
	HLOText        Form = "HLO text"
	HloModuleProto Form = "HloModuleProto" // binary; the module of an HloProto too
	// StableHLOText is StableHLO and CHLO as MLIR text.
	StableHLOText Form = "StableHLO text"
	// StableHLOBytecode is a portable artifact of StableHLO: MLIR bytecode.
	StableHLOBytecode Form = "StableHLO bytecode"
	// JAXExport is a file of jax.export, which holds such an artifact.
	JAXExport Form = "jax.export"
)

// MaxProgramSize is the largest program file that Load reads, in bytes.
const MaxProgramSize int64 = 2 << 30

// Load reads the program in file path, in any form, which it knows by the content,
// and verifies it. Errors are of type *Error with the file's name, or of package os; a file that has none
// of the forms gets one that lists them.
func Load(path string) (*Program, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > MaxProgramSize {
		return nil, fmt.Errorf("%s: expects a program of at most %d bytes, got %d", path, MaxProgramSize, info.Size())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Parse is Load for a program in memory; name stands for the file in errors.
func Parse(name string, data []byte) (prog *Program, err error) {
	prog, err = ParseUnverified(name, data)
	if err != nil {
		return nil, err
	}
	defer recoverError(&err, prog.module)
	if prog.NeedsShapes() {
		return prog, nil
	}
	if err := hlo.Verify(prog.module, hlo.VerifyOptions{}); err != nil {
		return nil, err
	}
	prog.verified = true
	return prog, nil
}

// ParseUnverified is Parse without the verifier: for tools that show or convert
// programs which may be wrong.
func ParseUnverified(name string, data []byte) (prog *Program, err error) {
	defer recoverError(&err, nil)
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, notProgram(name, "nothing: it is empty")
	}
	form := formOf(data)
	var m *hlo.Module
	switch form {
	case HLOText:
		if m, err = hlotext.Parse(string(data), hlotext.ParseOptions{File: name}); err != nil && !looksLikeHLO(data) {
			err = notProgram(name, "text that begins with "+beginning(data))
		}
	case HloModuleProto:
		m, err = hlopb.Parse(data, hlopb.ParseOptions{File: name})
	case StableHLOText, StableHLOBytecode, JAXExport:
		return parseStable(name, data, form)
	default:
		err = notProgram(name, "other binary data, which begins with "+beginning(data))
	}
	if err != nil {
		return nil, err
	}
	return &Program{module: m, form: form}, nil
}

// notProgram returns the error for a file that is none.
func notProgram(name, got string) error {
	return fmt.Errorf("%s: expects a program as %s, %s, %s, %s or %s, got %s", name, HLOText,
		HloModuleProto, StableHLOText, StableHLOBytecode, JAXExport, got)
}

// beginning quotes the first of what data has.
func beginning(data []byte) string {
	const most = 40
	data = bytes.TrimSpace(data[:min(len(data), 2*most)])
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return strconv.Quote(string(bytes.TrimSpace(line[:min(len(line), most)])))
}

// looksLikeHLO reports whether text that is no program was to be HLO: there is a line of a module or its entry, a root,
// or an instruction with its shape.
func looksLikeHLO(data []byte) bool {
	line := regexp.MustCompile(`(?m)^\s*(HloModule|ENTRY)\b|\bROOT\b|^\s*(%?[\w.-]+ += +)?\(?\w+\[[^\n]*\w\(`)
	return line.Match(data[:min(len(data), 1<<20)])
}

// formOf returns the form that data has by its content; "" for none.
func formOf(data []byte) Form {
	switch {
	case bytecode.IsBytecode(data):
		return StableHLOBytecode
	case jaxexport.IsExported(data):
		return JAXExport
	case hlopb.IsProgram(data):
		return HloModuleProto
	case looksLikeText(data) && looksLikeMLIR(data):
		return StableHLOText
	case looksLikeText(data):
		return HLOText
	}
	return ""
}

// looksLikeText reports whether the start of data is text.
func looksLikeText(data []byte) bool {
	head := data[:min(len(data), 4096)]
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	for cut := 0; cut < utf8.UTFMax && cut < len(head); cut++ { // the cut may split a character
		if utf8.Valid(head[:len(head)-cut]) {
			return true
		}
	}
	return len(head) == 0
}

// Module returns the program's module; it is not to be changed. It is nil if the program
// needs shapes.
func (p *Program) Module() *hlo.Module { return p.module }

// Form returns the form of the file.
func (p *Program) Form() Form { return p.form }

// EntrySignature returns the shapes and names of the parameters, and the shape of the result.
// Sizes that are not known are shape.Unbounded.
func (p *Program) EntrySignature() shape.Program {
	if p.NeedsShapes() {
		return p.stable.signature
	}
	return p.module.EntrySignature()
}

// recoverError turns a panic, which is a broken invariant of ours, into an error
// that shows where it happened and the program.
func recoverError(err *error, m *hlo.Module) {
	r := recover()
	if r == nil {
		return
	}
	text := ""
	if m != nil && m.Entry() != nil {
		text = "\nin the program:\n" + clip(hlotext.String(m, hlotext.Options{}), 4000)
	}
	*err = fmt.Errorf("xla: internal error (please report it): %v\n%s%s", r, debug.Stack(), text)
}

func clip(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "") + "\n..."
	}
	return s
}
