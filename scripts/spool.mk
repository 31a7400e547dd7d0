# spool.mk: one macro for Makefiles.
#
#   include scripts/spool.mk
#   test:
#   	$(spool) go test ./...
#
# A recipe line that begins with $(spool) runs captured: it shows the result
# within a budget, keeps its exit status and, when it fails or shows less than
# all, says where the whole output is. It takes one command; for a line with
# shell operators, write $(spool) sh -c '...', or set SHELL to scripts/spool-sh.
#
# SPOOLRUN   the program, spool-run on PATH by default
# SPOOLFLAGS its options; they are also read from SPOOL_DIR and the like

SPOOLRUN ?= spool-run
SPOOLFLAGS ?= --keep failed

spool = $(SPOOLRUN) $(SPOOLFLAGS) --
