# complete.fish FILE...: completes each line of stdin, and prints "> LINE", then a
# candidate on each line.

for file in $argv
    source $file
end
complete -c foo -f -a '(echo foo-(commandline -ct))'
while read -l line
    echo "> $line"
    complete -C $line | string replace -r '\t.*' ''
end
