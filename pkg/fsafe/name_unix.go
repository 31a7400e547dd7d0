//go:build unix

package fsafe

const notInNames = "/\x00"
