# Every recipe of this Makefile runs captured; one that fails points at its log.
SHELL := scripts/spool-sh

greet:
	@echo "hello from $$0's recipe"

broken:
	@echo "half of the work"; exit 3
