package gomlx

import (
	"os"
	"slices"
	"strings"
	"sync"
	"weak"

	"github.com/goxla/xla/hlo/hlopb"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/pkg/errors"
)

// SaveHLO writes the HLO of the computation that was compiled last among those whose name contains name, as GoMLX
// gives it ("TrainStep"); with "" of the last one of all. A path that ends in .pb gets the binary form, another
// one text. It fails if there is none, and for one with dynamic shapes that has not been executed yet.
//
// The command "xla run" runs such a file.
func (b *Backend) SaveHLO(name, path string) error {
	e := b.compiled.find(name)
	if e == nil {
		return errors.Errorf("%s: expected a compiled computation whose name contains %q, got none", Name, name)
	}
	m, err := e.Module()
	if err != nil {
		return err
	}
	if strings.HasSuffix(path, ".pb") {
		data, err := hlopb.Append(nil, m)
		if err != nil {
			return err
		}
		return os.WriteFile(path, data, 0o644)
	}
	text := hlotext.String(m, hlotext.Options{LargeConstants: true})
	return os.WriteFile(path, []byte(text), 0o644)
}

// executables are those that a backend has compiled, as long as somebody uses them.
type executables struct {
	mu   sync.Mutex
	list []weak.Pointer[Executable]
}

// add adds e, and forgets those that are gone.
func (l *executables) add(e *Executable) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = slices.DeleteFunc(l.list, func(p weak.Pointer[Executable]) bool { return p.Value() == nil })
	l.list = append(l.list, weak.Make(e))
}

// all returns those that are there.
func (l *executables) all() []*Executable {
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []*Executable
	for _, p := range l.list {
		if e := p.Value(); e != nil {
			list = append(list, e)
		}
	}
	return list
}

// find returns the last one whose name contains name; nil for none.
func (l *executables) find(name string) *Executable {
	for _, e := range slices.Backward(l.all()) {
		if strings.Contains(e.builder.name, name) {
			return e
		}
	}
	return nil
}
