module github.com/goxla/xla

go 1.26
