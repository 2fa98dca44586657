package op

import (
	"fmt"
	"testing"
)

func TestReplicaGroupsExpand(t *testing.T) {
	ab := mesh(t, Devices{}, MeshAxis{"a", 2}, MeshAxis{"b", 4})
	swapped := mesh(t, iotaOf(t, []int{2, 4}, []int{4, 2}, []int{1, 0}), ab.Axes...)
	a8 := mesh(t, Devices{}, MeshAxis{"a", 8})
	iota2 := func(dims, reshape, transpose []int) ReplicaGroups {
		g, err := NewIotaGroups(dims, reshape, transpose)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	along := func(m Mesh, axes ...AxisRef) ReplicaGroups {
		g, err := NewMeshGroups(m, axes)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	a, b := AxisRef{Name: "a"}, AxisRef{Name: "b"}
	tests := []struct {
		groups ReplicaGroups
		text   string
		want   string
	}{
		{ReplicaGroups{}, "{}", "[[0 1 2 3 4 5 6 7]]"},
		{ReplicaGroups{Groups: [][]int{{3, 1}, {0, 2}}}, "{{3,1},{0,2}}", "[[3 1] [0 2]]"},
		{iota2([]int{1, 8}, []int{8}, nil), "[1,8]<=[8]", "[[0 1 2 3 4 5 6 7]]"},
		{iota2([]int{8, 1}, []int{8}, nil), "[8,1]<=[8]", "[[0] [1] [2] [3] [4] [5] [6] [7]]"},
		{iota2([]int{2, 4}, []int{4, 2}, []int{1, 0}), "[2,4]<=[4,2]T(1,0)", "[[0 2 4 6] [1 3 5 7]]"},
		{iota2([]int{4, 2}, []int{2, 2, 2}, []int{2, 0, 1}), "[4,2]<=[4,2]T(1,0)", "[[0 2] [4 6] [1 3] [5 7]]"},
		{along(ab, b), "mesh['a'=2,'b'=4] {'b'}", "[[0 1 2 3] [4 5 6 7]]"},
		{along(ab, a), "mesh['a'=2,'b'=4] {'a'}", "[[0 4] [1 5] [2 6] [3 7]]"},
		{along(ab, a, b), "mesh['a'=2,'b'=4] {'a','b'}", "[[0 1 2 3 4 5 6 7]]"},
		{along(ab, b, a), "mesh['a'=2,'b'=4] {'b','a'}", "[[0 4 1 5 2 6 3 7]]"},
		{along(ab, AxisRef{"b", 1, 2}), "mesh['a'=2,'b'=4] {'b':(1)2}", "[[0 2] [1 3] [4 6] [5 7]]"},
		{along(ab, AxisRef{"b", 2, 2}), "mesh['a'=2,'b'=4] {'b':(2)2}", "[[0 1] [2 3] [4 5] [6 7]]"},
		{along(a8, AxisRef{"a", 1, 2}, AxisRef{"a", 4, 2}), "mesh['a'=8] {'a':(1)2,'a':(4)2}", "[[0 1 4 5] [2 3 6 7]]"},
		{along(a8, AxisRef{"a", 4, 2}, AxisRef{"a", 1, 2}), "mesh['a'=8] {'a':(4)2,'a':(1)2}", "[[0 4 1 5] [2 6 3 7]]"},
		{along(swapped, b), "mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)) {'b'}", "[[0 2 4 6] [1 3 5 7]]"},
	}
	for _, test := range tests {
		if got := test.groups.String(); got != test.text {
			t.Errorf("got %s, want %s", got, test.text)
		}
		if got := fmt.Sprint(test.groups.Expand(8)); got != test.want {
			t.Errorf("%s: got %s, want %s", test.text, got, test.want)
		}
	}
}

func TestDeviceGroups(t *testing.T) {
	tests := []struct {
		groups     [][]int
		mode       GroupMode
		replicas   int
		partitions int
		want       string
	}{
		{nil, CrossReplica, 2, 2, "[[0 2] [1 3]]"},
		{[][]int{{1, 0}}, CrossReplica, 2, 3, "[[3 0] [4 1] [5 2]]"},
		{nil, CrossPartition, 2, 2, "[[0 1] [2 3]]"},
		{[][]int{{0, 2}, {1}}, CrossPartition, 2, 3, "[[0 2] [3 5] [1] [4]]"},
		{nil, CrossReplicaAndPartition, 2, 2, "[[0 1 2 3]]"},
		{[][]int{{1}, {0}}, CrossReplicaAndPartition, 2, 2, "[[2 3] [0 1]]"},
		{nil, FlattenedID, 2, 2, "[[0 1 2 3]]"},
		{[][]int{{0, 3}, {1, 2}}, FlattenedID, 2, 2, "[[0 3] [1 2]]"},
	}
	for _, test := range tests {
		g := ReplicaGroups{Groups: test.groups}
		if got := fmt.Sprint(g.DeviceGroups(test.mode, test.replicas, test.partitions)); got != test.want {
			t.Errorf("%v %v, %d replicas, %d partitions: got %s, want %s", g, test.mode, test.replicas,
				test.partitions, got, test.want)
		}
	}
}

func TestCollectiveGroupMode(t *testing.T) {
	tests := []struct {
		channel bool
		global  TriState
		want    GroupMode
		fails   bool
	}{
		{false, Unset, CrossReplica, false},
		{false, False, CrossReplica, false},
		{false, True, 0, true},
		{true, Unset, CrossPartition, false},
		{true, False, CrossReplicaAndPartition, false},
		{true, True, FlattenedID, false},
	}
	for _, test := range tests {
		got, err := CollectiveGroupMode(test.channel, test.global)
		if got != test.want || (err != nil) != test.fails {
			t.Errorf("channel %v, global %v: got %v, %v", test.channel, test.global, got, err)
		}
	}
	if _, err := NewIotaGroups([]int{8}, []int{8}, nil); err == nil {
		t.Error("groups of one dimension: got no error")
	}
}
