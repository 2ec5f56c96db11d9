//! Snakemake: a rule for the shards, and one for the summary that needs them all.

use super::shell::python;
use super::{ATTEMPTS, JobPlan, Scheduler};

pub(super) const SNAKEMAKE: Scheduler = Scheduler {
    name: "snakemake",
    file: "Snakefile",
    text,
    submit: (
        &["snakemake", "--snakefile"],
        &["--cores", "all", "--keep-going", "--rerun-incomplete"],
    ),
};

/// Snakemake removes the outputs of a failed job. Therefore they are marks, not the files of runs,
/// which a next attempt continues.
fn text(plan: &JobPlan) -> String {
    let (summary, shards, threads) = (plan.summary(), plan.shards, plan.threads);
    let (root, job) = (python(&plan.root), python(&plan.job_path()));
    let memory = plan.memory.map(|memory| format!("mem_mb={}", memory.0));
    let time = plan.time.map(|time| format!("runtime={}", time.0));
    let limits: Vec<String> = [memory, time].into_iter().flatten().collect();
    let resources = match limits.join(", ") {
        limits if limits.is_empty() => limits,
        limits => format!("    resources: {limits}\n"),
    };
    format!(
        r#"# {summary}:
#   snakemake --snakefile Snakefile --cores all --keep-going --rerun-incomplete
# On a cluster, add --executor NAME or --profile NAME. A shard is tried up to {ATTEMPTS} times. The
# same command continues later; --forceall does it again if files were removed.
JOB_FILE = {job}


workdir: {root}


rule summary:
    input: expand("jobs/shard-{{shard}}-of-{shards}.done", shard=range(1, {shards} + 1))
    output: touch("jobs/merge-of-{shards}.done")
    shell: "bash {{JOB_FILE:q}} merge"


rule shard:
    output: touch("jobs/shard-{{shard}}-of-{shards}.done")
    threads: {threads}
{resources}    retries: {retries}
    shell: "bash {{JOB_FILE:q}} shard {{wildcards.shard}} 1"
"#,
        retries = ATTEMPTS - 1,
    )
}
