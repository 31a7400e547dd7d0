# complete.zsh FILE: completes each line of stdin in an interactive zsh on a
# terminal of its own, and prints "> LINE", then a candidate on each line.

zmodload zsh/zpty
zpty shell zsh -f -i
# ask COMMAND: has the shell run it, and waits until it has.
ask() {
  zpty -w shell "$1; print -r -- rea''dy"
  zpty -r -m shell REPLY '*ready*' || exit 1
}
dir=${1:A:h} result=$(mktemp) || exit 1
trap 'rm -f -- $result' EXIT
ask "stty -echo; PS1= PS2= RPS1= fpath=(${(q)dir} \$fpath) result=${(q)result}; unsetopt zle_bracketed_paste; unset zle_bracketed_paste"
ask 'autoload -Uz compinit; compinit -u -D'
ask '_foo() { compadd -U -- "foo-$words[CURRENT]" }; compdef _foo foo'
# What would be listed goes to a file; it is asked for all the same, so that the
# functions go on as they would.
ask 'compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-[OAD]\ * ]]; then builtin compadd "$@"; return; fi
  local -a hits; builtin compadd -A hits "$@"; print -rl -- $hits >>$result
  builtin compadd "$@"
}'
ask 'answer() { zle complete-word; zle kill-buffer; print -r -- rea""dy }; zle -C complete-word complete-word _main_complete; zle -N answer; bindkey "^I" answer'
while IFS= read -r line; do
  : >$result
  zpty -w -n shell "$line"$'\t'
  zpty -r -m shell REPLY '*ready*' || exit 1
  print -r -- "> $line"
  sed '/^$/d' $result
done
