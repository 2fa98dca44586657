package stablehlo

// String methods of attributes: each returns the attribute as MLIR writes it.

// String returns the attribute as MLIR writes it.
func (a UnitAttr) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a IntegerAttr) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a FloatAttr) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a StringAttr) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a TypeAttr) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *SymbolRef) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *ArrayAttr) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *DictAttr) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *DenseArrayAttr) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a OpaqueAttr) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a EnumAttr) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *DenseElements) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *DenseStrings) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *DenseResource) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *SparseElements) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a UnknownLoc) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *FileLoc) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *NameLoc) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *CallSiteLoc) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *FusedLoc) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *DotDims) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *RaggedDotDims) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *GatherDims) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *ScatterDims) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *ConvDims) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *ChannelHandle) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *OutputOperandAlias) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *TypeExtensions) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *DotAlgorithm) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *ResultAccuracy) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *AxisRef) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *ReplicaGroupMeshAxes) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *MeshAxis) String() string { return string(a.AppendText(nil)) }

// String returns the attribute as MLIR writes it.
func (a *Mesh) String() string { return string(a.AppendText(nil)) }
