#!/usr/bin/env bash
# What a change to the structure of the code may not change, and what it is to improve. Nothing else should run meanwhile.
#
#   benches/house.sh rows PROGRAM      a checksum of the first rows of every preset
#   benches/house.sh speed A B         processor time of five presets on one thread, B against A, in turns
#   benches/house.sh size              lines of code, by folder; the size of the release build
#   benches/house.sh cold              time of a cold release build and of a cold `cargo test`, in a new target folder
#   benches/house.sh edit [FILE...]    time of a release build, and of a development build, after a new line in each file
set -euo pipefail
cd "$(dirname "$0")/.."

rows() {
    for file in presets/*.ron; do
        preset=$(basename "$file" .ron)
        # A column of seconds or of speed is of this run alone.
        # The program exits with 3 where a target is not reached.
        sum=$({ timeout 600 "$1" run "$preset" --no-save --json --generations 2 --seed 1 2>/dev/null || true; } |
            sed -E 's/"(seconds|[a-z_]*_share_of_time|measuring_share)":[^,}]*,?//g' | sha256sum | cut -c1-16)
        echo "$preset $sum"
    done
}

# Processor seconds of a command.
processor_seconds() {
    local TIMEFORMAT='%U %S'
    { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ printf "%.2f", $1 + $2 }'
}

speed() {
    while read -r preset generations; do
        a='' b=''
        for _ in 1 2 3 4 5; do
            a+="$(processor_seconds "$1" run "$preset" --no-save --threads 1 --seed 1 --generations "$generations") "
            b+="$(processor_seconds "$2" run "$preset" --headless --no-save --threads 1 --seed 1 --generations "$generations") "
        done
        echo "$preset $generations generations: $a against $b" | awk '{ print }'
        paste <(tr ' ' '\n' <<<"$a" | grep . | sort -n) <(tr ' ' '\n' <<<"$b" | grep . | sort -n) |
            awk '{ a[NR] = $1; b[NR] = $2 } END { printf "  best %.3f, median %.3f times\n", b[1] / a[1], b[3] / a[3] }'
    done <<'PRESETS'
nim-2x4-value 300
reversi-vanilla 150
thien-1ply 2
weaver-antibody 3
nim-5-heaps 300
PRESETS
}

size() {
    for folder in src src/*/; do
        find "$folder" -name '*.rs' -print0 | xargs -0 awk '
            FNR == 1 { tests = FILENAME ~ /\/tests?(\/|\.rs)/ }
            /^#\[cfg\(test\)\]$/ { armed = 1; next }
            armed && /^(pub(\(crate\))? )?mod [a-z_]+ \{$/ { tests = 1 }
            { armed = 0 }
            !tests && !/^[ \t]*$/ && !/^[ \t]*\/\// { code++ }
            END { print code }' | awk -v folder="$folder" '{ sum += $1 } END { print folder, sum }'
    done
    grep -rE --include='*.rs' -c '^.{101,}$' src tests examples benches | awk -F: '{ sum += $2 } END { print "lines over 100 columns", sum }'
    stat -c '%n %s bytes' target/release/finches 2>/dev/null || true
}

timed() {
    local TIMEFORMAT="%R s wall, %U + %S s of processor time: $*"
    time "$@" >/dev/null 2>&1
}

cold() {
    CARGO_TARGET_DIR=$(mktemp -d)
    export CARGO_TARGET_DIR
    timed cargo build --release --locked
    stat -c '%s bytes' "$CARGO_TARGET_DIR/release/finches"
    timed cargo test --no-run --locked
    timed cargo test --locked
    rm -rf "$CARGO_TARGET_DIR"
}

edit() {
    cargo build --release --locked 2>/dev/null
    cargo build --locked 2>/dev/null
    for file in "$@"; do
        cp "$file" /tmp/house.saved
        echo "#[doc(hidden)] pub const HOUSE: u64 = $(date +%s);" >>"$file"
        echo "$file"
        timed cargo build --release --locked
        timed cargo build --locked
        timed cargo test --lib --no-run --locked
        cp /tmp/house.saved "$file"
    done
}

"$@"
