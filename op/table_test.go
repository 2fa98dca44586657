package op

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// xlaOpcodes lists the opcodes of XLA with their operand counts; * is any number.
const xlaOpcodes = `
abs(1) acos(1) acosh(1) add(2) add-dependency(2) after-all(*) all-gather(*) all-gather-done(1)
all-gather-start(*) all-reduce(*) all-reduce-done(1) all-reduce-start(*) all-to-all(*) and(2)
asin(1) asinh(1) async-done(1) async-start(*) async-update(*) atan2(2) atanh(1) batch-norm-grad(5)
batch-norm-inference(5) batch-norm-training(3) bitcast(1) bitcast-convert(1) broadcast(1) call(*)
cbrt(1) ceil(1) cholesky(1) clamp(3) collective-broadcast(*) collective-permute(*)
collective-permute-done(1) collective-permute-start(*) compare(2) complex(2) concatenate(*)
conditional(*) constant(0) convert(1) convolution(*) copy(1) copy-done(1) copy-start(1) cosh(1)
cosine(1) count-leading-zeros(1) custom-call(*) divide(2) domain(1) dot(2) dynamic-reshape(*)
dynamic-slice(*) dynamic-update-slice(*) erf(1) exponential(1) exponential-minus-one(1) fft(1)
floor(1) fusion(*) gather(2) get-dimension-size(1) get-tuple-element(1) imag(1) infeed(1) iota(0)
is-finite(1) log(1) log-plus-one(1) logistic(1) map(*) maximum(2) minimum(2) mulhi(2) multiply(2)
negate(1) not(1) opt-barrier(1) or(2) outfeed(2) pad(2) parameter(0) partition-id(0) popcnt(1)
power(2) ragged-all-to-all(6) ragged-dot(3) real(1) recv(1) recv-done(1) reduce(*)
reduce-precision(1) reduce-scatter(*) reduce-window(*) remainder(2) replica-id(0) reshape(1)
reverse(1) rng(*) rng-bit-generator(1) rng-get-and-update-state(0) round-nearest-afz(1)
round-nearest-even(1) rsqrt(1) scaled-dot(4) scan(*) scatter(*) select(3) select-and-scatter(3)
send(2) send-done(1) set-dimension-size(2) shift-left(2) shift-right-arithmetic(2)
shift-right-logical(2) sign(1) sine(1) sinh(1) slice(1) sort(*) sqrt(1) stochastic-convert(2)
subtract(2) tan(1) tanh(1) topk(1) transpose(1) triangular-solve(2) tuple(*) while(1) xor(2)
`

func TestTableHasXLAOpcodes(t *testing.T) {
	var got []string
	for _, c := range Codes() {
		arity := "*"
		if n := c.Info().Arity; n != Variadic {
			arity = strconv.Itoa(n)
		}
		got = append(got, c.String()+"("+arity+")")
	}
	want := strings.Fields(xlaOpcodes)
	if len(want) != 133 {
		t.Fatalf("the list has %d opcodes, want 133", len(want))
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("opcode %d: got %v, want %v", i, got[i:min(i+1, len(got))], want[i:min(i+1, len(want))])
		}
	}
}

func TestTableRowsAreWhole(t *testing.T) {
	for i := range table {
		c, info := Code(i), &table[i]
		if info.Name == "" || info.Infer == nil {
			t.Errorf("row %d %q: expects a name and a shape rule", i, info.Name)
		}
		if c == Invalid {
			continue
		}
		if i > 1 && table[i-1].Name >= info.Name {
			t.Errorf("%q follows %q: expects the constants and rows in the order of the names", info.Name, table[i-1].Name)
		}
		if got, ok := ParseCode(info.Name); !ok || got != c {
			t.Errorf("ParseCode(%q) = %v, %v, want %v", info.Name, got, ok, c)
		}
		if info.Spec == "" || info.Arity < Variadic {
			t.Errorf("%v: expects a section of the specification and an operand count, got %q, %d", c, info.Spec,
				info.Arity)
		}
		if info.Has(Commutative) && info.Arity != 2 {
			t.Errorf("%v: commutative, but takes %d operands", c, info.Arity)
		}
		checkCalls(t, c, info.Calls)
		checkPrototype(t, c, info.Attrs)
	}
}

func checkCalls(t *testing.T, c Code, calls *Calls) {
	switch {
	case calls == nil:
		return
	case len(calls.Names) == 0 || calls.List && len(calls.Names) != 1:
		t.Errorf("%v: expects one name of called computations for a list and at least one otherwise, got %v", c,
			calls.Names)
	case calls.Proto != nil && !isPermutation(calls.Proto, len(calls.Names)):
		t.Errorf("%v: expects proto order a permutation of %d, got %v", c, len(calls.Names), calls.Proto)
	}
	for _, f := range Plan(c.Info().Attrs) {
		if slices.Contains(calls.Names, f.Name) {
			t.Errorf("%v: %s is an attribute and a called computation", c, f.Name)
		}
	}
}

func checkPrototype(t *testing.T, c Code, a Attrs) {
	if a == nil {
		return
	}
	if v := reflect.ValueOf(a); v.Kind() != reflect.Pointer || !v.IsNil() || v.Type().Elem().Kind() != reflect.Struct {
		t.Errorf("%v: expects a nil pointer to a struct as attributes, got %T", c, a)
	}
	if got := NewAttrs(c); reflect.TypeOf(got) != reflect.TypeOf(a) || reflect.ValueOf(got).IsNil() {
		t.Errorf("NewAttrs(%v) = %T, want a fresh %T", c, got, a)
	}
	seen := map[string]bool{}
	for _, f := range Plan(a) {
		if seen[f.Name] || f.Name == "" {
			t.Errorf("%v: attribute %q is there twice", c, f.Name)
		}
		seen[f.Name] = true
		if f.Type == reflect.TypeFor[Word]() && Words(f.Name) == nil {
			t.Errorf("%v: no legal words for %s", c, f.Name)
		}
	}
}

func TestParseCodeUnknown(t *testing.T) {
	for _, s := range []string{"", "invalid", "Abs", "abs ", "zzz"} {
		if c, ok := ParseCode(s); ok {
			t.Errorf("ParseCode(%q) = %v, want none", s, c)
		}
	}
}

func TestCodesAreDense(t *testing.T) {
	if s := Code(NumCodes).String(); s != "invalid" {
		t.Errorf("name of a number that is no code: got %q", s)
	}
	if n := len(Codes()); n != int(NumCodes)-1 {
		t.Errorf("got %d codes, want %d", n, NumCodes-1)
	}
}
