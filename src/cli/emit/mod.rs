//! `--emit`: writes the files that let a scheduler do the shards of an experiment, and runs
//! nothing. A scheduler is a template and a constant in [`SCHEDULERS`]. What a shard does and how
//! it is repeated is in `job.sh`, which all schedulers call.

use std::env;
use std::path::{Path, PathBuf, absolute};

use clap::Args;
use clap::builder::PossibleValuesParser;

use finches_engine::text::{counted, shell_word};
use finches_lab::experiment::sweep::halving::brackets;
use finches_runs::storage::experiments::islands::IslandsDefinition;
use finches_runs::storage::experiments::manifest::Manifest;
use finches_runs::storage::experiments::{ExperimentFolder, write_text};

use super::{CliError, output};

use self::limits::{Megabytes, Minutes};
use self::shell::{command, is_plain, python, words_of_shard, words_of_summary};
use self::template::{Values, fill};

mod limits;
mod shell;
mod template;

/// The schedulers that job files can be written for.
const SCHEDULERS: [Scheduler; 4] = [
    Scheduler {
        name: "slurm",
        file: "job.slurm.sh",
        template: include_str!("templates/job.slurm.sh"),
        submit: (&["bash"], &[]),
    },
    Scheduler {
        name: "hyperqueue",
        file: "job.hyperqueue.py",
        template: include_str!("templates/job.hyperqueue.py"),
        submit: (&["python3"], &[]),
    },
    Scheduler {
        name: "snakemake",
        file: "Snakefile",
        template: include_str!("templates/Snakefile"),
        submit: (
            &["snakemake", "--snakefile"],
            &["--cores", "all", "--keep-going", "--rerun-incomplete"],
        ),
    },
    Scheduler {
        name: "parallel",
        file: "job.parallel.sh",
        template: include_str!("templates/job.parallel.sh"),
        submit: (&["bash"], &[]),
    },
];

/// What a job does, whatever scheduler starts it: the name of the file, and its template.
const JOB_FILE: &str = "job.sh";
const JOB_TEMPLATE: &str = include_str!("templates/job.sh");

/// The number of jobs, unless it is given. Further runs share them.
const MOST_DEFAULT_SHARDS: u64 = 100;

/// The most jobs. Slurm allows arrays of 1000, unless it is set up for more.
const MOST_SHARDS: u64 = 1000;

/// The most jobs of islands in all rounds. Slurm holds 10,000, unless it is set up for more.
const MOST_JOBS: u64 = 10_000;

/// How often a shard is tried before it counts as failed. Each try continues where the last one
/// stopped.
const ATTEMPTS: u32 = 5;

/// The heading of the options in the help.
const HEADING: &str = "Job files for schedulers";

/// A scheduler, as far as a job file for it is concerned.
struct Scheduler {
    /// Its name on the command line.
    name: &'static str,
    /// The name of its file.
    file: &'static str,
    /// The text of its file, without the values of the experiment.
    template: &'static str,
    /// The words that submit a file, which follows them, and the words after the file.
    submit: (&'static [&'static str], &'static [&'static str]),
}

/// Options of commands that can write job files.
#[derive(Clone, Debug, Args)]
#[group(requires = "emit")]
pub(super) struct EmitOptions {
    /// Run nothing; write files for a scheduler into the folder of the experiment, and print the
    /// command that submits them.
    ///
    /// Each job does a shard of the runs; the last job writes the summary when all others are done.
    /// A job that fails or is killed is tried again, up to five times, and continues. All machines
    /// must see the folder, this program and the current folder under the same paths. What the jobs
    /// print is in the subfolder jobs.
    #[arg(
        long,
        help_heading = HEADING,
        value_name = "SCHEDULER",
        conflicts_with_all = ["shard", "threads"],
        value_parser = PossibleValuesParser::new(SCHEDULERS.map(|scheduler| scheduler.name)),
    )]
    emit: Option<String>,
    /// Number of jobs among which the runs are divided [default: one for each run, at most 100].
    #[arg(
        long,
        help_heading = HEADING,
        value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..=MOST_SHARDS),
    )]
    shards: Option<u64>,
    /// Number of processes of each job, which evolve one run after the other together, by MPI.
    #[arg(
        long,
        help_heading = HEADING,
        value_name = "N",
        default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=100_000),
    )]
    processes: u32,
    /// Number of threads of each process; without further processes each run gets its own.
    #[arg(
        long,
        help_heading = HEADING,
        value_name = "T",
        default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=1024),
    )]
    job_threads: u32,
    /// Memory of each job, such as 500M or 4G [default: the scheduler's].
    #[arg(
        long,
        help_heading = HEADING,
        value_name = "SIZE",
        value_parser = Megabytes::parse,
    )]
    job_memory: Option<Megabytes>,
    /// Time limit of each job, such as 90m, 12h or 2d [default: the scheduler's].
    #[arg(
        long,
        help_heading = HEADING,
        value_name = "TIME",
        value_parser = Minutes::parse,
    )]
    job_time: Option<Minutes>,
}

impl EmitOptions {
    /// Whether job files are asked for.
    pub(super) fn is_wanted(&self) -> bool {
        self.emit.is_some()
    }

    /// Begins the experiment's folder, writes the job files into it and prints the command that
    /// submits them. `merge_words` are the words after the program's name that write the summary.
    /// They are made from the folder, and from the words of this process without those of the job
    /// files: where the same command without a shard writes the summary, they are these.
    pub(super) fn write(
        &self,
        root: &Path,
        manifest: Manifest,
        merge_words: impl FnOnce(&str, Vec<String>) -> Vec<String>,
    ) -> Result<(), CliError> {
        let wanted = |scheduler: &&Scheduler| Some(scheduler.name) == self.emit.as_deref();
        let scheduler = SCHEDULERS.iter().find(wanted);
        let scheduler = scheduler.expect("the command line allows these names only");
        let root = text_of(&absolute(root)?)?;
        let values = self.values(&root, &manifest, merge_words)?;
        // The folder is begun by this process, so that no shard can find it half written.
        let folder = ExperimentFolder::begin(PathBuf::from(root), manifest, "-emit")?;
        write_text(&folder.root().join(JOB_FILE), &fill(JOB_TEMPLATE, &values))?;
        let path = folder.root().join(scheduler.file);
        write_text(&path, &fill(scheduler.template, &values))?;
        output::eprint_line(&format!(
            "{}: {}; submit it with the command below",
            path.display(),
            values["summary"]
        ));
        let path = text_of(&path)?;
        let (before, after) = scheduler.submit;
        let words = [before, &[path.as_str()], after].concat();
        output::print(&format!("{}\n", command(words)))
    }

    /// What the templates can name: what the files do in words, the command lines of a shard,
    /// without the shard and the threads, and of the summary as a shell reads them, and limits.
    /// Memory is in megabytes.
    fn values(
        &self,
        root: &str,
        manifest: &Manifest,
        merge_words: impl FnOnce(&str, Vec<String>) -> Vec<String>,
    ) -> Result<Values, CliError> {
        let program = text_of(&env::current_exe()?)?;
        let words = env::args_os().skip(1).map(|word| text_of(&word));
        let words: Vec<String> = words.collect::<Result<_, _>>()?;
        let mut shard_words = [vec![program.clone()], words_of_shard(&words, root)].concat();
        let same_words = words_of_summary(&words, root);
        let merge_words = [vec![program], merge_words(root, same_words)].concat();
        // A scheduler may start a job only when another one has ended. Islands that wait for each
        // other are one job, unless there is a round of jobs for each exchange.
        let most = manifest.islands.as_ref().map_or(MOST_DEFAULT_SHARDS, |_| 1);
        let (runs, threads) = (manifest.run_ids().len() as u64, self.job_threads);
        let shards = self.shards.unwrap_or(most).min(runs);
        let rounds = match &manifest.islands {
            Some(islands) if shards > 1 => {
                shard_words.push("--no-wait".to_owned());
                rounds_of_islands(manifest.presets[0].generations, islands, shards)?
            }
            _ => most_rounds(manifest),
        };
        let processes = self.processes(manifest)?;
        let (some, jobs) = (counted(runs, "run"), counted(shards, "job"));
        let (at_most, rounds_of) = match rounds {
            1 => ("", String::new()),
            rounds => ("at most ", format!("{rounds} rounds of ")),
        };
        let mut each = counted(threads, "thread");
        if processes > 1 {
            each = format!("{processes} processes of {each}");
        }
        let cores = processes * threads;
        let summary = format!("{at_most}{some} in {rounds_of}{jobs} of {each}, then the summary");
        // A percent sign would begin a pattern in the name of a log.
        let logs = format!("{}/jobs", root.replace('%', "%%"));
        let mut values = Values::from([
            ("summary", summary),
            ("attempts", ATTEMPTS.to_string()),
            ("retries", (ATTEMPTS - 1).to_string()),
            ("rounds", rounds.to_string()),
            ("shards", shards.to_string()),
            ("threads", threads.to_string()),
            // The share of the cores, so that the threads of all jobs fit.
            ("job_percent", (100 / cores).max(1).to_string()),
            ("cores", cores.to_string()),
            ("root", shell_word(root)),
            // The folder in which the jobs run: the one in which they were asked for.
            ("directory", shell_word(&text_of(&env::current_dir()?)?)),
            ("slurm_logs", shell_word(&logs)),
            ("python_root", python(root)),
            ("python_job", python(&format!("{root}/{JOB_FILE}"))),
            (
                "shard_command",
                command(shard_words.iter().map(String::as_str)),
            ),
            (
                "merge_command",
                command(merge_words.iter().map(String::as_str)),
            ),
        ]);
        let kind = if processes > 1 { "processes" } else { "alone" };
        values.insert(kind, processes.to_string());
        if let Some(Megabytes(memory)) = self.job_memory {
            values.insert("memory", memory.to_string());
        }
        if let Some(Minutes(minutes)) = self.job_time {
            values.insert("minutes", minutes.to_string());
            values.insert("seconds", (minutes * 60).to_string());
        }
        Ok(values)
    }

    /// The number of processes of each job. Islands are processes of their own.
    fn processes(&self, manifest: &Manifest) -> Result<u32, CliError> {
        let refused = if self.processes == 1 {
            return Ok(1);
        } else if manifest.islands.is_some() {
            "islands take no --processes; give them --shards, one for each island at most"
        } else if !cfg!(feature = "mpi") {
            "--processes needs a program with MPI: cargo install --path . --features mpi"
        } else if self.job_memory.is_some() && self.emit.as_deref() == Some("hyperqueue") {
            "HyperQueue gives jobs of several --processes whole workers; leave out --job-memory"
        } else {
            return Ok(self.processes);
        };
        Err(CliError::Usage(refused.to_owned()))
    }
}

/// The number of rounds in which shards of islands do all generations: one up to each exchange.
fn rounds_of_islands(
    generations: u64,
    islands: &IslandsDefinition,
    shards: u64,
) -> Result<u64, CliError> {
    let rounds = generations.div_ceil(islands.every);
    if rounds.saturating_mul(shards) <= MOST_JOBS {
        return Ok(rounds);
    }
    Err(CliError::Usage(format!(
        "{rounds} rounds of {shards} jobs, one for each exchange, are too many for a scheduler; \
        choose fewer --shards or a larger --every: at most {MOST_JOBS} jobs"
    )))
}

/// The number of rounds of successive halving; 1 without it.
fn most_rounds(manifest: &Manifest) -> u64 {
    let brackets = brackets(manifest).into_iter();
    let rounds = brackets.map(|bracket| bracket.rounds.len() as u64);
    rounds.max().unwrap_or(1)
}

/// A path or word as text, which files of schedulers are made of.
fn text_of(word: &(impl AsRef<std::ffi::OsStr> + ?Sized)) -> Result<String, CliError> {
    let word = word.as_ref();
    let text = word.to_str().filter(|text| is_plain(text));
    text.map(ToOwned::to_owned).ok_or_else(|| {
        let shown = word.to_string_lossy();
        CliError::Usage(format!(
            "{shown}: job files hold only paths and words in UTF-8 without line breaks; choose \
             another"
        ))
    })
}
