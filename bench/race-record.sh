#!/bin/sh
# Races perch record against perf sched record on one busy machine, in one run, so that the ratios can be trusted more than the seconds.
#
#   bench/race-record.sh [LOOPS] [ROUNDS]      (500000, 5)
#
# Runs perf bench sched pipe alone, under perch record (perf events and tracefs) and under perf sched record in turn, ROUNDS times, each with the
# same affinity (that of this script) and at nice 0, and prints the medians: how much slower the benchmark is while it is recorded, what is recorded
# a second, and what is lost. Recordings are written to TMPDIR. Needs root, perf, and Perch built (./perch list machines); run it on a machine that
# does nothing else.
set -eu

loops=${1:-500000}
rounds=${2:-5}
here=$(cd -P -- "$(dirname -- "$0")" && pwd -P)
perch=$here/../perch
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
trap 'exit 130' INT TERM

fail() {
    printf 'race-record: %s\n' "$1" >&2
    exit 1
}

# The benchmark's own time in seconds, from its output FILE: starting a recorder and writing the end of its file is not counted.
seconds() {
    awk '/Total time:/ { print $3; found = 1 } END { exit !found }' "$1" || fail "the benchmark did not end: $(tail -n 1 "$1")"
}

# events FILE: how many events Perch finds in a recording, those that it skips included; then how many were lost
events() {
    "$perch" audit "$1" --json | awk '
        /"lost" : / && !lostSeen { lost = $0; gsub(/[^0-9]/, "", lost); lostSeen = 1 }
        /"events" : \{/ { inside = 1; next }
        inside && /\}/ { inside = 0 }
        inside { gsub(/[^0-9]/, "", $NF); sum += $NF }
        END { print sum + 0, lost + 0 }'
}

bench() {
    perf bench sched pipe -l "$loops"
}

# note NAME FILE: appends seconds, events and lost events of a run whose output lies in $work/out to the list NAME
note() {
    time=$(seconds "$work/out")
    if [ -n "$2" ]; then
        [ -s "$2" ] || fail "$1 wrote no recording: $(tail -n 1 "$work/out")"
        counted=$(events "$2")
        rm -f -- "$2"
    else
        counted='0 0'
    fi
    printf '%s %s\n' "$time" "$counted" >>"$work/$1"
}

alone() {
    bench >"$work/out" 2>&1 || fail "perf bench fails: $(tail -n 1 "$work/out")"
    note alone ''
}

with_perch() {
    "$perch" record --via "$1" -o "$work/perch.$1" -- perf bench sched pipe -l "$loops" >"$work/out" 2>&1 ||
        fail "perch cannot record here: $(tail -n 1 "$work/out")"
    note "perch-$1" "$work/perch.$1"
}

with_perf() {
    perf sched record -o "$work/perf.data" -- perf bench sched pipe -l "$loops" >"$work/out" 2>&1 ||
        fail "perf cannot record here: $(tail -n 1 "$work/out")"
    note perf "$work/perf.data"
}

"$perch" list machines >/dev/null
round=0
while [ "$round" -lt "$rounds" ]; do
    alone
    with_perch perf
    with_perf
    with_perch tracefs
    round=$((round + 1))
done

# median NAME COLUMN
median() {
    sort -n -k "$2,$2" "$work/$1" | awk -v column="$2" '{ v[NR] = $column } END { print v[int((NR + 1) / 2)] }'
}

base=$(median alone 1)
printf '%s loops of perf bench sched pipe, medians of %s rounds, %s CPUs\n' "$loops" "$rounds" "$(nproc)"
for name in alone perch-perf perf perch-tracefs; do
    most=$(sort -n -k 3,3 "$work/$name" | awk 'END { print $3 }')
    awk -v name="$name" -v s="$(median "$name" 1)" -v base="$base" -v events="$(median "$name" 2)" \
        -v lost="$(median "$name" 3)" -v most="$most" 'BEGIN {
        label["alone"] = "alone"
        label["perch-perf"] = "perch record"
        label["perch-tracefs"] = "perch record --via tracefs"
        label["perf"] = "perf sched record"
        printf "%-27s %8.3f s  %5.2f times alone", label[name], s, s / base
        if (name != "alone") printf "  %9.0f events/s  %8d lost (worst round %d)", events / s, lost, most
        printf "\n" }'
done
