// The path is what lets this import the replacer, which is internal to the
// agent. Nothing of it is part of spool.
module github.com/buildkite/agent/v3/peer

go 1.26

require github.com/buildkite/agent/v3 v3.130.0
