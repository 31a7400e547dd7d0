package pipeline

// checkSystem tells what the kernel lends to supervision.
func checkSystem() []Finding {
	return []Finding{{GradeWarn, "kernel", "no child subreaper and no pidfd: descendants that leave the command's group escape, and --cancel is refused"}}
}
