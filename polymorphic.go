package xla

import (
	"context"
	"fmt"
	"sync"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// versions are what a program of unknown sizes was compiled to: one executable for each
// combination of argument shapes that it was run with.
type versions struct {
	program *Program
	options []CompileOption

	mu   sync.Mutex
	made map[string]*version
}

// version is one of them. Its mutex is held while it is being compiled.
type version struct {
	mu  sync.Mutex
	exe *Executable
}

// polymorphic returns the executable of a program of unknown sizes, which compiles nothing yet.
func (c *Client) polymorphic(p *Program, opts []CompileOption) *Executable {
	return &Executable{signature: p.EntrySignature(), client: c, grid: grid{1, 1},
		versions: &versions{program: p, options: opts, made: map[string]*version{}}}
}

// ForShapes returns the executable for arguments of the given shapes. Of a program of unknown sizes it is compiled
// at the first call with these shapes, of which there is one; others wait for it. A program of known sizes is
// its own executable. It fails if the shapes do not fit the signature, if the program's own assertions on
// sizes do not hold, or if the program does not compile.
func (e *Executable) ForShapes(ctx context.Context, shapes ...shape.Shape) (*Executable, error) {
	if e.versions == nil {
		return e, checkShapes(e.signature, shapes)
	}
	if err := checkShapes(e.signature, shapes); err != nil {
		return nil, err
	}
	v := e.versions.of(shapes)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.exe != nil {
		return v.exe, nil
	}
	prog, err := e.versions.program.WithShapes(shapes...)
	if err != nil {
		return nil, err
	}
	v.exe, err = e.client.Compile(ctx, prog, e.versions.options...)
	return v.exe, err
}

// of returns the version for shapes, which may not be compiled yet.
func (v *versions) of(shapes []shape.Shape) *version {
	key := shape.MakeTuple(shapes...).StringNoLayout()
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.made[key] == nil {
		v.made[key] = &version{}
	}
	return v.made[key]
}

// close closes all versions.
func (v *versions) close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, e := range v.made {
		e.mu.Lock()
		if e.exe != nil {
			e.exe.Close()
		}
		e.mu.Unlock()
	}
}

// Compilations returns for how many combinations of argument shapes the program has been compiled: 1 for a
// program of known sizes.
func (e *Executable) Compilations() int {
	if e.versions == nil {
		return 1
	}
	e.versions.mu.Lock()
	list := make([]*version, 0, len(e.versions.made))
	for _, v := range e.versions.made {
		list = append(list, v)
	}
	e.versions.mu.Unlock()
	n := 0
	for _, v := range list {
		v.mu.Lock()
		if v.exe != nil {
			n++
		}
		v.mu.Unlock()
	}
	return n
}

// forArgs returns the executable for arguments.
func (e *Executable) forArgs(ctx context.Context, args []literal.Literal) (*Executable, error) {
	if e.versions == nil {
		return e, nil
	}
	shapes := make([]shape.Shape, len(args))
	for i, a := range args {
		if !a.IsValid() {
			return nil, fmt.Errorf("xla: argument %d: expects a value, got none", i)
		}
		shapes[i] = a.Shape().WithDefaultLayouts()
	}
	return e.ForShapes(ctx, shapes...)
}
