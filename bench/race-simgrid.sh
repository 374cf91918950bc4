#!/bin/bash
# Races Perch against SimGrid at a ping-pong of two actors: messages per wall second, each program on one and the same core.
#
#   bench/race-simgrid.sh [ROUNDS] [CORE]      (5, the last one)
#
# A message is one direction of a round trip. Builds ping-pong-simgrid.cpp, then runs, in turn and ROUNDS times, SimGrid with its
# defaults and with faster network models, and Perch with a pair of processes over pipes or TCP loopback, which it wakes, enqueues,
# places and switches between under the rules of a kernel. Prints the medians, from least to most, and the ratios of each round. The
# first column counts the wall time of the simulation only, the second that of the process from start to end, for Perch with the start
# of the Java virtual machine and its compiler, the third the processor time of the whole process, which other load disturbs less.
# Needs g++ and SimGrid (Debian: g++ libsimgrid-dev; installed if this is root there), and Perch built (./perch list machines).
set -euo pipefail

rounds=${1:-5}
core=${2:-$(($(nproc) - 1))}
here=$(cd -P -- "$(dirname -- "$0")" && pwd -P)
perch=$here/../perch
round_trips=500000
simulated=10

fail() {
    printf 'race-simgrid: %s\n' "$*" >&2
    exit 1
}

if ! command -v g++ >/dev/null || [ ! -e /usr/include/simgrid/s4u.hpp ]; then
    if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends g++ libsimgrid-dev >/dev/null
    else
        fail "needs g++ and SimGrid; install the packages g++ and libsimgrid-dev"
    fi
fi
taskset -c "$core" true || fail "there is no core $core to run on; name another one"

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
trap 'exit 130' INT TERM
g++ -O2 -o "$work/ping-pong" "$here/ping-pong-simgrid.cpp" -lsimgrid || fail "cannot build ping-pong-simgrid.cpp"
"$perch" list machines >/dev/null

# timed COMMAND...: runs it on the core, its output to the file out; its seconds, wall and processor's, are then in the file seconds
timed() {
    TIMEFORMAT='%R %U %S'
    { time taskset -c "$core" "$@" >"$work/out" 2>"$work/err"; } 2>"$work/seconds" || fail "$(tail -n 1 "$work/err")"
}

# simgrid NAME OPTION...: appends messages per second of simulation, of process and of processor time to the file NAME
simgrid() {
    local name=$1
    shift
    timed "$work/ping-pong" "$round_trips" --log=root.thres:critical "$@"
    awk 'NR == FNR { whole = $1; processor = $2 + $3; next }
        { print $1 / $2, $1 / whole, $1 / processor }' "$work/seconds" "$work/out" >>"$work/$name"
}

# simulate NAME WORKLOAD KERNEL: the same for Perch
simulate() {
    timed "$perch" run --workload "$2" --machine e5620 --kernel "$3" --duration "${simulated}s" --warmup 0 --repeats 1 --threads 1 --json
    awk -v simulated="$simulated" '
        NR == FNR { whole = $1; processor = $2 + $3; next }
        { gsub(/[][",]/, "") }
        $1 == "unit" { unit = $3 }
        $1 == "runs" { value = $3 }
        $1 == "wallSeconds" { wall = $3 }
        END {
            messages = 2 * simulated * (unit == "us/op" ? 1e6 / value : value)
            print messages / wall, messages / whole, messages / processor
        }' "$work/seconds" "$work/out" >>"$work/$1"
}

round=0
while [ "$round" -lt "$rounds" ]; do
    simgrid simgrid-default
    simulate perch-pipe-v3.2 pipe:pin=0/0 v3.2-rc1
    simgrid simgrid-cm02 --cfg=network/model:CM02 --cfg=network/crosstraffic:0 --cfg=network/optim:Full
    simulate perch-pipe-v6.12 pipe:pin=0/0 v6.12
    simgrid simgrid-constant --cfg=network/model:Constant
    simulate perch-free-v3.2 pipe v3.2-rc1
    simulate perch-tcp-v3.2 tcp-rr v3.2-rc1
    round=$((round + 1))
done

# middle COLUMN FILE: least, median and most of a column
middle() {
    awk -v column="$1" '{ print $column }' "$2" | sort -g |
        awk '{ v[NR] = $1 } END { print v[1], v[int((NR + 1) / 2)], v[NR] }'
}

show() {
    printf '%-46s' "$2"
    middle 1 "$work/$1" | awk '{ printf " %8.0f (%.0f to %.0f)", $2 / 1e3, $1 / 1e3, $3 / 1e3 }'
    middle 2 "$work/$1" | awk '{ printf " %8.0f", $2 / 1e3 }'
    middle 3 "$work/$1" | awk '{ printf " %8.0f\n", $2 / 1e3 }'
}

# ratio OURS THEIRS LABEL: of the same round
ratio() {
    paste -d ' ' "$work/$1" "$work/$2" | awk '{ print $1 / $4 }' >"$work/ratios"
    middle 1 "$work/ratios" | awk -v label="$3" '{ printf "%-46s %8.1f (%.1f to %.1f)\n", label, $2, $1, $3 }'
}

printf '%-46s %s\n' 'thousands of messages per second, one core' 'simulation (least to most), process, processor time'
show simgrid-default 'SimGrid, defaults'
show simgrid-cm02 'SimGrid, CM02, no crosstraffic, full updates'
show simgrid-constant 'SimGrid, constant network'
show perch-pipe-v3.2 'Perch, pipe, both on one CPU, v3.2'
show perch-pipe-v6.12 'Perch, pipe, both on one CPU, v6.12'
show perch-free-v3.2 'Perch, pipe, free, v3.2'
show perch-tcp-v3.2 'Perch, tcp-rr, free, v3.2'
printf '%s\n' 'ratio of simulations in a round, median (least to most)'
for ours in perch-pipe-v3.2 perch-pipe-v6.12 perch-free-v3.2 perch-tcp-v3.2; do
    ratio "$ours" simgrid-default "$ours : simgrid-default"
    ratio "$ours" simgrid-constant "$ours : simgrid-constant"
done
