package fsafe

// notInNames: separators, drives and streams, and the wildcards.
const notInNames = "/\\:*?\"<>|\x00"
