package cpu_test

import (
	"fmt"
	"strings"
	"testing"
)

// rolled moves all elements of an array on, as one line: those at its end come to its front.
const rolled = `HloModule m
ENTRY e {
  x = T[DIMS] parameter(0)
  y = T[DIMS] parameter(1)
  line = T[SIZE] reshape(x)
  rest = T[REST] slice(line), slice={[AT:SIZE]}
  first = T[AT] slice(line), slice={[0:AT]}
  joined = T[SIZE] concatenate(rest, first), dimensions={0}
  moved = T[DIMS] reshape(joined)
  sum = T[DIMS] add(moved, x)
  ROOT o = T[DIMS] multiply(sum, y)
}`

func rolledText(kind, dims string, size, at int) string {
	return strings.NewReplacer("T[", kind+"[", "DIMS", dims, "SIZE", fmt.Sprint(size), "REST", fmt.Sprint(size-at),
		"AT:", fmt.Sprint(at, ":"), "AT", fmt.Sprint(at)).Replace(rolled)
}

// TestRolled: lines that are rolled, of rows of all lengths.
func TestRolled(t *testing.T) {
	for _, kind := range []string{"f32", "f64", "s32", "s16", "u8", "bf16", "c64"} {
		for dims, size := range map[string]int{
			"40,151": 6040, "3,1,7,61": 1281, "1,30,64": 1920, "100,13": 1300, "1030": 1030,
		} {
			for _, at := range []int{1, 64, 613, size - 1, size - 64} {
				text := rolledText(kind, dims, size, at)
				compareWithEvaluator(t, fmt.Sprint(kind, dims, at), []byte(text))
			}
		}
	}
}
