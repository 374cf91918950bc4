#!/bin/sh
# Races perch bench against perf bench on the machine it runs on, in turn, so that the ratios can be trusted more than the numbers.
#
#   bench/race-bench.sh [ROUNDS]      (15)
#
# sched pipe with both tasks on one CPU and with none bound, and sched messaging over sockets and pipes; prints the medians and extremes of both and the
# ratio of the medians. Needs perf, taskset, and Perch built (./perch list machines). A machine with other work makes the ratios worthless.
set -eu

rounds=${1:-15}
here=$(cd -P -- "$(dirname -- "$0")" && pwd -P)
perch=${PERCH:-$here/../perch}
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
trap 'exit 130' INT TERM
cpu=$(taskset -pc $$ | sed 's/.*: *//; s/[,-].*//')

perf_pipe() {
    "$@" perf bench sched pipe -l 50000 2>&1 | awk '/usecs\/op/ { print $1 }'
}

perf_messaging() {
    perf bench sched messaging "$@" 2>&1 | awk '/Total time/ { print $3 }'
}

perch_bench() {
    "$perch" bench "$@" --repeats 1 --no-store --json | awk '/"mean"/ { gsub(/[^0-9.]/, "", $3); print $3 }'
}

round=0
while [ "$round" -lt "$rounds" ]; do
    perf_pipe taskset -c "$cpu" >>"$work/pinned.perf"
    perch_bench pipe --pin "$cpu/$cpu" >>"$work/pinned.perch"
    perf_pipe env >>"$work/free.perf"
    perch_bench pipe >>"$work/free.perch"
    perf_messaging >>"$work/sockets.perf"
    perch_bench messaging >>"$work/sockets.perch"
    perf_messaging -p >>"$work/pipes.perf"
    perch_bench messaging --pipe >>"$work/pipes.perch"
    round=$((round + 1))
done

# summary FILE: median, least and most
summary() {
    sort -n "$1" | awk '{ t[NR] = $1 } END { print t[int((NR + 1) / 2)], t[1], t[NR] }'
}

printf '%-22s %24s %24s %7s\n' '' 'perf: median (extremes)' 'perch' 'ratio'
for name in pinned free sockets pipes; do
    case $name in
    pinned) title="pipe, on one CPU [us]" ;;
    free) title="pipe, free [us]" ;;
    sockets) title="messaging [s]" ;;
    *) title="messaging, pipes [s]" ;;
    esac
    echo "$(summary "$work/$name.perf") $(summary "$work/$name.perch")" | awk -v title="$title" '{
        printf "%-22s %8.3f (%5.2f-%5.2f) %8.3f (%5.2f-%5.2f) %7.2f\n", title, $1, $2, $3, $4, $5, $6, $4 / $1 }'
done
