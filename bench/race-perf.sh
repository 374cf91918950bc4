#!/bin/sh
# Races Perch against perf on one large recording, in one run, so that the ratios can be trusted more than the seconds.
#
#   bench/race-perf.sh [MILLION_EVENTS] [ROUNDS]      (10, 3)
#
# Records perf sched record -a -- perf bench sched messaging until the file has about so many events (needs the right to record:
# root, or perf_event_paranoid -1), then runs each program in turn, ROUNDS times, and prints the medians of their times and what
# the programs say they read. Needs perf, and Perch built (./perch list machines).
set -eu

million=${1:-10}
rounds=${2:-3}
here=$(cd -P -- "$(dirname -- "$0")" && pwd -P)
perch=$here/../perch
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
trap 'exit 130' INT TERM
data=$work/perf.data

record() {
    perf sched record -a -m 16M -o "$data" -- perf bench sched messaging -g 20 -l "$1" >"$work/record.log" 2>&1 || {
        printf 'race-perf: perf cannot record here: %s\n' "$(tail -n 1 "$work/record.log")" >&2
        exit 1
    }
}

# events FILE: how many events Perch finds, those that it skips included
events() {
    "$perch" audit "$1" --json | awk '
        /"events" : \{/ { inside = 1; next }
        inside && /\}/ { exit }
        inside { gsub(/[^0-9]/, "", $NF); sum += $NF }
        END { print sum + 0 }'
}

# The number of loops that gives the wanted number of events: measured on two short recordings, because starting and ending the
# tasks makes events too.
record 100
short=$(events "$data")
record 300
longer=$(events "$data")
[ "$longer" -gt "$short" ] || longer=$((short + 1))
record $((100 + (million * 1000000 - short) * 200 / (longer - short)))
"$perch" list machines >/dev/null
printf '%s events in %s MB, %s CPUs\n' "$(events "$data")" "$(($(wc -c <"$data") / 1000000))" "$(nproc)"

# timed NAME COMMAND...: appends the seconds that it took to the file NAME
timed() {
    name=$1
    shift
    start=$(date +%s%N)
    "$@" >/dev/null 2>>"$work/errors.log"
    end=$(date +%s%N)
    echo "$(((end - start) / 1000000))" >>"$work/$name"
}

round=0
while [ "$round" -lt "$rounds" ]; do
    timed audit "$perch" audit "$data"
    timed latency perf sched latency -i "$data"
    timed timehist perf sched timehist -i "$data"
    round=$((round + 1))
done

median() {
    sort -n "$work/$1" | awk '{ t[NR] = $1 } END { print t[int((NR + 1) / 2)] }'
}

audit=$(median audit)
for name in audit latency timehist; do
    awk -v name="$name" -v ms="$(median "$name")" -v audit="$audit" 'BEGIN {
        label = name == "audit" ? "perch audit" : "perf sched " name
        printf "%-20s %8.2f s  %5.2f times perch audit\n", label, ms / 1000, ms / audit }'
done
