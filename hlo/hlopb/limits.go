package hlopb

// Limits of what is read and written. They bound what malformed or hostile input can
// cost in time and memory; no real program comes near them.
const (
	// MaxBytes is the size of the largest program, read or written: that of protocol buffers.
	MaxBytes = 1<<31 - 1
	// maxDepth is how deep messages may nest: tuple shapes in tuple shapes, for example.
	maxDepth = 1000
	// maxRepeatedShardings bounds the shardings made by repeating one for every leaf of a tuple.
	maxRepeatedShardings = 1 << 22
	// maxListedDevices bounds the device numbers made by writing out short forms of device arrays.
	maxListedDevices = 1 << 24
	// maxOriginGaps bounds the parts without origin that the indices of others leave out.
	maxOriginGaps = 1 << 20
	// maxRecoveryModules bounds the modules in a table of recoveries.
	maxRecoveryModules = 1 << 12
)
