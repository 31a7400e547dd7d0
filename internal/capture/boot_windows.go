package capture

// bootID is empty: Windows has no such thing that is kept for all to read.
func bootID() string { return "" }
