package exec

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestCgroupLimit(t *testing.T) {
	for _, test := range []struct {
		name, files string // lines "path: content"
		want        float64
	}{
		{"no files", "", 0},
		{"version 2", "proc/self/cgroup: 0::/a/b\nsys/fs/cgroup/a/b/cpu.max: 150000 100000", 1.5},
		{"version 2, no limit", "proc/self/cgroup: 0::/a\nsys/fs/cgroup/a/cpu.max: max 100000", 0},
		{
			"the group above has less",
			"proc/self/cgroup: 0::/a/b\nsys/fs/cgroup/a/b/cpu.max: 400000 100000\nsys/fs/cgroup/a/cpu.max: 200000 100000", 2,
		},
		{
			"the group above has no limit",
			"proc/self/cgroup: 0::/a/b\nsys/fs/cgroup/a/b/cpu.max: 400000 100000\nsys/fs/cgroup/a/cpu.max: max 100000", 4,
		},
		{"a path of the host in a container", "proc/self/cgroup: 0::/../x\nsys/fs/cgroup/cpu.max: 50000 100000", 0.5},
		{
			"version 1", "proc/self/cgroup: 4:cpu,cpuacct:/d\nsys/fs/cgroup/cpu,cpuacct/d/cpu.cfs_quota_us: 300000\n" +
				"sys/fs/cgroup/cpu,cpuacct/d/cpu.cfs_period_us: 100000", 3,
		},
		{
			"version 1, no limit", "proc/self/cgroup: 4:cpu:/\nsys/fs/cgroup/cpu/cpu.cfs_quota_us: -1\n" +
				"sys/fs/cgroup/cpu/cpu.cfs_period_us: 100000", 0,
		},
		{"another controller", "proc/self/cgroup: 4:memory:/\nsys/fs/cgroup/memory/cpu.cfs_quota_us: 1", 0},
		{"nonsense", "proc/self/cgroup: 0::/a\nsys/fs/cgroup/a/cpu.max: NaN 0", 0},
		{"nonsense in the list", "proc/self/cgroup: what", 0},
	} {
		root := fstest.MapFS{}
		for line := range strings.Lines(test.files) {
			name, content, _ := strings.Cut(line, ": ")
			root[name] = &fstest.MapFile{Data: []byte(content)}
		}
		if got := cgroupLimit(root); got != test.want {
			t.Errorf("%s: expected %v, got %v", test.name, test.want, got)
		}
	}
}
