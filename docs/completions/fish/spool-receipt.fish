# Completion of spool-receipt for fish.
# Generated from its --help: go test ./internal/e2e -run TestCompletions -update

# Prints the command, if the tool has some and one was given, then "operands" where
# no option may follow, then the operands before the cursor, each on a line.
function __spool_receipt_place
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l valued
    set -l commands begin process finish show list wait claim verify resolve export share
    while set -q tokens[1]
        set -l token $tokens[1]
        switch $token
            case --
                set -e tokens[1]
                printf '%s\n' operands $tokens
                return
            case '--*=*'
                set -e tokens[1]
            case '-?*'
                set -e tokens[1]
                if contains -- $token $valued
                    set -q tokens[1]; or return
                    set -e tokens[1]
                end
            case '*'
                if not contains -- $token $commands
                    printf '%s\n' operands $tokens
                    return
                end
                echo $token
                set -e tokens[1]
                set commands
                switch $token
                    case begin
                        set valued --dir --label --call-id --job-id --parent --streams --upstream --max-bytes --max-namespace --secret-env --secrets-file --disable --pattern --patterns-file --gitleaks --secrets-fd
                    case process
                        set valued --capture --exit --signal --state
                    case finish
                        set valued --capture
                    case show
                        set valued --dir
                    case list
                        set valued --dir --state --since --label
                    case wait
                        set valued --dir --timeout
                    case claim
                        set valued --dir
                    case verify
                        set valued --dir
                    case resolve
                        set valued --dir
                    case export
                        set valued --dir --output -o --streams --max-bytes
                    case share
                        set valued --dir --to --max-namespace
                end
        end
    end
end

# Succeeds where what was typed so far leads to COMMAND ("" for the tool itself),
# and, with "options" as the second word, options may still follow.
function __spool_receipt_at
    set -l place (__spool_receipt_place)
    if set -q place[1]; and test $place[1] != operands
        test "$place[1]" = "$argv[1]"; or return
        set -e place[1]
    else
        test -z "$argv[1]"; or return
    end
    test "$argv[2]" != options; or not set -q place[1]
end

# Prints the references that the namespace knows, the newest first; none where the
# tool fails.
function __spool_receipt_references
    set -l list spool-receipt list --json
    set -l words (commandline -opc)
    for i in (seq (count $words))
        switch $words[$i]
            case --dir
                set -q words[(math $i + 1)]; and set list spool-receipt list --dir $words[(math $i + 1)] --json
            case '--dir=*'
                set list spool-receipt list --dir (string replace -- --dir= '' $words[$i]) --json
        end
    end
    switch (commandline -ct)
        case 'latest/*'
            printf '%s\n' latest/stdout latest/stderr latest/output
        case '*/*'
            $list 2>/dev/null </dev/null | string match -r -a '"ref":"[^"]*"' | string split -f 4 '"'
        case '*'
            printf 'latest\tthe newest\n'
            $list 2>/dev/null </dev/null |
                string replace -f -r '^\{"schema":"[^"]*","id":"([0-9a-z]*)".*?"label":(?:null|"([^"\\\\]*).*).*$' '$1\t$2'
    end
end

# Prints the names of redact's rules, and what they find.
function __spool_receipt_rules
    spool-redact rules 2>/dev/null </dev/null | string replace -r ' +' \t
end

# Completes the command that is to be run, and its arguments.
function __spool_receipt_command
    set -l place (__spool_receipt_place)
    set -l token (commandline -ct)
    set -e place[1]
    if set -q place[1]
        set -e place[1]
    else if string match -q -- '-*' "$token"
        return # an option
    end
    complete -C (string join ' ' -- (string escape -- $place) "$token")
end

complete -c spool-receipt -f

complete -c spool-receipt -n "__spool_receipt_at ''" -a begin -d 'Makes a capture and prints its directory'
complete -c spool-receipt -n "__spool_receipt_at ''" -a process -d 'Records how the command ended, once'
complete -c spool-receipt -n "__spool_receipt_at ''" -a finish -d 'Folds the stages\' reports, checks them against each other and the files, and publishes the receipt'
complete -c spool-receipt -n "__spool_receipt_at ''" -a show -d 'Prints the receipt of a capture'
complete -c spool-receipt -n "__spool_receipt_at ''" -a list -d 'Lists captures, the newest first'
complete -c spool-receipt -n "__spool_receipt_at ''" -a wait -d 'Waits until a capture is final'
complete -c spool-receipt -n "__spool_receipt_at ''" -a claim -d 'Prints the final receipt to exactly one caller: JSON, and on a terminal text unless asked for JSON'
complete -c spool-receipt -n "__spool_receipt_at ''" -a verify -d 'Holds captures against their bytes: sizes, hashes, names, modes, rules'
complete -c spool-receipt -n "__spool_receipt_at ''" -a resolve -d 'Prints the local path of a capture or stream, if it is there'
complete -c spool-receipt -n "__spool_receipt_at ''" -a export -d 'Writes final captures to one file, which unpacks to a namespace'
complete -c spool-receipt -n "__spool_receipt_at ''" -a share -d 'Copies a final capture into another namespace, within that one\'s allowance, and prints the copy\'s reference'
complete -c spool-receipt -n "__spool_receipt_at '' options" -l help -d 'print this help'
complete -c spool-receipt -n "__spool_receipt_at '' options" -l version -d 'print the version'

complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l dir -x -a '(__fish_complete_directories)' -d 'the namespace'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l label -x -d 'label of the capture'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l no-label -d 'leave the label out'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l call-id -x -d 'the caller\'s name for this call'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l job-id -x -d 'the caller\'s name for the job'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l parent -x -k -a '(__spool_receipt_references)' -d 'the capture whose command begins this one'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l streams -x -a 'stdout,stderr stdout stderr output' -d 'stdout,stderr, one of them, or output alone'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l upstream -x -a 'complete truncated unknown' -d 'what the producer declares of its own output'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l max-bytes -x -d 'keep at most this much, over all streams of the capture'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l max-namespace -x -d 'keep at most this much, over all captures of the namespace'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l secret-env -x -d 'redact the values of these variables too'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l no-secret-env -d 'not those of variables named like secrets'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l secrets-file -r -F -d 'redact the lines of this private file'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l disable -x -a '(__spool_receipt_rules)' -d 'do without this rule; spool-redact rules lists them'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l pattern -x -d 'redact what matches, or its first group'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l patterns-file -r -F -d 'the same, one a line'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l gitleaks -r -F -d 'use the rules of a gitleaks.toml'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l secrets-fd -x -d 'redact the lines read from this descriptor'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l help -d 'print this help'
complete -c spool-receipt -n "__spool_receipt_at 'begin' options" -l version -d 'print the version'
complete -c spool-receipt -n "__spool_receipt_at 'begin'" -a "(__spool_receipt_command)"

complete -c spool-receipt -n "__spool_receipt_at 'process' options" -l capture -x -a '(__fish_complete_directories)' -d 'the capture, as begin printed it'
complete -c spool-receipt -n "__spool_receipt_at 'process' options" -l exit -x -d 'its exit code, 0 to 255'
complete -c spool-receipt -n "__spool_receipt_at 'process' options" -l signal -x -a 'SIGHUP SIGINT SIGQUIT SIGILL SIGABRT SIGBUS SIGFPE SIGKILL SIGSEGV SIGPIPE SIGALRM SIGTERM' -d 'the signal that ended it: SIGKILL'
complete -c spool-receipt -n "__spool_receipt_at 'process' options" -l state -x -a 'exited cancelled timeout not-started unknown' -d 'exited if a code or signal is given'
complete -c spool-receipt -n "__spool_receipt_at 'process' options" -l help -d 'print this help'
complete -c spool-receipt -n "__spool_receipt_at 'process' options" -l version -d 'print the version'

complete -c spool-receipt -n "__spool_receipt_at 'finish' options" -l capture -x -a '(__fish_complete_directories)' -d 'the capture, as begin printed it'
complete -c spool-receipt -n "__spool_receipt_at 'finish' options" -l help -d 'print this help'
complete -c spool-receipt -n "__spool_receipt_at 'finish' options" -l version -d 'print the version'

complete -c spool-receipt -n "__spool_receipt_at 'show' options" -l dir -x -a '(__fish_complete_directories)' -d 'the namespace'
complete -c spool-receipt -n "__spool_receipt_at 'show' options" -l json -d 'print JSON'
complete -c spool-receipt -n "__spool_receipt_at 'show' options" -l help -d 'print this help'
complete -c spool-receipt -n "__spool_receipt_at 'show' options" -l version -d 'print the version'
complete -c spool-receipt -n "__spool_receipt_at 'show'" -k -a "(__spool_receipt_references)"

complete -c spool-receipt -n "__spool_receipt_at 'list' options" -l dir -x -a '(__fish_complete_directories)' -d 'the namespace'
complete -c spool-receipt -n "__spool_receipt_at 'list' options" -l json -d 'print JSON'
complete -c spool-receipt -n "__spool_receipt_at 'list' options" -l state -x -a 'running exited cancelled timeout not-started unknown pending complete partial failed disabled unavailable' -d 'only those in this state, of the process or the capture'
complete -c spool-receipt -n "__spool_receipt_at 'list' options" -l failed -d 'only those whose command failed'
complete -c spool-receipt -n "__spool_receipt_at 'list' options" -l since -x -d 'only those begun since then'
complete -c spool-receipt -n "__spool_receipt_at 'list' options" -l label -x -d 'only those whose label holds this'
complete -c spool-receipt -n "__spool_receipt_at 'list' options" -l help -d 'print this help'
complete -c spool-receipt -n "__spool_receipt_at 'list' options" -l version -d 'print the version'

complete -c spool-receipt -n "__spool_receipt_at 'wait' options" -l dir -x -a '(__fish_complete_directories)' -d 'the namespace'
complete -c spool-receipt -n "__spool_receipt_at 'wait' options" -l timeout -x -d 'wait at most this long'
complete -c spool-receipt -n "__spool_receipt_at 'wait' options" -l help -d 'print this help'
complete -c spool-receipt -n "__spool_receipt_at 'wait' options" -l version -d 'print the version'
complete -c spool-receipt -n "__spool_receipt_at 'wait'" -k -a "(__spool_receipt_references)"

complete -c spool-receipt -n "__spool_receipt_at 'claim' options" -l dir -x -a '(__fish_complete_directories)' -d 'the namespace'
complete -c spool-receipt -n "__spool_receipt_at 'claim' options" -l json -d 'print JSON'
complete -c spool-receipt -n "__spool_receipt_at 'claim' options" -l help -d 'print this help'
complete -c spool-receipt -n "__spool_receipt_at 'claim' options" -l version -d 'print the version'
complete -c spool-receipt -n "__spool_receipt_at 'claim'" -k -a "(__spool_receipt_references)"

complete -c spool-receipt -n "__spool_receipt_at 'verify' options" -l dir -x -a '(__fish_complete_directories)' -d 'the namespace'
complete -c spool-receipt -n "__spool_receipt_at 'verify' options" -l all -d 'every capture, and the namespace itself'
complete -c spool-receipt -n "__spool_receipt_at 'verify' options" -l help -d 'print this help'
complete -c spool-receipt -n "__spool_receipt_at 'verify' options" -l version -d 'print the version'
complete -c spool-receipt -n "__spool_receipt_at 'verify'" -k -a "(__spool_receipt_references)"

complete -c spool-receipt -n "__spool_receipt_at 'resolve' options" -l dir -x -a '(__fish_complete_directories)' -d 'the namespace'
complete -c spool-receipt -n "__spool_receipt_at 'resolve' options" -l help -d 'print this help'
complete -c spool-receipt -n "__spool_receipt_at 'resolve' options" -l version -d 'print the version'
complete -c spool-receipt -n "__spool_receipt_at 'resolve'" -k -a "(__spool_receipt_references)"

complete -c spool-receipt -n "__spool_receipt_at 'export' options" -l dir -x -a '(__fish_complete_directories)' -d 'the namespace'
complete -c spool-receipt -n "__spool_receipt_at 'export' options" -l output -s o -r -F -d 'the bundle; must not exist'
complete -c spool-receipt -n "__spool_receipt_at 'export' options" -l streams -x -a 'stdout,stderr stdout stderr output' -d 'only these streams; others are marked unavailable'
complete -c spool-receipt -n "__spool_receipt_at 'export' options" -l max-bytes -x -d 'at most this much, unpacked'
complete -c spool-receipt -n "__spool_receipt_at 'export' options" -l with-metadata -d 'take label, ids and notes along'
complete -c spool-receipt -n "__spool_receipt_at 'export' options" -l help -d 'print this help'
complete -c spool-receipt -n "__spool_receipt_at 'export' options" -l version -d 'print the version'
complete -c spool-receipt -n "__spool_receipt_at 'export'" -k -a "(__spool_receipt_references)"

complete -c spool-receipt -n "__spool_receipt_at 'share' options" -l dir -x -a '(__fish_complete_directories)' -d 'the namespace'
complete -c spool-receipt -n "__spool_receipt_at 'share' options" -l to -x -a '(__fish_complete_directories)' -d 'the receiving namespace'
complete -c spool-receipt -n "__spool_receipt_at 'share' options" -l max-namespace -x -d 'what all captures of that namespace may keep'
complete -c spool-receipt -n "__spool_receipt_at 'share' options" -l with-metadata -d 'take label, ids and notes along'
complete -c spool-receipt -n "__spool_receipt_at 'share' options" -l help -d 'print this help'
complete -c spool-receipt -n "__spool_receipt_at 'share' options" -l version -d 'print the version'
complete -c spool-receipt -n "__spool_receipt_at 'share'" -k -a "(__spool_receipt_references)"
