//! `finches man`: the manual page, with sections on keys, files, columns and the environment beside
//! what the command line says.

use clap::CommandFactory;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use finches_engine::session::measures::all_columns;

use super::show::parameter;
use super::{Cli, CliError, output};

/// Names and what they stand for.
type FileHelp = &'static [(&'static str, &'static str)];

const RUN_FILES: FileHelp = &[
    (
        "run.ron",
        "The complete preset, the seed, and every parameter change.",
    ),
    (
        "checkpoint.ron",
        "The population and everything else needed to resume. Replaced as a whole every ten \
        seconds and at every pause.",
    ),
    (
        "members.ron",
        "The members of the last generation played, with fitness and lineage, for the screen. A \
        run resumes without it.",
    ),
    ("metrics.csv", "One row per generation."),
    ("tags.txt", "Its tags, separated by spaces, if it has any."),
    (
        "champions/G.ron",
        "The champion of generation G: the latest, and earlier ones spread over the run.",
    ),
    (
        "games/G.txt",
        "Sample games of that champion, with the oracle's verdicts.",
    ),
    (
        "populations/G.ron",
        "The whole population of generation G, if the preset keeps it (keep_every).",
    ),
    (
        "states/G.ron",
        "The population at the start of generation G, where a parameter was changed on screen: the \
        last eight. A fork begins there.",
    ),
    (
        "run.log",
        "The log of the run, at most 1 MB; run.log.1 holds the part before it.",
    ),
    (
        "exports/",
        "Networks, games and lists written from the screens.",
    ),
];

const EXPERIMENT_FILES: FileHelp = &[
    (
        "experiment.ron",
        "The complete presets, the seeds and the version. The folder rejects a different \
        experiment and names the differences.",
    ),
    (
        "state.ron",
        "Of a fork, the state of the run in which its branches begin.",
    ),
    (
        "runs/PRESET-SEED.csv",
        "One row per generation, as in metrics.csv but without seconds.",
    ),
    (
        "runs/PRESET-SEED.json",
        "Generations done, the generation that met the target or null, the latest figures, and \
        checksums of itself and of the rows.",
    ),
    (
        "runs/PRESET-SEED.checkpoint.ron",
        "A run in progress, from which the same command continues. It is removed when the run is \
        finished.",
    ),
    (
        "times/PRESET-SEED.json",
        "How long the run took, and on which machine.",
    ),
    (
        "summary.csv, summary.json",
        "The summary; the JSON holds every run and every comparison.",
    ),
    (
        "matrix.csv, matrix.json",
        "With --matrix, the table instead of the summary: a line for each game and scheme; the \
        JSON holds every run.",
    ),
    (
        "fork.csv, fork.json",
        "Of a fork, the differences of its branches instead of the summary.",
    ),
    (
        "job.sh, and job.slurm.sh, job.hyperqueue.py, Snakefile or job.parallel.sh",
        "With --emit, what the jobs do, and the file that gives them to the scheduler.",
    ),
    ("jobs/", "What the jobs have printed."),
];

const ENVIRONMENT: FileHelp = &[
    ("FINCHES_SAVES", "Folder of saved runs."),
    ("FINCHES_KEYS", "Key file of the dashboard."),
    ("FINCHES_THEME", "Theme: auto, dark, light or mono."),
    (
        "FINCHES_LOG",
        "What is logged: a level, or levels by module such as info,finches::run=debug.",
    ),
    (
        "FINCHES_SIMD",
        "The widest vector instructions that are used: none, avx2 or avx512. Results are the same \
        with all of them.",
    ),
    ("NO_COLOR", "Turns colors off."),
];

const PLAYERS: FileHelp = &[
    (
        "NAME",
        "A reference player of the game, such as random, oracle, swh or material-4.",
    ),
    (
        "RUN, RUN:GENERATION",
        "The latest champion of a saved run, or an earlier one.",
    ),
    (
        "PLAYER@SEARCH",
        "The same with another search: RUN@alpha-beta-4, RUN@monte-carlo-300, swh@alpha-beta-5.",
    ),
    (
        "gtp:COMMAND",
        "A program that plays Reversi by the Go Text Protocol, version 2: 'gtp:gtp-rhino --level \
        1'. GRhino has levels 1 to 5, a book \
         (--book 0 to 5) and random choices (--rand 0 to 10).",
    ),
    (
        "nboard:COMMAND, nboard-DEPTH:COMMAND",
        "A program that plays Reversi by the protocol of NBoard, version 2, at its own depth or at \
        this one.",
    ),
    (
        "lines:COMMAND",
        "A program that plays any game by JSON Lines: for each move it reads {\"start\": TEXT, \
        \"moves\": [TEXT, ...]} and answers \
         {\"move\": TEXT} or {\"error\": TEXT}, in the notation of finches rules. finches engine \
         is one.",
    ),
];

/// Prints the manual page.
pub(super) fn manual() -> Result<(), CliError> {
    let mut page = Vec::new();
    Man::new(Cli::command()).render(&mut page)?;
    let mut roff = Roff::new();
    #[cfg(feature = "dashboard")]
    keys(&mut roff);
    section(
        &mut roff,
        "FILES OF A RUN",
        "Each run has a folder in the folder of saved runs. Each file but the metrics, games and \
        logs carries its format and a \
         checksum. A damaged file, or one of a newer version, is rejected by name and not changed.",
        RUN_FILES,
    );
    section(&mut roff, "FILES OF AN EXPERIMENT", "", EXPERIMENT_FILES);
    columns(&mut roff);
    parts(&mut roff);
    section(
        &mut roff,
        "PLAYERS",
        "Wherever players are named. A program is started without a shell, from the path or \
        /usr/games, one for each thread that \
         plays; quotes keep spaces in its words. It need not be told a forced pass. A program that \
         ends, does not answer within \
         --move-time or plays an illegal move loses that game and is started anew for the next; \
         three failures in a row end the \
         games.",
        PLAYERS,
    );
    section(&mut roff, "ENVIRONMENT", "", ENVIRONMENT);
    roff.to_writer(&mut page)?;
    output::print(&String::from_utf8_lossy(&page))
}

fn section(roff: &mut Roff, title: &str, introduction: &str, entries: FileHelp) {
    roff.control("SH", [title]);
    if !introduction.is_empty() {
        roff.text([roman(introduction)]);
    }
    for (name, help) in entries {
        entry(roff, name, help);
    }
}

fn entry(roff: &mut Roff, name: &str, help: &str) {
    roff.control("TP", []);
    roff.text([bold(name)]);
    roff.text([roman(help)]);
}

/// All columns of metrics. `NAME` stands for a reference player of the game.
fn columns(roff: &mut Roff) {
    roff.control("SH", ["COLUMNS"]);
    let introduction = "Columns of metrics.csv, of JSON Lines and for --until and --column. A run \
        has those that fit its preset; \
                        a figure not measured in a generation is empty. NAME stands for a \
                        reference player, such as random.";
    roff.text([roman(introduction)]);
    for column in all_columns("NAME").all() {
        let unit = match column.unit {
            "" => String::new(),
            unit => format!(" Unit: {unit}."),
        };
        entry(roff, &column.name, &format!("{}{unit}", column.help));
    }
}

/// Everything that a preset can be made of.
fn parts(roff: &mut Roff) {
    roff.control("SH", ["PARTS"]);
    let introduction = "What a preset can be made of, by the path in its file. finches parts NAME \
        also says beside which others a part needs more changes.";
    roff.text([roman(introduction)]);
    for kind in super::parts::kinds() {
        roff.control("SS", [kind.key]);
        for part in &kind.parts {
            entry(roff, part.name, part.about);
            for param in &part.parameters {
                roff.control("br", []);
                roff.text([roman(parameter(param))]);
            }
        }
    }
}

/// The default keys of every screen.
#[cfg(feature = "dashboard")]
fn keys(roff: &mut Roff) {
    use finches_dashboard::screens::keymap;

    roff.control("SH", ["KEYS"]);
    let introduction = "The default keys; ? shows those of the current screen. The arrow keys, j \
        and k, Page Up and Page Down, \
                        Home and End and the mouse work in every list. finches keys prints a file \
                        to change them.";
    roff.text([roman(introduction)]);
    let keymap = keymap();
    for scope in keymap.scopes() {
        let (first, rest) = scope.name.split_at(1);
        roff.control("SS", [format!("{}{rest}", first.to_uppercase()).as_str()]);
        let mut listed = Vec::new();
        let bindings = keymap.bindings(scope).iter();
        for binding in bindings.filter(|binding| binding.key.is_pressed()) {
            if !listed.contains(&binding.action) {
                listed.push(binding.action);
                entry(roff, &binding.key.label(), binding.help);
            }
        }
    }
}
