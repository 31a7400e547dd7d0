# Completion of spool-tee for fish.
# Generated from its --help: go test ./internal/e2e -run TestCompletions -update

# Prints the command, if the tool has some and one was given, then "operands" where
# no option may follow, then the operands before the cursor, each on a line.
function __spool_tee_place
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l valued --capture --stream --report --max-bytes --max-namespace --stall --compress --sync --forward
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
function __spool_tee_at
    set -l place (__spool_tee_place)
    if set -q place[1]; and test $place[1] != operands
        test "$place[1]" = "$argv[1]"; or return
        set -e place[1]
    else
        test -z "$argv[1]"; or return
    end
    test "$argv[2]" != options; or not set -q place[1]
end

complete -c spool-tee -f

complete -c spool-tee -n "__spool_tee_at '' options" -l capture -x -a '(__fish_complete_directories)' -d 'be a stage of this capture'
complete -c spool-tee -n "__spool_tee_at '' options" -l stream -x -a 'stdout stderr output' -d 'the stream to keep'
complete -c spool-tee -n "__spool_tee_at '' options" -l report -r -F -d 'write the stage report to a new file'
complete -c spool-tee -n "__spool_tee_at '' options" -l max-bytes -x -d 'keep at most this much, over all streams of the capture'
complete -c spool-tee -n "__spool_tee_at '' options" -l max-namespace -x -d 'keep at most this much, over all captures of the namespace'
complete -c spool-tee -n "__spool_tee_at '' options" -l stall -x -d 'wait at most this long for the disk, in all'
complete -c spool-tee -n "__spool_tee_at '' options" -l compress -x -a 'none zstd' -d 'the files\' form'
complete -c spool-tee -n "__spool_tee_at '' options" -l sync -x -a 'none end always' -d 'when what is kept is made durable'
complete -c spool-tee -n "__spool_tee_at '' options" -l forward -x -a 'all rest' -d 'pass on all, or only what is not kept'
complete -c spool-tee -n "__spool_tee_at '' options" -l help -d 'print this help'
complete -c spool-tee -n "__spool_tee_at '' options" -l version -d 'print the version'
complete -c spool-tee -n "__spool_tee_at ''" -F
