package mlirtext

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/goxla/xla/stablehlo"
)

// locationNames holds the aliases of locations, numbered as MLIR numbers them: those
// without locations inside them first, then by depth, each in the order of the text.
type locationNames struct {
	all   []*locationName
	byKey map[string]*locationName
	cache map[stablehlo.Location]*locationName // by identity
}

// locationName is a location that gets an alias.
type locationName struct {
	loc      stablehlo.Location
	depth    int
	late     bool // the alias may come after the module
	children []*locationName
	id       int
	name     string
}

// nameLocations gives aliases to the locations inside op.
func nameLocations(op *stablehlo.Op, generic bool) *locationNames {
	n := &locationNames{byKey: map[string]*locationName{}, cache: map[stablehlo.Location]*locationName{}}
	n.visitOp(op, generic)
	slices.SortStableFunc(n.all, func(a, b *locationName) int { return cmp.Compare(a.depth, b.depth) })
	for i, l := range n.all {
		l.name = "#loc"
		if i > 0 {
			l.name += strconv.Itoa(i)
		}
	}
	return n
}

// visitOp visits the location of an operation and those inside it.
func (n *locationNames) visitOp(op *stablehlo.Op, generic bool) {
	n.visit(op.Loc, true)
	for _, r := range op.Regions {
		for i, b := range r.Blocks {
			if i > 0 || generic || showsArgs(op) {
				for _, v := range b.Args {
					n.visit(v.Loc, false)
				}
			}
			for _, o := range b.Ops {
				n.visitOp(o, generic)
			}
		}
	}
}

// showsArgs reports whether text shows the locations of the arguments of the operation's regions.
func showsArgs(op *stablehlo.Op) bool {
	return op.Name != "stablehlo.while" || !isWhile(op, true)
}

// visit notes a location after those inside it.
func (n *locationNames) visit(l stablehlo.Location, late bool) *locationName {
	if l == nil {
		l = stablehlo.UnknownLoc{}
	}
	known := n.cache[l]
	if known == nil {
		known = n.add(l, late)
		n.cache[l] = known
	}
	if !late {
		known.early()
	}
	return known
}

// early puts the alias, and those inside it, before the module.
func (l *locationName) early() {
	if !l.late {
		return
	}
	l.late = false
	for _, c := range l.children {
		c.early()
	}
}

// add notes a location that was not seen itself; one that equals it may have been.
func (n *locationNames) add(l stablehlo.Location, late bool) *locationName {
	e := &locationName{loc: l, late: late}
	for _, c := range inside(l) {
		child := n.visit(c, late)
		e.children = append(e.children, child)
		e.depth = max(e.depth, child.depth+1)
	}
	key := n.key(l)
	if known := n.byKey[key]; known != nil {
		return known
	}
	e.id = len(n.all)
	n.all = append(n.all, e)
	n.byKey[key] = e
	return e
}

// inside returns the locations that text shows inside l.
func inside(l stablehlo.Location) []stablehlo.Location {
	switch l := l.(type) {
	case *stablehlo.NameLoc:
		if _, unknown := l.Child.(stablehlo.UnknownLoc); l.Child != nil && !unknown {
			return []stablehlo.Location{l.Child}
		}
	case *stablehlo.CallSiteLoc:
		return []stablehlo.Location{l.Callee, l.Caller}
	case *stablehlo.FusedLoc:
		return l.Locs
	}
	return nil
}

// key returns text that is equal for equal locations. The locations inside l, which
// are known, are named by their number.
func (n *locationNames) key(l stablehlo.Location) string {
	return string(stablehlo.AppendLocation(nil, l, func(dst []byte, c stablehlo.Location) ([]byte, bool) {
		known := n.cache[c]
		if known == nil {
			return dst, false
		}
		return strconv.AppendInt(append(dst, '#'), int64(known.id), 10), true
	}))
}

// alias appends the alias of a location.
func (n *locationNames) alias(dst []byte, l stablehlo.Location) ([]byte, bool) {
	known := n.cache[l]
	if known == nil {
		return dst, false
	}
	return append(dst, known.name...), true
}

// printAliases writes the aliases that come before the module, or after it.
func (p *printer) printAliases(late bool) {
	if p.locs == nil {
		return
	}
	for _, l := range p.locs.all {
		if l.late == late {
			p.write(l.name + " = loc(")
			p.dst = append(stablehlo.AppendLocation(p.dst, l.loc, p.locs.alias), ")\n"...)
		}
	}
}

// printLoc writes loc(...): an alias, or the location itself for an argument.
func (p *printer) printLoc(l stablehlo.Location, alias bool) {
	if p.locs == nil {
		return
	}
	if l == nil {
		l = stablehlo.UnknownLoc{}
	}
	p.write(" loc(")
	ok := false
	if alias {
		p.dst, ok = p.locs.alias(p.dst, l)
	}
	if !ok {
		p.dst = stablehlo.AppendLocation(p.dst, l, p.locs.alias)
	}
	p.write(")")
}
