# Completion of spool-gc for fish.
# Generated from its --help: go test ./internal/e2e -run TestCompletions -update

# Prints the command, if the tool has some and one was given, then "operands" where
# no option may follow, then the operands before the cursor, each on a line.
function __spool_gc_place
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l valued --dir --grace --older-than --max-total
    set -l commands
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
                end
        end
    end
end

# Succeeds where what was typed so far leads to COMMAND ("" for the tool itself),
# and, with "options" as the second word, options may still follow.
function __spool_gc_at
    set -l place (__spool_gc_place)
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
function __spool_gc_references
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

complete -c spool-gc -f

complete -c spool-gc -n "__spool_gc_at '' options" -l dir -x -a '(__fish_complete_directories)' -d 'the namespace'
complete -c spool-gc -n "__spool_gc_at '' options" -l grace -x -d 'leave alone what has changed within this time'
complete -c spool-gc -n "__spool_gc_at '' options" -l dry-run -d 'change nothing, tell what would be done'
complete -c spool-gc -n "__spool_gc_at '' options" -l json -d 'print JSON'
complete -c spool-gc -n "__spool_gc_at '' options" -l delete -d 'delete these captures, and do nothing else'
complete -c spool-gc -n "__spool_gc_at '' options" -l prune -d 'delete final captures by rule, and do nothing else'
complete -c spool-gc -n "__spool_gc_at '' options" -l older-than -x -d 'with --prune: those published longer ago than this'
complete -c spool-gc -n "__spool_gc_at '' options" -l max-total -x -d 'with --prune: the oldest, until all hold at most this much'
complete -c spool-gc -n "__spool_gc_at '' options" -l keep-failed -d 'with --prune: not those whose command did not succeed'
complete -c spool-gc -n "__spool_gc_at '' options" -l help -d 'print this help'
complete -c spool-gc -n "__spool_gc_at '' options" -l version -d 'print the version'
complete -c spool-gc -n "__spool_gc_at ''" -k -a "(__spool_gc_references)"
