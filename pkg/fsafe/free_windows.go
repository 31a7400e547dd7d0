package fsafe

func (h handle) free() (int64, bool) { return 0, false }
