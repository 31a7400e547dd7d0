#!/bin/sh
# build.sh: for the sessions in the documentation: says much, prints a secret,
# and fails in the middle of it.
echo "fetching sources with token $DEPLOY_TOKEN"
for n in $(seq 1 900); do
  echo "[$n/900] cc -O2 -Wall -Wextra -c src/part-$n.c -o build/part-$n.o"
  [ "$n" != 412 ] || echo "src/part-412.c:7:1: error: expected ';' before '}' token"
done
echo "build: 1 of 900 files failed" >&2
exit 3
