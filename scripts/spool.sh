# spool.sh: the line of tools by hand, as functions to source in dash, bash,
# busybox sh or any other POSIX shell. The tools have to be on PATH.
#
#   . scripts/spool.sh
#   spool_run make test            # runs it captured, returns its status
#   spool-preview "${spool_capture##*/}"
#
# spool_run keeps the command's exit status without pipefail and leaves the
# capture's directory in $spool_capture, empty where there is none. Options are
# given in the environment: SPOOL_DIR, SPOOL_MAX_BYTES, SPOOL_LABEL and so on.
#
# It is what a shell can do, and no more: it waits for descendants that hold the
# pipes, and a command that a signal ended is recorded as the shell reports it,
# exit code 128+n. spool-run does better on both.
# shellcheck shell=sh

# spool_run COMMAND [ARG...]: runs the command, or shell function, with each of
# its streams through a line of tools. 125 if a tool is missing; the command
# was not started then. A namespace that cannot be used costs the capture, not
# the command.
spool_run() {
  spool_capture=''
  for spool__tool in spool-receipt spool-redact spool-tee spool-preview; do
    command -v "$spool__tool" >/dev/null 2>&1 && continue
    echo "spool_run: $spool__tool is not on PATH" >&2
    return 125
  done
  spool_capture=$(spool_begin "$@") || spool_capture=''
  spool__run "$@"
}

# spool_begin COMMAND [ARG...]: begins a capture and prints its directory. The
# command is only its label, unless the environment has another or none.
spool_begin() {
  if [ -n "${SPOOL_LABEL-}${SPOOL_NO_LABEL-}" ]; then
    spool-receipt begin --streams stdout,stderr
  else
    spool-receipt begin --streams stdout,stderr --label "$*"
  fi
}

# spool_stages CAPTURE STREAM: one stream's line, from stdin to a preview on
# stdout. Without a capture (an empty word) nothing is kept.
spool_stages() {
  if [ -n "$1" ]; then
    spool-redact --capture "$1" --stream "$2" |
      spool-tee --capture "$1" --stream "$2" |
      spool-preview --capture "$1" --stream "$2"
  else
    spool-redact | spool-preview
  fi
}

# spool_end CAPTURE STATUS: records how the command ended and publishes the
# receipt.
spool_end() {
  spool-receipt process --capture "$1" --exit "$2" &&
    spool-receipt finish --capture "$1"
}

# spool__run COMMAND [ARG...]: the plumbing, in a subshell of its own.
#
# Descriptors: 3 and 4 are the caller's stdout and stderr, 5 is the pipe to
# the line of stderr, 6 takes the status back. A pipe does so rather than a
# file, since a full disk must not cost the exit status. The command gets none
# of them.
#
# On SIGINT and SIGHUP the command may end and all the rest has to stay. So they
# are ignored before anything else starts, and only what waits for the command
# catches them again, since what is caught is not inherited.
spool__run() (
  set +e
  trap '' INT HUP
  exec 3>&1 4>&2
  status=$(
    exec 6>&1
    {
      {
        trap : INT HUP
        ("$@") 3>&- 4>&- 5>&- 6>&-
        echo "$?" >&6
      } 2>&5 | spool_stages "$spool_capture" stdout >&3 2>&4 3>&- 4>&- 5>&- 6>&-
    } 5>&1 | spool_stages "$spool_capture" stderr >&4 2>&4 3>&- 4>&- 6>&-
  )
  [ -z "$spool_capture" ] || spool_end "$spool_capture" "$status"
  exit "$status"
)
