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
shards=$(sbatch "${common[@]}" --job-name=finches --array=1-{{shards}} --cpus-per-task={{threads}} \
    --output="$logs/slurm-%a-of-{{shards}}.log" "$@" "$root/job.sh" shard)
merge=$(sbatch "${common[@]}" --job-name=finches-merge \
    --dependency="afterok:${shards%%;*}" --kill-on-invalid-dep=yes \
    --output="$logs/slurm-merge.log" "$@" "$root/job.sh" merge)
echo "submitted the shards as job ${shards%%;*} and the summary as job ${merge%%;*}"
