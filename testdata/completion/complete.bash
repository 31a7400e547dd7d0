# complete.bash FILE: completes each line of stdin as if TAB were pressed at its
# end, and prints "> LINE", then a candidate on each line.
# shellcheck shell=bash

# shellcheck source=docs/completions/bash/spool
. "$1"
complete -F completion_of_foo foo
# shellcheck disable=SC2317,SC2329 # called by what is tested
completion_of_foo() {
  local last=${COMP_LINE##*[[:blank:]]}
  [[ $1 == foo && ${COMP_WORDS[0]} == foo && $COMP_LINE == foo* && $COMP_POINT == "${#COMP_LINE}" && ${COMP_WORDS[COMP_CWORD]} == "$last" ]] &&
    COMPREPLY=("foo-$2")
}

# split LINE: sets COMP_WORDS as readline does, which splits at "=" and ":" too.
split() {
  local line=$1
  COMP_WORDS=()
  while [[ $line ]]; do
    if [[ $line =~ ^[[:blank:]]+ ]]; then
      line=${line#"${BASH_REMATCH[0]}"}
      [[ $line ]] || COMP_WORDS+=('')
    elif [[ $line =~ ^[=:]+ || $line =~ ^[^=:[:blank:]]+ ]]; then
      COMP_WORDS+=("${BASH_REMATCH[0]}")
      line=${line#"${BASH_REMATCH[0]}"}
    fi
  done
}

while IFS= read -r line; do
  split "$line"
  COMP_LINE=$line COMP_POINT=${#line} COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
  spec=$(complete -p -- "${COMP_WORDS[0]}")
  [[ $spec =~ ' -F '([^ ]+) ]] && "${BASH_REMATCH[1]}" "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
  printf '> %s\n' "$line"
  for candidate in ${COMPREPLY[@]+"${COMPREPLY[@]}"}; do printf '%s\n' "$candidate"; done
done
