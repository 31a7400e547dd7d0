#!/bin/sh
# The functions of scripts/spool.sh, in the shell that runs this. The tools are
# on PATH; $TEST_SHELL is how to start the same shell again.
set -u

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
TEST_SHELL=${TEST_SHELL:-sh}
work=$(mktemp -d) || exit 1
trap 'umount "$work/full" 2>/dev/null; rm -rf -- "$work"' EXIT
cd -- "$work" || exit 1
export SPOOL_DIR="$work/ns"
unset SPOOL_LABEL SPOOL_NO_LABEL
# shellcheck source=scripts/spool.sh
. "$root/scripts/spool.sh"

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
# holds RULE FILE TEXT
holds() {
  if grep -qF -e "$3" "$2"; then echo "ok $1"; else
    echo "not ok $1: no '$3' in:"
    cat "$2"
    failed=1
  fi
}
# receipt: the last capture's receipt without spaces.
receipt() { tr -d ' \n' <"$spool_capture/receipt.json" >receipt; }

for want in 0 1 7 125 255; do
  spool_run sh -c "exit $want" >out 2>err
  is "status $want is kept" $? $want
  receipt
  holds "status $want is recorded" receipt "\"state\":\"exited\",\"exit_code\":$want,"
done

spool_run sh -c 'echo out; echo err >&2; exit 3' >out 2>err
is "streams stay apart: stdout" "$(cat out)" out
is "streams stay apart: stderr" "$(cat err)" err
is "stored stdout" "$(cat "$spool_capture/stdout")" out
is "stored stderr" "$(cat "$spool_capture/stderr")" err
receipt
holds "capture is complete" receipt '"capture":{"state":"complete","reasons":[]}'
holds "label is the command" receipt '"label":"sh-cechoout;echoerr>&2;exit3"'

printf 'one\ntwo' >in
spool_run cat <in >out 2>err
is "stdin is the command's" "$(cat out)" "$(cat in)"

spool_run printf '<%s>' 'a b' '' '*' "it's" '
' >out 2>err
is "arguments arrive as they are" "$(cat out)" "<a b><><*><it's><
>"

spool_run seq 1 20000 >out 2>err
seq 1 20000 >want
cmp -s want "$spool_capture/stdout"
is "large output is stored byte for byte" $? 0
is "large output is shown within its budget" "$(($(wc -c <out) < 10000))" 1
holds "omission is told" out 'bytes omitted'

# shellcheck disable=SC2317,SC2329 # called by spool_run
leave() {
  echo "in $1"
  exit 9
}
spool_run leave here >out 2>err
is "a function that exits ends itself alone" "$? $(cat out)" "9 in here"

(
  set -eu
  # shellcheck disable=SC2034 # a caller's odd field separator
  IFS=x
  spool_run true
  spool_run sh -c 'exit 4' || echo "or $?"
  spool_run sh -c 'exit 5'
  echo "not reached"
) >out 2>err
is "set -e sees the status" "$? $(cat out)" "5 or 4"

export FIXTURE_PASSWORD=open-sesame-4711
# shellcheck disable=SC2016 # for the inner shell
spool_run sh -c 'echo "out $FIXTURE_PASSWORD"; echo "err $FIXTURE_PASSWORD" >&2' >out 2>err
spool_run echo "$FIXTURE_PASSWORD" >>out 2>>err
grep -rqF open-sesame "$SPOOL_DIR" out err
is "a secret is in no file and no preview" $? 1
holds "its marker is" out '[REDACTED:env:FIXTURE_PASSWORD]'
unset FIXTURE_PASSWORD

: >file
SPOOL_DIR="$work/file" spool_run sh -c 'echo shown; exit 6' >out 2>err
is "no namespace: the command runs all the same" "$? $(cat out)" "6 shown"
is "no namespace: no capture" "$spool_capture" ""
holds "no namespace: said" err spool-receipt:

mkdir empty
# shellcheck disable=SC2123 # that it finds nothing is the point
(PATH="$work/empty" && spool_run echo started) >out 2>err
is "a tool is missing: 125 before the start" "$? $(cat out)" "125 "
holds "a tool is missing: named" err 'spool_run: spool-receipt is not on PATH'

if [ "$(id -u)" = 0 ] && mkdir full && mount -t tmpfs -o size=64k,mode=700 none full 2>/dev/null; then
  SPOOL_DIR="$work/full/ns" spool_run sh -c 'seq 1 90000; exit 8' >out 2>err
  is "full disk: status is kept" $? 8
  holds "full disk: the true tail is shown" out 90000
  holds "full disk: said in the receipt" full/ns/*/receipt.json no-space
  umount full
else
  echo "SKIPPED: full disk: needs root and a tmpfs"
fi

# The whole group gets the signal, as from a terminal; the last words are kept.
# The pipe to cat is open for as long as anything of the line still works.
if command -v setsid >/dev/null; then
  # shellcheck disable=SC2016,SC2086 # for the inner shell; the shell may be two words
  SPOOL_DIR="$work/int" setsid -w $TEST_SHELL -c '
    . "$1"
    spool_run sh -c "echo last words; kill -INT 0; exit 1"
  ' sh "$root/scripts/spool.sh" 2>err | cat >out
  is "interrupt: the last words are shown" "$(cat out)" "last words"
  is "interrupt: and kept" "$(cat int/*/stdout)" "last words"
  tr -d ' \n' <"$(echo int/*/receipt.json)" >receipt
  holds "interrupt: the receipt is published" receipt '"exit_code":130,'
else
  echo "SKIPPED: interrupt: needs setsid"
fi

spool-receipt verify --all >out 2>&1
is "every capture verifies" $? 0

exit "$failed"
