package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlopb"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/mlirtext"
	"github.com/goxla/xla/stablehlo/raise"
	"github.com/goxla/xla/stablehlo/vhlo"
)

func newConvert() *cobra.Command {
	var form, version string
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Convert a program to another form, told by the extension of OUT",
		Long: `Convert a program. OUT is - for standard output, or a file that ends in .hlo or .txt
for HLO text, in .pb for the binary form, HloModuleProto, in .mlir for StableHLO text, in
.mlirbc for a portable artifact of StableHLO, or in .bc for MLIR bytecode of StableHLO and
CHLO as they are, which has no versions. The form of IN is known by its content.
The program is not verified, but HLO that becomes StableHLO is: what has no StableHLO
form is an error at the instruction. The binary form has no place for the numbers of
replicas and partitions. A portable artifact is of version ` + vhlo.Compatible.String() + `, which readers of
some months ago take, or of the newest where the program needs that.`,
		Args: arguments(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := convert(args[0], args[1], form, version)
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
	cmd.Flags().StringVar(&version, "stablehlo-version", "", "version of a portable artifact: MAJOR.MINOR.PATCH")
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

func convert(in, out, form, version string) ([]byte, error) {
	i := slices.IndexFunc(textForms(), func(f textForm) bool { return f.name == form })
	if i < 0 {
		return nil, fmt.Errorf("--form: expects one of %s, got %q", strings.Join(formNames(), ", "), form)
	}
	ext := filepath.Ext(out)
	if !slices.Contains([]string{".hlo", ".txt", ".pb", ".mlir", ".mlirbc", ".bc"}, ext) && out != "-" {
		return nil, fmt.Errorf("%s: expects an extension .hlo, .txt, .pb, .mlir, .mlirbc or .bc, got %q", out, ext)
	}
	data, err := os.ReadFile(in)
	if err != nil {
		return nil, err
	}
	prog, err := xla.ParseUnverified(in, data)
	if err != nil {
		return nil, err
	}
	if ext == ".mlir" || ext == ".mlirbc" || ext == ".bc" {
		return convertStable(prog, in, ext, version)
	}
	if prog.NeedsShapes() {
		return nil, unknownSizes(in, prog)
	}
	if ext == ".pb" {
		return hlopb.Append(nil, prog.Module())
	}
	return hlotext.Append(nil, prog.Module(), textForms()[i].options), nil
}

// convertStable writes a program as StableHLO text, a portable artifact or plain bytecode.
func convertStable(prog *xla.Program, in, ext, version string) ([]byte, error) {
	m := prog.StableHLO()
	if m == nil {
		var err error
		if m, err = raised(prog.Module(), ext == ".mlirbc"); err != nil {
			return nil, err
		}
	}
	if ext == ".mlir" {
		return mlirtext.AppendText(nil, m, mlirtext.Options{Locations: true}), nil
	}
	write := func() ([]byte, error) { return artifact(m, version) }
	if ext == ".bc" {
		write = func() ([]byte, error) { return vhlo.WritePlain(m) }
	}
	data, err := write()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in, err)
	}
	return data, nil
}

// raised turns HLO into StableHLO.
func raised(m *hlo.Module, portable bool) (*stablehlo.Module, error) {
	if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
		return nil, err
	}
	return raise.Module(m, raise.Options{Portable: portable})
}

// artifact writes a portable artifact of the given version; "" is the oldest of two that
// the program can be written in.
func artifact(m *stablehlo.Module, version string) ([]byte, error) {
	if version != "" {
		v, err := vhlo.ParseVersion(version)
		if err != nil {
			return nil, fmt.Errorf("--stablehlo-version: %w", err)
		}
		return vhlo.Write(m, v)
	}
	if data, err := vhlo.Write(m, vhlo.Compatible); err == nil {
		return data, nil
	}
	return vhlo.Write(m, vhlo.Current)
}

// unknownSizes is the error for a program that has no HLO for itself.
func unknownSizes(file string, prog *xla.Program) error {
	return fmt.Errorf("%s: expects a program whose sizes are all known, got %v "+
		"(xla run %s --input F --dump DIR writes it for those of F)", file, prog.EntrySignature(), file)
}
