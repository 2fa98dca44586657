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

// asinPartF64: x^3 and every second up for asin(x) on [0, 0.0977], with a relative error of 2^-56.9.
var asinPartF64 = []float64{
	0x1.5555555555a3p-3, 0x1.3333332fada43p-4, 0x1.6db6e8b1dd176p-5, 0x1.f1b1523e7314bp-6, 0x1.76a64e7a74a46p-6,
}

// asinPartsF64 are 16 parts from 0 to pi/2. Angles are numbers of f64 of which tangents and cosines are within 1/20 of
// a unit in the last place; they are where the bound of the error in their parts is least.
var asinPartsF64 = arcParts{
	unit: 15.48, bend: 7.74,
	tangent: []float64{
		0, 0x1.80fb74796646cp-4, 0x1.c8d0fb3941bccp-3, 0x1.8ca87ce45066fp-2,
		0x1.e698780538d86p-2, 0x1.529890588beebp-1, 0x1.a1404033faf7bp-1, 0x1.e97154dcba2f3p-1,
		0x1.30ec9aa46b02ap0, 0x1.709c9d6f502f7p0, 0x1.8e8ba590310d3p0, 0x1.14f72b7e3a4d6p1,
		0x1.4cb95f33c38a7p1, 0x1.c4b517c0a6aa1p1, 0x1.6e04111144accp2, 0x1.172c33f565802p4,
	},
	cosine: []float64{
		0x1p0, 0x1.fdc0db7ae545fp-1, 0x1.f3b83191f5f7bp-1, 0x1.dd6eabbb3af01p-1,
		0x1.ce719fd9ddb3ap-1, 0x1.ab0f85611a02cp-1, 0x1.8ce534b522a5p-1, 0x1.7219825a164c1p-1,
		0x1.4936269fb1d3ep-1, 0x1.240ec7feeb4c4p-1, 0x1.14b57c0f4d159p-1, 0x1.ad95d10b2cae1p-2,
		0x1.6faae8bf7d31ap-2, 0x1.169b595680719p-2, 0x1.60c0adaab0a6bp-3, 0x1.d4bb7bf73c536p-5,
	},
	base: []float64{
		0, 0x1.7fdac4950eeeap-4, 0x1.c1756cc366d27p-3, 0x1.7a6ef1fb76adp-2,
		0x1.c6402b5a8093p-2, 0x1.2b2854ce4a1d6p-1, 0x1.5e1944da07c36p-1, 0x1.8697d61ac14fcp-1,
		0x1.beab0c6063f28p-1, 0x1.ed73a0a13d6afp-1, 0x1.ffe9712d21837p-1, 0x1.234c52e86a341p0,
		0x1.341b986ff52dep0, 0x1.4b95363dd15c9p0, 0x1.65cf0cc364d25p0, 0x1.8377cccf47814p0,
	},
}
