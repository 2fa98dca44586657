package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo/hlopb"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/stablehlo/mlirtext"
	"github.com/goxla/xla/stablehlo/vhlo"
)

func newConvert() *cobra.Command {
	var form string
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Convert a program to another form, told by the extension of OUT",
		Long: `Convert a program. OUT is - for standard output, or a file that ends in .hlo or .txt
for HLO text, in .pb for the binary form, HloModuleProto, or, where IN is StableHLO, in
.mlir for its text or .mlirbc for a portable artifact. The form of IN is known
by its content. The program is not verified. The binary form has no place for the
numbers of replicas and partitions.`,
		Args: arguments(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := convert(args[0], args[1], form)
			if err != nil {
				return err
			}
			if args[1] == "-" {
				_, err = cmd.OutOrStdout().Write(text)
				return err
			}
			return os.WriteFile(args[1], text, 0o644)
		},
	}
	cmd.Flags().StringVar(&form, "form", "full", "HLO text: "+strings.Join(formNames(), ", "))
	return cmd
}

// textForm is a way to print HLO text.
type textForm struct {
	name    string
	options hlotext.Options
}

// textForms are the values of --form. Full prints large constants; long also operand shapes.
func textForms() []textForm {
	return []textForm{
		{"default", hlotext.Default()}, {"short", hlotext.ShortParsable()},
		{"canonical", hlotext.Canonical()}, {"full", hlotext.Full()}, {"long", hlotext.Long()},
	}
}

func formNames() []string {
	var names []string
	for _, f := range textForms() {
		names = append(names, f.name)
	}
	return names
}

func convert(in, out, form string) ([]byte, error) {
	i := slices.IndexFunc(textForms(), func(f textForm) bool { return f.name == form })
	if i < 0 {
		return nil, fmt.Errorf("--form: expects one of %s, got %q", strings.Join(formNames(), ", "), form)
	}
	ext := filepath.Ext(out)
	if !slices.Contains([]string{".hlo", ".txt", ".pb", ".mlir", ".mlirbc"}, ext) && out != "-" {
		return nil, fmt.Errorf("%s: expects an extension .hlo, .txt, .pb, .mlir or .mlirbc, got %q", out, ext)
	}
	data, err := os.ReadFile(in)
	if err != nil {
		return nil, err
	}
	prog, err := xla.ParseUnverified(in, data)
	if err != nil {
		return nil, err
	}
	if ext == ".mlir" || ext == ".mlirbc" {
		return convertStable(prog, in, ext)
	}
	if prog.NeedsShapes() {
		return nil, fmt.Errorf("%s: expects a program whose sizes are all known, got %v", in, prog.EntrySignature())
	}
	if ext == ".pb" {
		return hlopb.Append(nil, prog.Module())
	}
	return hlotext.Append(nil, prog.Module(), textForms()[i].options), nil
}

// convertStable writes a program of StableHLO as text or as a portable artifact.
func convertStable(prog *xla.Program, in, ext string) ([]byte, error) {
	m := prog.StableHLO()
	switch {
	case m == nil:
		return nil, fmt.Errorf("%s: expects a program of StableHLO for %s, got %s", in, ext, prog.Form())
	case ext == ".mlir":
		return mlirtext.AppendText(nil, m, mlirtext.Options{Locations: true}), nil
	}
	return vhlo.Write(m, vhlo.Current)
}
