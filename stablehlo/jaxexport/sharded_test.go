package jaxexport_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/goxla/xla/stablehlo/jaxexport"
)

// TestSharded: a function for two platforms and four devices, with arguments in
// dictionaries and tuples, named ones, a symbolic size, disabled checks and its
// derivative. It was made by
//
//	def layer(params, x, *, scale, unused):
//	    y = jnp.tanh(x @ params['w'] + params['b'][0]) * scale
//	    return {'out': y, 'stats': [y.sum(0), None]}
func TestSharded(t *testing.T) {
	data, err := os.ReadFile("testdata/sharded.jaxexport")
	if err != nil {
		t.Fatal(err)
	}
	e, err := jaxexport.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	a, err := e.Module()
	if err != nil {
		t.Fatal(err)
	}
	args, err := e.MainArgs(a.Module)
	if err != nil {
		t.Fatal(err)
	}
	if e.VJP == nil {
		t.Fatal("expected a derivative, got none")
	}
	if _, err := e.VJP.Module(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ name, got, want string }{
		{"signature", e.Signature(), "layer({'b': (float32[4],), 'w': float32[8,4]}, float32[2*n,8], *, " +
			"scale=float32[], unused=int32[3]) -> {'out': float32[2*n,4], 'stats': [float32[4], None]}"},
		{"derivative", e.VJP.Name, "fun_vjp_jax"},
		{"types of the derivative", fmt.Sprint(e.VJP.In),
			"[float32[4] float32[8,4] float32[2*n,8] float32[] int32[3] float32[2*n,4] float32[4]]"},
		{"paths", strings.Join(e.InputPaths(), " "),
			"args[0]['b'][0] args[0]['w'] args[1] kwargs['scale'] kwargs['unused']"},
		{"platforms", fmt.Sprint(e.Platforms, e.NumDevices, e.CallingConvention), "[cpu cuda] 4 10"},
		{"checks", fmt.Sprint(e.DisabledChecks), "[{platform } {custom_call foo}]"},
		{"shardings", fmt.Sprint(e.InShardings[:3]), "[{x=2, y=2} (y) {x=2, y=2} (None, y) {x=2, y=2} (x, None)]"},
		{"results", fmt.Sprint(e.OutShardings), "[unspecified unspecified]"},
		{"arguments", fmt.Sprint(args[:2]), "[{1  0} {0 args[0]['b'][0] 0}]"},
		{"constraints", fmt.Sprint(len(jaxexport.Constraints(a.Module))), "3"},
	} {
		if c.got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, c.got, c.want)
		}
	}
}
