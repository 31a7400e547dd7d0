# Completion of spool-preview for fish.
# Generated from its --help: go test ./internal/e2e -run TestCompletions -update

# Prints the command, if the tool has some and one was given, then "operands" where
# no option may follow, then the operands before the cursor, each on a line.
function __spool_preview_place
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l valued --head --tail --capture --stream --report --forward --dir --bytes-range --lines --match --max-matches --limit --from --consumer --stdout-chars --stderr-chars --bytes --highlight
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
function __spool_preview_at
    set -l place (__spool_preview_place)
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
function __spool_preview_references
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

complete -c spool-preview -f

complete -c spool-preview -n "__spool_preview_at '' options" -l head -x -d 'filter: characters of the beginning'
complete -c spool-preview -n "__spool_preview_at '' options" -l tail -x -d 'filter: characters of the end'
complete -c spool-preview -n "__spool_preview_at '' options" -l capture -x -a '(__fish_complete_directories)' -d 'be a stage of this capture'
complete -c spool-preview -n "__spool_preview_at '' options" -l stream -x -a 'stdout stderr output' -d 'the stream to report on'
complete -c spool-preview -n "__spool_preview_at '' options" -l report -r -F -d 'write the stage report to a new file'
complete -c spool-preview -n "__spool_preview_at '' options" -l forward -x -a 'all rest' -d 'what the stage before passes on: all, or only what is not kept'
complete -c spool-preview -n "__spool_preview_at '' options" -l dir -x -a '(__fish_complete_directories)' -d 'the namespace that REF is in'
complete -c spool-preview -n "__spool_preview_at '' options" -l bytes-range -x -d 'the bytes A to B, counted from 0, without B'
complete -c spool-preview -n "__spool_preview_at '' options" -l exact -d 'do not shrink a range to whole characters'
complete -c spool-preview -n "__spool_preview_at '' options" -l lines -x -d 'the lines A to B, counted from 1'
complete -c spool-preview -n "__spool_preview_at '' options" -l match -x -d 'where a line matches, with a window around each hit'
complete -c spool-preview -n "__spool_preview_at '' options" -l max-matches -x -d 'hits to show'
complete -c spool-preview -n "__spool_preview_at '' options" -l limit -x -d 'print at most this much of a range'
complete -c spool-preview -n "__spool_preview_at '' options" -l from -x -d 'what is new since this cursor: generation and offset'
complete -c spool-preview -n "__spool_preview_at '' options" -l consumer -x -d 'what is new since this consumer\'s last poll'
complete -c spool-preview -n "__spool_preview_at '' options" -l follow -d 'go on until the stream is final'
complete -c spool-preview -n "__spool_preview_at '' options" -l json -d 'print one object, with its source'
complete -c spool-preview -n "__spool_preview_at '' options" -l stdout-chars -x -d 'characters of stdout; the sum with stderr\'s is shared'
complete -c spool-preview -n "__spool_preview_at '' options" -l stderr-chars -x -d 'characters of stderr'
complete -c spool-preview -n "__spool_preview_at '' options" -l bytes -x -d 'ceiling on all that a preview shows, 64 to 1M'
complete -c spool-preview -n "__spool_preview_at '' options" -l highlight -x -a 'auto off' -d 'lines of the omitted middle to show; auto: the likely cause of a failure'
complete -c spool-preview -n "__spool_preview_at '' options" -l help -d 'print this help'
complete -c spool-preview -n "__spool_preview_at '' options" -l version -d 'print the version'
complete -c spool-preview -n "__spool_preview_at ''" -k -a "(__spool_preview_references)"
