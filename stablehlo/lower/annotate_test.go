package lower_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/stablehlo/lower"
	"github.com/goxla/xla/stablehlo/mlirtext"
)

// TestAnnotations: what attributes say of devices and memory stands in the module.
func TestAnnotations(t *testing.T) {
	for _, c := range []struct {
		name, args, results, body string
		want                      []string
	}{
		{"aliases", `%x: tensor<2xf32> {tf.aliasing_output = 1 : i32}, %y: tensor<2xf32> {jax.buffer_donor = true}`,
			`tensor<3xf32>, tensor<2xf32>`, `%z = stablehlo.constant dense<0.0> : tensor<3xf32>
return %z, %x : tensor<3xf32>, tensor<2xf32>`,
			[]string{"input_output_alias={ {1}: (0, {}, may-alias) }", "buffer_donor={ (1, {}) }"}},
		{"alias of the only result", `%x: tensor<2xf32> {tf.aliasing_output = 0 : i32}`, `tensor<2xf32>`,
			`%z = stablehlo.negate %x : tensor<2xf32>
return %z : tensor<2xf32>`, []string{"input_output_alias={ {}: (0, {}, may-alias) }"}},
		{"HLO shardings", `%x: tensor<2xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}`,
			`tensor<2xf32> {mhlo.sharding = "{replicated}"}`, `%z = stablehlo.custom_call @Sharding(%x)
  {mhlo.sharding = "{devices=[2]1,0}", mhlo.frontend_attributes = {k = "v"}} : (tensor<2xf32>) -> tensor<2xf32>
%r = stablehlo.negate %z : tensor<2xf32>
return %r : tensor<2xf32>`,
			[]string{"parameter(0), sharding={devices=[2]<=[2]}", "negate(%custom-call), sharding={replicated}",
				`custom_call_target="Sharding", sharding={devices=[2]1,0}, frontend_attributes={k="v"}`}},
		{"Shardy", `%x: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", ?}, {}], replicated={"b"}>},
%y: tensor<4x2xf32>`,
			`tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"b"}]>}, tensor<4x2xf32>`,
			`%z = sdy.sharding_constraint %x <@m, [{"b"}p1, {}]> : tensor<4x2xf32>
return %z, %y : tensor<4x2xf32>, tensor<4x2xf32>`,
			[]string{"parameter(0), sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}",
				"sharding={devices=[2,1,2]<=[2,2]T(1,0) last_tile_dim_replicate}",
				"sharding={{devices=[1,2,2]<=[2,2]T(1,0) last_tile_dim_replicate}, {replicated}}"}},
		{"manual computation", `%x: tensor<4xf32>`, `tensor<4xf32>`,
			`%z = sdy.manual_computation(%x) in_shardings=[<@n, [{"a"}]>] out_shardings=[<@n, [{"a"}]>] manual_axes={"a"}
  (%p: tensor<2xf32>) {
  %q = stablehlo.negate %p : tensor<2xf32>
  sdy.return %q : tensor<2xf32>
} : (tensor<4xf32>) -> tensor<4xf32>
return %z : tensor<4xf32>`,
			[]string{`f32[2]{0} custom-call(%custom-call), custom_call_target="SPMDFullToShardShape", sharding={manual}`,
				`custom_call_target="SPMDShardToFullShape", sharding={devices=[2]1,0}`}},
	} {
		text := `module attributes {mhlo.num_partitions = 4 : i32} {
sdy.mesh @m = <["a"=2, "b"=2]>
sdy.mesh @n = <["a"=2], device_ids=[1, 0]>
func.func @main(` + c.args + ") -> (" + c.results + ") {\n" + c.body + "\n}\n}"
		m, err := mlirtext.Parse("f.mlir", text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		h, err := lower.Module(m, lower.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := hlotext.String(h, hlotext.Default())
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, got)
			}
		}
	}
}

// TestAnnotationErrors: shardings that cannot be read, results that are not there.
func TestAnnotationErrors(t *testing.T) {
	for _, c := range []struct{ attr, want string }{
		{`mhlo.sharding = "{devices=[2"`, "mhlo.sharding: "},
		{`sdy.sharding = #sdy.sharding<@none, [{}]>`, "sdy.sharding: "},
		{`sdy.sharding = #sdy.sharding<@m, [{"c"}]>`, `expects an axis of`},
		{`tf.aliasing_output = 3 : i32`, "expected a result in [0, 1), got 3"},
	} {
		m, err := mlirtext.Parse("f.mlir", `module attributes {mhlo.num_partitions = 4 : i32} {
sdy.mesh @m = <["a"=2, "b"=2]>
func.func @main(%x: tensor<2xf32> {`+c.attr+`}) -> tensor<2xf32> { return %x : tensor<2xf32> }
}`)
		if err != nil {
			t.Errorf("%s: %v", c.attr, err)
			continue
		}
		if _, err := lower.Module(m, lower.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.attr, err, c.want)
		}
	}
}
