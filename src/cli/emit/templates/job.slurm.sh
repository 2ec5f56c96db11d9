#!/bin/bash
# {{summary}}. Submits them to Slurm:
#   bash job.slurm.sh [OPTIONS OF SBATCH, such as --partition=NAME or --account=NAME]
# A shard is tried up to {{attempts}} times, and again after the failure of a machine. The same
# command continues later.
set -eu
root={{root}}
logs={{slurm_logs}}
mkdir -p "$root/jobs"
common=(--parsable --chdir="$root" --open-mode=append --requeue{{#memory}} --mem={{memory}}M{{/memory}}{{#minutes}} --time={{minutes}}{{/minutes}})
# All shards of a round are done before the next one begins.
after=
for round in {1..{{rounds}}}; do
    shards=$(sbatch "${common[@]}" --job-name=finches --array=1-{{shards}}{{#processes}} --ntasks={{processes}}{{/processes}} --cpus-per-task={{threads}} \
        --output="$logs/slurm-%a-of-{{shards}}.log" $after "$@" "$root/job.sh" shard)
    after="--dependency=afterok:${shards%%;*} --kill-on-invalid-dep=yes"
    echo "submitted the shards of round $round of {{rounds}} as job ${shards%%;*}"
done
merge=$(sbatch "${common[@]}" --job-name=finches-merge \
    --output="$logs/slurm-merge.log" $after "$@" "$root/job.sh" merge)
echo "submitted the summary as job ${merge%%;*}"
