module github.com/goxla/xla/collective/mpi

go 1.26.0

require (
	github.com/ebitengine/purego v0.11.3
	github.com/goxla/xla v0.0.0
	github.com/spf13/cobra v1.10.2
)

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace github.com/goxla/xla => ../..
