package vmath

// atanTangentF64 and atanBaseF64 are the tangent of an angle and the angle, which is a number of f64 but for 2^-10 of
// its last place: it is near the middle of a part. Parts begin at (4+n)*2^k/8 - 1/2, n < 4, and the index is 8 for the
// first one, of which the angle is 0.
var atanTangentF64 = []float64{
	0x1.b91080bef0dd4p0, 0x1.1d01791cff83p1, 0x1.5d7ccecd2ff09p1, 0x1.9dd4ba4158bd5p1,
	0x1.f8920da776f79p1, 0x1.3cf64341c72bdp2, 0x1.7d777c1c84c64p2, 0x1.a26bb5f93ce1ep3,
	0, 0x1.7e89fc0158773p-3, 0x1.3edf9099cbd7bp-2, 0x1.be745c79db624p-2,
	0x1.3c636fa871739p-1, 0x1.bc0e55ae47625p-1, 0x1.1e10dc09e2878p0, 0x1.5e1f8a437bf9fp0,
}

// atanBaseF64: see atanTangentF64.
var atanBaseF64 = []float64{
	0x1.0b7ebfb77b8ddp0, 0x1.260fdec6755adp0, 0x1.383f76cdc8ebdp0, 0x1.4554c67e81966p0,
	0x1.5285ee406a8b9p0, 0x1.5f1e7046bee0ep0, 0x1.6791f6323181bp0, 0x1.7e95616ab44bcp0,
	0, 0x1.7a2e589f7b418p-3, 0x1.3520985348ef2p-2, 0x1.a502a965ba4ecp-2,
	0x1.1b65c40e96cdp-1, 0x1.6dcc73c109999p-1, 0x1.ae7e37aa00a58p-1, 0x1.e1003d892a767p-1,
}

// atanPartF64: x^3 and every second up for atan(x) on [0, 0.1251], with a relative error of 2^-61.6.
var atanPartF64 = []float64{
	-0x1.5555555555555p-2, 0x1.999999999983ap-3, -0x1.249249243a4f9p-3, 0x1.c71c70bed425bp-4,
	-0x1.745c5a08c2c43p-4, 0x1.3acdfd3ba71cap-4, -0x1.044574cbfb7cfp-4,
}

// sinhNearF64: x^3 and every second up for sinh(x) on [0, 0.9005], with a relative error of 2^-62.7.
var sinhNearF64 = []float64{
	0x1.5555555555555p-3, 0x1.1111111111187p-7, 0x1.a01a01a00cd70p-13, 0x1.71de3a5f8675dp-19,
	0x1.ae64500e7ef24p-26, 0x1.6124b652f3c55p-33, 0x1.b120aaa43ae38p-41,
}
