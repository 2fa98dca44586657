package exec

import (
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

// cpuLimit returns the number of processors whose time the control groups of this process allow, or 0
// where there is no limit.
func cpuLimit() float64 { return cgroupLimit(os.DirFS("/")) }

// cgroupLimit reads the limit from the files of root: the least one of the process's own group and
// those above it, in version 2 (cpu.max) or version 1 (cpu.cfs_quota_us). In a container the path in
// /proc/self/cgroup may be one of the host that does not exist here; the groups above it then count.
func cgroupLimit(root fs.FS) float64 {
	self, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0
	}
	limit := 0.0
	for line := range strings.Lines(string(self)) {
		// hierarchy-ID:controllers:path
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		for dir := path.Join("/", fields[2]); ; dir = path.Dir(dir) {
			limit = lower(limit, groupLimit(root, fields[1], dir))
			if dir == "/" {
				break
			}
		}
	}
	return limit
}

// groupLimit is the limit of one group, or 0.
func groupLimit(root fs.FS, controllers, dir string) float64 {
	if controllers == "" {
		return quota(strings.Fields(read(root, path.Join("sys/fs/cgroup", dir, "cpu.max"))))
	}
	for name := range strings.SplitSeq(controllers, ",") {
		if name == "cpu" {
			base := path.Join("sys/fs/cgroup", controllers, dir)
			return quota([]string{
				strings.TrimSpace(read(root, path.Join(base, "cpu.cfs_quota_us"))),
				strings.TrimSpace(read(root, path.Join(base, "cpu.cfs_period_us"))),
			})
		}
	}
	return 0
}

func read(root fs.FS, name string) string {
	text, _ := fs.ReadFile(root, name)
	return string(text)
}

// quota divides the time allowed by the period. The words "max" and "-1" say that there is no limit.
func quota(words []string) float64 {
	if len(words) != 2 {
		return 0
	}
	allowed, err1 := strconv.ParseFloat(words[0], 64)
	period, err2 := strconv.ParseFloat(words[1], 64)
	if err1 != nil || err2 != nil || !(allowed > 0) || !(period > 0) {
		return 0
	}
	return allowed / period
}

// lower returns the lower one of two limits, of which 0 is none.
func lower(a, b float64) float64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
