#!/bin/sh
# scripts/spool-sh and scripts/spool.mk under a real make. The tools are on PATH.
set -u

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
command -v make >/dev/null || {
  echo "SKIPPED: needs make"
  exit 0
}
work=$(mktemp -d) || exit 1
trap 'rm -rf -- "$work"' EXIT
cd -- "$work" || exit 1
export SPOOL_DIR="$work/ns"
unset SPOOL_LABEL SPOOL_NO_LABEL SPOOL_KEEP SPOOL_SH MAKEFLAGS MAKELEVEL

failed=0
# is RULE GOT WANT
is() {
  if [ "$2" = "$3" ]; then
    echo "ok $1"
  else
    echo "not ok $1: got '$2', want '$3'"
    failed=1
  fi
}
# captures: how many there are.
captures() { find "$SPOOL_DIR" -name receipt.json 2>/dev/null | wc -l | tr -d ' '; }

cat >Makefile <<END
SHELL := $root/scripts/spool-sh
words := \$(words \$(shell seq 1 5000))
good: ; @echo "it's \$(words)" && echo and more
bad: ; @echo going wrong; exit 3
secret: ; @echo "\$\$FIXTURE_PASSWORD"
sub: ; @+\$(MAKE) -s -j2 -f sub.mk
END
cat >sub.mk <<END
SHELL := $root/scripts/spool-sh
both: one two
one two: ; @echo \$@
END

make -s good >out 2>err
is "spool-sh: a recipe's output is its own" "$? $(cat out)" "0 it's 5000
and more"

make -s bad >out 2>err
is "spool-sh: a recipe's failure is make's" "$? $(cat out)" "2 going wrong"
ref=$(sed -n 's/^spool-run: .*[ (]\([0-9a-z]\{26\}\).*/\1/p' err | tail -n 1)
spool-receipt show --json "$ref" >shown
is "spool-sh: a failing recipe points at its log" "$(cat "$SPOOL_DIR/$ref/stdout")" "going wrong"
grep -q '"label": *"echo going wrong; exit 3"' shown
is "spool-sh: the label is the recipe" $? 0
grep -q '"exit_code": *3' shown
is "spool-sh: its status is recorded" $? 0

FIXTURE_PASSWORD=open-sesame-4711 make -s secret >out 2>err
grep -rqF open-sesame out err "$SPOOL_DIR"
is "spool-sh: a secret is shown nowhere" $? 1

make -s sub >out 2>err
is "spool-sh: a make within shares the job slots" "$? $(sort out | tr '\n' ' ')" "0 one two "
! grep -q jobserver err
is "spool-sh: nobody misses the job slots" $? 0

rm -rf "$SPOOL_DIR"
cat >Makefile <<END
include $root/scripts/spool.mk
good: ; @\$(spool) echo fine
bad: ; @\$(spool) sh -c 'echo wrong, all of it; exit 3'
END
make -s good >out 2>err
is "spool.mk: a small success is shown as it is" "$? $(cat out err)" "0 fine"
is "spool.mk: and leaves nothing" "$(captures)" 0
make -s bad >out 2>err
is "spool.mk: a failure is make's" "$? $(cat out)" "2 wrong, all of it"
is "spool.mk: and is kept" "$(captures)" 1
make -s good SPOOLFLAGS='--keep always --label mine' >out 2>err
is "spool.mk: its options can be chosen" "$? $(captures)" "0 2"

exit "$failed"
