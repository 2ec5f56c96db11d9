//! `HyperQueue`: a graph of tasks, by its Python package.

use super::shell::python;
use super::{ATTEMPTS, JobPlan, Scheduler};

pub(super) const HYPERQUEUE: Scheduler = Scheduler {
    name: "hyperqueue",
    file: "job.hyperqueue.py",
    text,
    submit: (&["python3"], &[]),
};

/// It gives a task of a lost worker to another one, up to the crash limit. Within a task, `job.sh`
/// tries again.
fn text(plan: &JobPlan) -> String {
    let (summary, shards, threads) = (plan.summary(), plan.shards, plan.threads);
    let job = python(&plan.job_path());
    let memory = plan
        .memory
        .map(|memory| format!(", resources={{\"mem\": {}}}", memory.0));
    let time = plan
        .time
        .map(|time| format!(", min_time=timedelta(minutes={})", time.0));
    let limits = [memory, time].map(Option::unwrap_or_default).concat();
    format!(
        r#"# {summary}. Submits them to a running HyperQueue server:
#   python3 job.hyperqueue.py
# It needs the Python package of the server's version: pip install hyperqueue. $HQ_SERVER_DIR is the
# server's folder, if it has another than the usual one. A shard is tried up to {ATTEMPTS} times,
# and again if its worker is lost. The same command continues later.
import os
from datetime import timedelta

from hyperqueue import Client, Job
from hyperqueue.ffi.protocol import ResourceRequest

JOB_FILE = {job}
job = Job(name="finches", max_fails=None)
shards = [
    job.program(
        ["bash", JOB_FILE, "shard", str(shard)],
        name=f"shard {{shard}}",
        resources=ResourceRequest(cpus={threads}{limits}),
        crash_limit={ATTEMPTS},
        stdout=None,
        stderr=None,
    )
    for shard in range(1, {shards} + 1)
]
job.program(["bash", JOB_FILE, "merge"], name="summary", deps=shards, stdout=None, stderr=None)
print("submitted as job", Client(os.environ.get("HQ_SERVER_DIR")).submit(job).id)
"#
    )
}
