package main

import (
	"strings"

	"golang.org/x/sys/cpu"
)

// cpuFeatures names the vector extensions of this CPU that compiled code may use.
func cpuFeatures() string {
	features := []struct {
		name string
		has  bool
	}{
		{"avx2", cpu.X86.HasAVX2}, {"fma", cpu.X86.HasFMA},
		{"avx512f", cpu.X86.HasAVX512F}, {"avx512bw", cpu.X86.HasAVX512BW}, {"avx512vl", cpu.X86.HasAVX512VL},
		{"avx512vnni", cpu.X86.HasAVX512VNNI}, {"avx512bf16", cpu.X86.HasAVX512BF16},
		{"amx-tile", cpu.X86.HasAMXTile}, {"amx-int8", cpu.X86.HasAMXInt8}, {"amx-bf16", cpu.X86.HasAMXBF16},
		{"asimd", cpu.ARM64.HasASIMD}, {"sve", cpu.ARM64.HasSVE},
	}
	var names []string
	for _, f := range features {
		if f.has {
			names = append(names, f.name)
		}
	}
	if len(names) == 0 {
		return "none known"
	}
	return strings.Join(names, " ")
}
