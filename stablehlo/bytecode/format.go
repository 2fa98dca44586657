package bytecode

// Magic begins each bytecode file.
const Magic = "ML\xEFR"

// MaxVersion is the newest version of the container that this package knows.
const MaxVersion = 6

// Versions of the container that changed its form.
const (
	versionDialects   = 1 // dialects may carry a version, names of operations a flag
	versionIsolated   = 2 // isolated regions stand in sections of their own
	versionUseLists   = 3 // orders of uses
	versionLocations  = 4 // locations of block arguments are optional, operations are counted
	versionProperties = 5 // inherent attributes stand in the section of properties
	versionSegments   = 6 // lengths of runs of operands stand there as numbers
)

// Limits of the reader.
const (
	maxAttrDepth   = 500       // nesting of attributes and types
	maxRegionDepth = 500       // nesting of regions
	maxExpanded    = 1 << 20   // nodes of one attribute when written out without sharing
	maxAlign       = 1 << 20   // alignment of a section or blob
	maxElements    = 1 << 40   // elements of a constant; a splat takes no room
	maxWidth       = 1<<24 - 1 // bits of an integer type, as in MLIR
)

// sectionID numbers the sections.
type sectionID int

const (
	sectionString sectionID = iota
	sectionDialect
	sectionAttrType
	sectionAttrTypeOffset
	sectionIR
	sectionResource
	sectionResourceOffset
	sectionDialectVersions
	sectionProperties
	numSections
)

var sectionNames = [numSections]string{
	"String", "Dialect", "AttrType", "AttrTypeOffset", "IR", "Resource", "ResourceOffset", "DialectVersions",
	"Properties",
}

func (s sectionID) String() string {
	if s < 0 || s >= numSections {
		return "unknown"
	}
	return sectionNames[s]
}

// Bits of the mask of an operation.
const (
	hasAttrs      = 0x01
	hasResults    = 0x02
	hasOperands   = 0x04
	hasSuccessors = 0x08
	hasRegions    = 0x10
	hasUseLists   = 0x20
	hasProperties = 0x40
)

// Kinds of resources.
const (
	resourceBlob = iota
	resourceBool
	resourceString
)

// paddingByte fills the room before aligned data.
const paddingByte = 0xCB
