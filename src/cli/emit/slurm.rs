//! Slurm: an array of shards, and the summary as a job that depends on it.

use super::job::FILE;
use super::{ATTEMPTS, JobPlan, Scheduler};
use finches_engine::text::shell_word;

pub(super) const SLURM: Scheduler = Scheduler {
    name: "slurm",
    file: "job.slurm.sh",
    text,
    submit: (&["bash"], &[]),
};

/// Slurm starts a job again whose machine failed or was needed for another job (`--requeue`).
/// Within a job, `job.sh` tries again.
fn text(plan: &JobPlan) -> String {
    let (summary, shards, threads) = (plan.summary(), plan.shards, plan.threads);
    let root = shell_word(&plan.root);
    // A percent sign would begin a pattern in the name of the log.
    let logs = shell_word(&format!("{}/jobs", plan.root.replace('%', "%%")));
    let memory = plan.memory.map(|memory| format!(" --mem={}M", memory.0));
    let memory = memory.unwrap_or_default();
    let time = plan.time.map(|time| format!(" --time={}", time.0));
    let time = time.unwrap_or_default();
    format!(
        r#"#!/bin/bash
# {summary}. Submits them to Slurm:
#   bash job.slurm.sh [OPTIONS OF SBATCH, such as --partition=NAME or --account=NAME]
# A shard is tried up to {ATTEMPTS} times, and again after the failure of a machine. The same
# command continues later.
set -eu
root={root}
logs={logs}
mkdir -p "$root/jobs"
common=(--parsable --chdir="$root" --open-mode=append --requeue{memory}{time})
shards=$(sbatch "${{common[@]}}" --job-name=finches --array=1-{shards} --cpus-per-task={threads} \
    --output="$logs/slurm-%a-of-{shards}.log" "$@" "$root/{FILE}" shard)
merge=$(sbatch "${{common[@]}}" --job-name=finches-merge \
    --dependency="afterok:${{shards%%;*}}" --kill-on-invalid-dep=yes \
    --output="$logs/slurm-merge.log" "$@" "$root/{FILE}" merge)
echo "submitted the shards as job ${{shards%%;*}} and the summary as job ${{merge%%;*}}"
"#
    )
}
