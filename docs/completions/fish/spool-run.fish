# Completion of spool-run for fish.
# Generated from its --help: go test ./internal/e2e -run TestCompletions -update

# Prints the command, if the tool has some and one was given, then "operands" where
# no option may follow, then the operands before the cursor, each on a line.
function __spool_run_place
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l valued --keep --stdin --promote-after --timeout --kill-after --drain --orphans --progress --cancel --dir --label --call-id --job-id --upstream --max-bytes --max-namespace --stall --compress --sync --secret-env --secrets-file --disable --pattern --patterns-file --gitleaks --window --ansi --encoding --secrets-fd --audit --stdout-chars --stderr-chars --bytes --highlight
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
function __spool_run_at
    set -l place (__spool_run_place)
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
function __spool_run_references
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
function __spool_run_rules
    spool-redact rules 2>/dev/null </dev/null | string replace -r ' +' \t
end

# Completes the command that is to be run, and its arguments.
function __spool_run_command
    set -l place (__spool_run_place)
    set -l token (commandline -ct)
    if set -q place[1]
        set -e place[1]
    else if string match -q -- '-*' "$token"
        return # an option
    end
    complete -C (string join ' ' -- (string escape -- $place) "$token")
end

complete -c spool-run -f

complete -c spool-run -n "__spool_run_at '' options" -l keep -x -a 'auto failed always never' -d 'which captures stay'
complete -c spool-run -n "__spool_run_at '' options" -l json -d 'print one JSON object instead of the previews'
complete -c spool-run -n "__spool_run_at '' options" -l live -d 'pass the sanitised output through as it comes'
complete -c spool-run -n "__spool_run_at '' options" -l merge -d 'give COMMAND one pipe for stdout and stderr'
complete -c spool-run -n "__spool_run_at '' options" -l stdin -r -F -a 'inherit null' -d 'what COMMAND reads'
complete -c spool-run -n "__spool_run_at '' options" -l background -d 'print the reference at once; COMMAND runs on'
complete -c spool-run -n "__spool_run_at '' options" -l promote-after -x -d 'return after this time with status 75; COMMAND runs on'
complete -c spool-run -n "__spool_run_at '' options" -l timeout -x -d 'end COMMAND and its descendants after this time; 0 for never'
complete -c spool-run -n "__spool_run_at '' options" -l kill-after -x -d 'time from TERM to KILL'
complete -c spool-run -n "__spool_run_at '' options" -l drain -x -d 'how long descendants may hold the pipes after COMMAND\'s end'
complete -c spool-run -n "__spool_run_at '' options" -l orphans -x -a 'leave kill' -d 'what becomes of descendants that COMMAND leaves'
complete -c spool-run -n "__spool_run_at '' options" -l require-capture -d 'fail before the start if nothing can be kept'
complete -c spool-run -n "__spool_run_at '' options" -l progress -x -a 'auto always never' -d 'a status line on the terminal while COMMAND is silent'
complete -c spool-run -n "__spool_run_at '' options" -l cancel -x -k -a '(__spool_run_references)' -d 'end the command of a running capture'
complete -c spool-run -n "__spool_run_at '' options" -l doctor -d 'check the surroundings'
complete -c spool-run -n "__spool_run_at '' options" -l print-config -d 'show every option in force and where it comes from'
complete -c spool-run -n "__spool_run_at '' options" -l dir -x -a '(__fish_complete_directories)' -d 'the namespace'
complete -c spool-run -n "__spool_run_at '' options" -l label -x -d 'label of the capture; the command line by default'
complete -c spool-run -n "__spool_run_at '' options" -l no-label -d 'leave the label out'
complete -c spool-run -n "__spool_run_at '' options" -l call-id -x -d 'the caller\'s name for this call'
complete -c spool-run -n "__spool_run_at '' options" -l job-id -x -d 'the caller\'s name for the job'
complete -c spool-run -n "__spool_run_at '' options" -l upstream -x -a 'complete truncated unknown' -d 'what COMMAND declares of its own output'
complete -c spool-run -n "__spool_run_at '' options" -l max-bytes -x -d 'keep at most this much, over all streams of the capture'
complete -c spool-run -n "__spool_run_at '' options" -l max-namespace -x -d 'keep at most this much, over all captures of the namespace'
complete -c spool-run -n "__spool_run_at '' options" -l stall -x -d 'wait at most this long for the disk, in all'
complete -c spool-run -n "__spool_run_at '' options" -l compress -x -a 'none zstd' -d 'the files\' form'
complete -c spool-run -n "__spool_run_at '' options" -l sync -x -a 'none end always' -d 'when what is kept is made durable'
complete -c spool-run -n "__spool_run_at '' options" -l secret-env -x -d 'redact the values of these variables too'
complete -c spool-run -n "__spool_run_at '' options" -l no-secret-env -d 'not those of variables named like secrets'
complete -c spool-run -n "__spool_run_at '' options" -l secrets-file -r -F -d 'redact the lines of this private file'
complete -c spool-run -n "__spool_run_at '' options" -l disable -x -a '(__spool_run_rules)' -d 'do without this rule; spool-redact rules lists them'
complete -c spool-run -n "__spool_run_at '' options" -l pattern -x -d 'redact what matches, or its first group'
complete -c spool-run -n "__spool_run_at '' options" -l patterns-file -r -F -d 'the same, one a line'
complete -c spool-run -n "__spool_run_at '' options" -l gitleaks -r -F -d 'use the rules of a gitleaks.toml'
complete -c spool-run -n "__spool_run_at '' options" -l window -x -d 'hold at most this much undecided text'
complete -c spool-run -n "__spool_run_at '' options" -l ansi -x -a 'strip keep' -d 'what becomes of escape sequences'
complete -c spool-run -n "__spool_run_at '' options" -l encoding -x -a 'auto utf-8 utf-16le utf-16be utf-32le utf-32be iso-8859-1 iso-8859-2 iso-8859-15 windows-1250 windows-1251 windows-1252 koi8-r koi8-u cp437 macintosh shift_jis euc-jp iso-2022-jp euc-kr gbk gb18030 big5' -d 'of the input'
complete -c spool-run -n "__spool_run_at '' options" -l no-redact -d 'decode and strip only'
complete -c spool-run -n "__spool_run_at '' options" -l raw -d 'take the bytes as they come'
complete -c spool-run -n "__spool_run_at '' options" -l secrets-fd -x -d 'redact the lines read from this descriptor'
complete -c spool-run -n "__spool_run_at '' options" -l audit -r -F -d 'list each hit in new files FILE.STREAM'
complete -c spool-run -n "__spool_run_at '' options" -l stdout-chars -x -d 'characters of stdout; the sum with stderr\'s is shared'
complete -c spool-run -n "__spool_run_at '' options" -l stderr-chars -x -d 'characters of stderr'
complete -c spool-run -n "__spool_run_at '' options" -l bytes -x -d 'ceiling on all that a preview shows, 64 to 1M'
complete -c spool-run -n "__spool_run_at '' options" -l highlight -x -a 'auto off' -d 'lines of the omitted middle to show; auto: the likely cause of a failure'
complete -c spool-run -n "__spool_run_at '' options" -l help -d 'print this help'
complete -c spool-run -n "__spool_run_at '' options" -l version -d 'print the version'
complete -c spool-run -n "__spool_run_at ''" -a "(__spool_run_command)"
