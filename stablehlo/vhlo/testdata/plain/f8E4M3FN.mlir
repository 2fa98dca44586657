module {
  func.func private @main(f8E4M3FN)
}
