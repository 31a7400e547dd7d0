# Completion of spool-redact for fish.
# Generated from its --help: go test ./internal/e2e -run TestCompletions -update

# Prints the command, if the tool has some and one was given, then "operands" where
# no option may follow, then the operands before the cursor, each on a line.
function __spool_redact_place
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l valued --secret-env --secrets-file --disable --pattern --patterns-file --gitleaks --secrets-fd --window --ansi --encoding --audit --capture --stream --report
    set -l commands rules
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
                    case rules
                        set valued
                end
        end
    end
end

# Succeeds where what was typed so far leads to COMMAND ("" for the tool itself),
# and, with "options" as the second word, options may still follow.
function __spool_redact_at
    set -l place (__spool_redact_place)
    if set -q place[1]; and test $place[1] != operands
        test "$place[1]" = "$argv[1]"; or return
        set -e place[1]
    else
        test -z "$argv[1]"; or return
    end
    test "$argv[2]" != options; or not set -q place[1]
end

# Prints the names of redact's rules, and what they find.
function __spool_redact_rules
    spool-redact rules 2>/dev/null </dev/null | string replace -r ' +' \t
end

complete -c spool-redact -f

complete -c spool-redact -n "__spool_redact_at ''" -a rules -d 'Lists the built-in rules'
complete -c spool-redact -n "__spool_redact_at '' options" -l secret-env -x -d 'redact the values of these variables too'
complete -c spool-redact -n "__spool_redact_at '' options" -l no-secret-env -d 'not those of variables named like secrets'
complete -c spool-redact -n "__spool_redact_at '' options" -l secrets-file -r -F -d 'redact the lines of this private file'
complete -c spool-redact -n "__spool_redact_at '' options" -l disable -x -a '(__spool_redact_rules)' -d 'do without this rule; spool-redact rules lists them'
complete -c spool-redact -n "__spool_redact_at '' options" -l pattern -x -d 'redact what matches, or its first group'
complete -c spool-redact -n "__spool_redact_at '' options" -l patterns-file -r -F -d 'the same, one a line'
complete -c spool-redact -n "__spool_redact_at '' options" -l gitleaks -r -F -d 'use the rules of a gitleaks.toml'
complete -c spool-redact -n "__spool_redact_at '' options" -l secrets-fd -x -d 'redact the lines read from this descriptor'
complete -c spool-redact -n "__spool_redact_at '' options" -l window -x -d 'hold at most this much undecided text'
complete -c spool-redact -n "__spool_redact_at '' options" -l ansi -x -a 'strip keep' -d 'what becomes of escape sequences'
complete -c spool-redact -n "__spool_redact_at '' options" -l encoding -x -a 'auto utf-8 utf-16le utf-16be utf-32le utf-32be iso-8859-1 iso-8859-2 iso-8859-15 windows-1250 windows-1251 windows-1252 koi8-r koi8-u cp437 macintosh shift_jis euc-jp iso-2022-jp euc-kr gbk gb18030 big5' -d 'of the input'
complete -c spool-redact -n "__spool_redact_at '' options" -l no-redact -d 'decode and strip only'
complete -c spool-redact -n "__spool_redact_at '' options" -l raw -d 'take the bytes as they come'
complete -c spool-redact -n "__spool_redact_at '' options" -l audit -r -F -d 'list rule, offset and length of each hit in a new file'
complete -c spool-redact -n "__spool_redact_at '' options" -l discard -d 'read to the end and throw everything away'
complete -c spool-redact -n "__spool_redact_at '' options" -l capture -x -a '(__fish_complete_directories)' -d 'be a stage of this capture'
complete -c spool-redact -n "__spool_redact_at '' options" -l stream -x -a 'stdout stderr output' -d 'the stream to report on'
complete -c spool-redact -n "__spool_redact_at '' options" -l report -r -F -d 'write the stage report to a new file'
complete -c spool-redact -n "__spool_redact_at '' options" -l help -d 'print this help'
complete -c spool-redact -n "__spool_redact_at '' options" -l version -d 'print the version'

complete -c spool-redact -n "__spool_redact_at 'rules' options" -l help -d 'print this help'
complete -c spool-redact -n "__spool_redact_at 'rules' options" -l version -d 'print the version'
