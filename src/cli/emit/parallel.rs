//! GNU parallel: the shards, on this machine or on others by ssh, then the summary.

use super::job::FILE;
use super::{ATTEMPTS, JobPlan, Scheduler};
use finches_engine::text::shell_word;

pub(super) const PARALLEL: Scheduler = Scheduler {
    name: "parallel",
    file: "job.parallel.sh",
    text,
    submit: (&["bash"], &[]),
};

fn text(plan: &JobPlan) -> String {
    let (summary, shards) = (plan.summary(), plan.shards);
    let root = shell_word(&plan.root);
    // The share of the cores, so that the threads of all jobs fit.
    let jobs = (100 / plan.threads).max(1);
    let memory = plan
        .memory
        .map(|memory| format!(" --memfree {}M", memory.0));
    let time = plan.time.map(|time| format!(" --timeout {}", time.0 * 60));
    let limits = [memory, time].map(Option::unwrap_or_default).concat();
    format!(
        r#"#!/bin/bash
# {summary}. Runs them with GNU parallel:
#   bash job.parallel.sh [OPTIONS OF PARALLEL, such as --sshlogin HOST,HOST]
# A shard is tried up to {ATTEMPTS} times. The same command continues later.
set -eu
cd {root}
parallel --workdir . --jobs {jobs}% --retries {ATTEMPTS}{limits} "$@" \
    bash {FILE} shard {{}} 1 ::: {{1..{shards}}}
bash {FILE} merge
"#
    )
}
