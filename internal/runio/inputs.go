// Package runio is what the commands that run programs have in common: which array of which file goes to which
// parameter of which device, what results are called, what is printed of them, and their comparison.
package runio

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
	"github.com/goxla/xla/shape"
)

// Inputs are the arguments of a run, by device, and the arrays that are no parameter's.
type Inputs struct {
	Args [][]literal.Literal
	Rest []npy.Named
	// Random names the parameters that have random numbers.
	Random []string
}

// Options say where arrays come from.
type Options struct {
	// Files are .npz, .npy and .safetensors files.
	Files []string
	// Random fills parameters without an array from Seed, those of each device in another way.
	Random bool
	Seed   uint64
	// Devices are those whose arguments are wanted; nil means all of them.
	Devices []int
}

// Read reads the files and gives each parameter of each device its array. A parameter of which partitions take
// parts may be given as a whole.
func Read(exe *xla.Executable, o Options) (*Inputs, error) {
	if o.Devices == nil {
		for d := range exe.Devices() {
			o.Devices = append(o.Devices, d)
		}
	}
	return read(exe.Signature(), exe, exe.Devices(), o)
}

// ReadOne is Read for a program of which nothing but its signature is known, on one device.
func ReadOne(sig shape.Program, o Options) (*Inputs, error) {
	o.Devices = []int{0}
	return read(sig, nil, 1, o)
}

func read(sig shape.Program, exe *xla.Executable, devices int, o Options) (*Inputs, error) {
	b := &binder{exe: exe, random: o.Random}
	for _, file := range o.Files {
		list, err := npy.Open(file)
		if err != nil {
			return nil, err
		}
		for _, a := range list {
			b.arrays = append(b.arrays, &input{file: file, key: npy.ParseKey(a.Name), value: a})
		}
	}
	in := &Inputs{Args: make([][]literal.Literal, devices)}
	for _, d := range o.Devices {
		b.rng = rand.New(rand.NewPCG(o.Seed, uint64(d)))
		args, err := b.device(sig, d)
		if err != nil {
			err = cmp.Or(b.twice(), err)
		}
		if err != nil && devices > 1 {
			err = fmt.Errorf("device %d: %w", d, err)
		}
		if err != nil {
			return nil, err
		}
		in.Args[d] = args
	}
	return in, b.rest(in, o.Devices)
}

// rest adds the arrays that are no parameter's of the devices. Those of np.savez by position are for parameters only,
// and a second one of a parameter is an error.
func (b *binder) rest(in *Inputs, devices []int) error {
	in.Random = b.filled
	for _, a := range b.arrays {
		if elsewhere := a.key.Device >= 0 && !slices.Contains(devices, a.key.Device); a.used || elsewhere {
			matches := func(t binding) bool { return t.matches(a.key.Name) }
			if a.key.Device >= len(in.Args) && slices.ContainsFunc(b.bound, matches) {
				return fmt.Errorf("%s: array %s: expects a device in [0, %d), got %d", a.file, a.value.Name, len(in.Args),
					a.key.Device)
			}
			continue
		}
		if n, ok := position(a.key.Name); ok && n >= b.next {
			return fmt.Errorf("%s: array %s: the program has only %d parameters (JAX leaves out unused arguments; "+
				"jax.jit(f, keep_unused=True) keeps them)", a.file, a.value.Name, b.next)
		}
		if err := b.second(a); err != nil {
			return err
		}
		in.Rest = append(in.Rest, a.value)
	}
	return nil
}

// twice returns the error of an array that comes twice, by the same key.
func (b *binder) twice() error {
	for _, a := range b.arrays {
		for _, t := range b.bound {
			if !a.used && a.key == t.by.key {
				return b.second(a)
			}
		}
	}
	return nil
}

// second returns an error if a, which no parameter took, is for one that another array of the same devices was taken
// for.
func (b *binder) second(a *input) error {
	_, unnamed := position(a.key.Name)
	for _, t := range b.bound {
		if t.by.key.Device != a.key.Device {
			continue
		}
		if _, other := position(t.by.key.Name); unnamed && !other || !t.matches(a.key.Name) {
			continue
		}
		hint := ""
		if strings.HasSuffix(a.file, ".npy") && strings.HasSuffix(t.by.file, ".npy") {
			hint = " (the array of a .npy file is parameter 0; give several in a .npz file)"
		}
		return fmt.Errorf("parameter %s: expects one array for it, got %s of %s and %s of %s%s", t, t.by.value.Name,
			t.by.file, a.value.Name, a.file, hint)
	}
	return nil
}

// binding is an array that a parameter, or a leaf of one, took.
type binding struct {
	leaf
	by *input
}

// leaf is an array of the parameters: its number among them and the name of the parameter, "" in a tuple.
type leaf struct{ number, name string }

func (l leaf) String() string {
	if l.name == "" {
		return l.number
	}
	return l.number + " (" + l.name + ")"
}

// matches reports whether an array with a key is for l.
func (l leaf) matches(key string) bool {
	return key == l.number || key == unnamed+l.number || l.name != "" && plainName(key) == plainName(l.name)
}

// input is an array of a file.
type input struct {
	file  string
	key   npy.Key
	value npy.Named
	used  bool // by any device
	taken bool // by a parameter of this device
}

// binder gives arrays to the parameters of a device, counting tuple leaves.
type binder struct {
	arrays []*input
	exe    *xla.Executable // nil: not known
	number int             // of the device
	next   int             // number of the next leaf
	random bool
	rng    *rand.Rand
	sized  bool // sizes of parameters are those of the arrays
	bound  []binding
	filled []string // parameters with random numbers, once each
}

// device returns the arguments of device d.
func (b *binder) device(sig shape.Program, d int) ([]literal.Literal, error) {
	b.number, b.next, b.sized = d, 0, slices.ContainsFunc(sig.Params, shape.Shape.HasUnbounded)
	for _, a := range b.arrays {
		a.taken = false
	}
	var args []literal.Literal
	for i, s := range sig.Params {
		name := ""
		if i < len(sig.Names) {
			name = sig.Names[i]
		}
		arg, err := b.parameter(i, name, s)
		if err != nil {
			return nil, fmt.Errorf("parameter %d (%s): %w", i, name, err)
		}
		args = append(args, arg)
	}
	return args, nil
}

func (b *binder) parameter(i int, name string, s shape.Shape) (literal.Literal, error) {
	if s.IsTuple() {
		elems := make([]literal.Literal, len(s.Elems))
		for k, e := range s.Elems {
			var err error
			if elems[k], err = b.parameter(i, "", e); err != nil {
				return literal.Literal{}, err
			}
		}
		return literal.MakeTuple(elems...), nil
	}
	if s.IsToken() { // of ordered effects: no array of the user's
		return literal.New(s), nil
	}
	number := strconv.Itoa(b.next)
	b.next++
	l := leaf{number, name}
	if a := b.find(number, name); a != nil {
		a.used, a.taken = true, true
		b.bound = append(b.bound, binding{l, a})
		return b.fit(a, i, s)
	}
	if b.random && s.HasUnbounded() {
		return literal.Literal{}, fmt.Errorf("expects an array from --input for the sizes of %s, got --random",
			s.StringNoLayout())
	}
	if b.random {
		if !slices.Contains(b.filled, l.String()) {
			b.filled = append(b.filled, l.String())
		}
		if err := literal.CheckSize(s); err != nil {
			return literal.Literal{}, err
		}
		return randomLiteral(b.rng, s), nil
	}
	random := ", or --random SEED"
	if b.sized {
		random = ", whose sizes are taken"
	}
	return literal.Literal{}, fmt.Errorf("no array for it: expects key %s%s in an --input file%s%s", number,
		orName(name), random, b.keys())
}

// keys says which keys the files have.
func (b *binder) keys() string {
	if len(b.arrays) == 0 {
		return ""
	}
	var names []string
	for _, a := range b.arrays {
		names = append(names, a.value.Name)
	}
	return "; the files have " + listed(names)
}

// listed joins the first names by commas.
func listed(names []string) string {
	const most = 12
	if len(names) > most {
		names = append(slices.Clone(names[:most]), "...")
	}
	return strings.Join(names, ", ")
}

// fit returns the array as what the device takes for parameter i, of shape s: its part of it, or all of it.
func (b *binder) fit(a *input, i int, s shape.Shape) (literal.Literal, error) {
	if b.exe == nil {
		return a.fit(s)
	}
	if whole, ok := b.exe.WholeParam(i); ok {
		if l, err := a.fit(whole); err == nil && a.key.Device < 0 {
			return b.exe.ArgPart(i, b.number, l)
		}
	}
	return a.fit(s)
}

// fit returns the array as a value of the parameter shape s: of its type, and with its
// dimensions where it is a flat array of as many elements.
func (a *input) fit(s shape.Shape) (literal.Literal, error) {
	l, err := retype(a.value.Value, s)
	switch got := l.Shape(); {
	case err != nil || s.Accepts(got):
	case s.IsStatic() && got.Type == s.Type && got.Rank() == 1 && got.Size() == s.Size():
		return l.Reshape(s.Dims...)
	default:
		err = fmt.Errorf("expects %s, got %s%s", s.StringNoLayout(), got.StringNoLayout(), wideHint(s, got))
	}
	if err != nil {
		return l, fmt.Errorf("%s: array %s: %w", a.file, a.value.Name, err)
	}
	return l, nil
}

// wideHint says how to narrow an array of a type that is NumPy's default and not JAX's.
func wideHint(want, got shape.Shape) string {
	narrow := map[shape.ElementType]shape.ElementType{shape.F64: shape.F32, shape.S64: shape.S32, shape.C128: shape.C64}
	if t, ok := narrow[got.Type]; !ok || t != want.Type {
		return ""
	}
	return " (in Python jnp.asarray converts it)"
}

func orName(name string) string {
	if name == "" {
		return ""
	}
	return " or " + plainName(name)
}

// unnamed and a number are the key that np.savez gives to an array without one.
const unnamed = "arr_"

// position returns the number in a key that np.savez gave.
func position(key string) (int, bool) {
	digits, ok := strings.CutPrefix(key, unnamed)
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil
}

// find returns the array of this device keyed by number or by name, else the one of
// all devices, else nil. A key that is the whole name goes before one that is it but for a trailing .N.
func (b *binder) find(number, name string) *input {
	matches := []func(key string) bool{
		func(key string) bool { return key == number },
		func(key string) bool { return name != "" && key == name },
		func(key string) bool { return name != "" && plainName(key) == plainName(name) },
		func(key string) bool { return key == unnamed+number },
	}
	for _, device := range []int{b.number, -1} {
		for _, match := range matches {
			for _, a := range b.arrays {
				if !a.taken && a.key.Device == device && match(a.key.Name) {
					return a
				}
			}
		}
	}
	return nil
}

// plainName cuts a trailing ".N" off.
func plainName(name string) string {
	dot := strings.LastIndexByte(name, '.')
	if dot > 0 && strings.Trim(name[dot+1:], "0123456789") == "" {
		return name[:dot]
	}
	return name
}

// retype reads unsigned integers as elements of type s.Type, where that is a type of
// the same width which NumPy lacks.
func retype(l literal.Literal, s shape.Shape) (literal.Literal, error) {
	t := s.Type
	if l.Type() == t || !l.Type().IsUnsigned() || !t.IsArray() || npy.TypedKey("", t) == "" ||
		l.Type().ByteSize() != t.ByteSize() {
		return l, nil
	}
	if t.Bits() < 8 { // a byte each
		unsigned, _ := shape.ParseElementType("u" + strconv.Itoa(t.Bits()))
		narrow, err := literal.Convert(l, unsigned)
		if err != nil {
			return l, err
		}
		l = narrow
	}
	return literal.BitcastConvert(l, t)
}

// randomLiteral fills an array: floats in [-1, 1), integers in a small range, pred evenly.
func randomLiteral(rng *rand.Rand, s shape.Shape) literal.Literal {
	s.Layout = nil
	l := literal.New(s)
	for i := range l.Len() {
		switch t := s.Type; {
		case t == shape.Pred:
			l.SetBool(i, rng.IntN(2) == 1)
		case t.IsUnsigned():
			l.SetInt(i, int64(rng.IntN(1<<min(t.Bits(), 7))))
		case t.IsInteger():
			half := 1 << min(t.Bits()-1, 6)
			l.SetInt(i, int64(rng.IntN(2*half)-half))
		case t.IsComplex():
			l.SetComplex(i, complex(2*rng.Float64()-1, 2*rng.Float64()-1))
		default:
			l.SetFloat(i, 2*rng.Float64()-1)
		}
	}
	return l
}
