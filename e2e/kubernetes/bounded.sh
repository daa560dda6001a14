# shellcheck shell=sh
# Commands that are ended with all that they have started, and files that go with the script. Read by scripts of sh and of bash.

bounded_group=
# A file or directory that is removed when the script ends.
temporary=

# bounded SECONDS COMMAND...: runs the command in a process group of its own. It ends the group after these seconds, or when the script ends.
# Ctrl-C does not reach the group, but interrupts the script, which waits. timeout --foreground would end one process, and leave its children.
bounded() {
    setpriv --pdeathsig TERM timeout --kill-after=5 "$@" <&3 3<&- &
    bounded_group=$!
    bounded_status=0
    wait "$bounded_group" || bounded_status=$?
    end_bounded
    return "$bounded_status"
} 3<&0

end_bounded() {
    [ -n "$bounded_group" ] || return 0
    kill "$bounded_group" 2>/dev/null || true # It may have ended. It passes the signal on to its group.
    wait "$bounded_group" 2>/dev/null || true
    kill -s KILL -- "-$bounded_group" 2>/dev/null || true # Those that outlived the signal.
    bounded_group=
}

# Removes the temporary files. A command that was ended may have left file systems of the machine mounted below them, whose files are not to be removed.
leave() {
    trap '' HUP INT TERM # It takes seconds at most.
    end_bounded
    [ -n "$temporary" ] || return 0
    awk -v below="$temporary/" 'index($2, below) == 1 { print $2 }' /proc/mounts | sort -r | while read -r mounted; do
        umount "$mounted" || umount --lazy "$mounted" || true
    done
    rm -rf --one-file-system "$temporary"
}

trap leave EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
