package xla_test

import (
	"os"
	"strings"
	"testing"
)

// TestReadmeExample: the Go program in README.md is the body of Example.
func TestReadmeExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```go\n")
	shown, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("README.md has no Go example")
	}
	_, rest, _ = strings.Cut(string(source), "func Example() {\n")
	body, _, _ := strings.Cut(rest, "\t// Output")
	body = strings.ReplaceAll("\n"+body, "\n\t", "\n")
	if strings.TrimSpace(shown) != strings.TrimSpace(body) {
		t.Errorf("README.md shows\n%s\nand Example is\n%s", shown, body)
	}
}
