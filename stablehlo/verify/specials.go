package verify

import "sync"

// specials holds the constraints that have a function of their own, by operation.
var specials = sync.OnceValue(func() map[string]specialFunc {
	return map[string]specialFunc{
		"builtin.module": checkModule,
		"func.func":      checkFunc,
		"func.return":    checkFuncReturn,
		"func.call":      checkCall,

		"check.expect_almost_eq_const": checkExpected,
		"check.expect_eq_const":        checkExpected,
		"interpreter.run_parallel":     checkRunParallel,

		"stablehlo.add":                      checkAdd,
		"stablehlo.all_gather":               checkAllGather,
		"stablehlo.all_reduce":               checkAllReduce,
		"stablehlo.bitcast_convert":          checkBitcastConvert,
		"stablehlo.broadcast_in_dim":         checkBroadcastInDim,
		"stablehlo.cholesky":                 checkCholesky,
		"stablehlo.collective_broadcast":     checkCollectiveBroadcast,
		"stablehlo.collective_permute":       checkCollectivePermute,
		"stablehlo.collective_reduce":        checkCollectiveReduce,
		"stablehlo.composite":                checkComposite,
		"stablehlo.convolution":              checkConvolution,
		"stablehlo.cross-replica-sum":        checkCrossReplicaSum,
		"stablehlo.custom_call":              checkCustomCall,
		"stablehlo.dot_general":              checkDotGeneral,
		"stablehlo.dynamic_broadcast_in_dim": checkDynamicBroadcastInDim,
		"stablehlo.dynamic_conv":             checkConvolution,
		"stablehlo.dynamic_iota":             checkDynamicIota,
		"stablehlo.dynamic_pad":              checkDynamicPad,
		"stablehlo.dynamic_reshape":          checkDynamicReshape,
		"stablehlo.infeed":                   checkInfeed,
		"stablehlo.iota":                     checkIota,
		"stablehlo.real_dynamic_slice":       checkRealDynamicSlice,
		"stablehlo.recv":                     checkRecv,
		"stablehlo.reduce":                   checkReduce,
		"stablehlo.reduce_scatter":           checkReduceScatter,
		"stablehlo.reduce_window":            checkReduceWindow,
		"stablehlo.reshape":                  checkReshape,
		"stablehlo.reverse":                  checkReverse,
		"stablehlo.rng_bit_generator":        checkRngBitGenerator,
		"stablehlo.scatter":                  checkScatter,
		"stablehlo.select_and_scatter":       checkSelectAndScatter,
		"stablehlo.send":                     checkSend,
		"stablehlo.sort":                     checkSort,
		"stablehlo.torch_index_select":       checkTorchIndexSelect,
		"stablehlo.transpose":                checkTranspose,
		"stablehlo.uniform_quantize":         checkQuantize,
		"stablehlo.while":                    checkWhile,
	}
})
