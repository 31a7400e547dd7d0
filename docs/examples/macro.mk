# Single lines of this Makefile run captured.
include scripts/spool.mk

count:
	@$(spool) seq 1 3
