//! Command lines as a shell reads them: quoted words, and the words of this process that its shards
//! share.

use finches_engine::text::shell_word;

/// Options of the job files, and the folder, which is given as an absolute path. Each takes a
/// value.
const OF_JOBS: [&str; 7] = [
    "--emit",
    "--shards",
    "--processes",
    "--job-threads",
    "--job-memory",
    "--job-time",
    "--out",
];

/// Options that belong to the summary, and those of them without a value.
const OF_SUMMARY: [&str; 3] = ["--plot", "--over", "--x"];
const FLAGS_OF_SUMMARY: [&str; 1] = ["--json"];

/// The words of a shard's command, from those of this process: the subcommand, the folder, and the
/// options that say what is run.
pub(super) fn words_of_shard(own: &[String], root: &str) -> Vec<String> {
    let with_value = [&OF_JOBS[..], &OF_SUMMARY].concat();
    words_without(own, root, &with_value, &FLAGS_OF_SUMMARY)
}

/// The words of this process without those of the job files.
pub(super) fn words_of_summary(own: &[String], root: &str) -> Vec<String> {
    words_without(own, root, &OF_JOBS, &[])
}

/// The subcommand, the folder, and the words that are left without some options.
fn words_without(own: &[String], root: &str, with_value: &[&str], flags: &[&str]) -> Vec<String> {
    let mut own = own.iter();
    let mut words: Vec<String> = own.next().cloned().into_iter().collect();
    words.extend(["--out".to_owned(), root.to_owned()]);
    while let Some(word) = own.next() {
        let name = word.split_once('=').map(|(name, _)| name);
        if word == "--" {
            words.push(word.clone());
            words.extend(own.by_ref().cloned());
        } else if with_value.contains(&word.as_str()) {
            own.next();
        } else if !flags.contains(&word.as_str())
            && !name.is_some_and(|name| with_value.contains(&name))
        {
            words.push(word.clone());
        }
    }
    words
}

/// Words as a command line.
pub(super) fn command<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(shell_word).collect();
    words.join(" ")
}

/// A text as Python reads it, whatever it contains. The escapes of JSON are escapes of Python too.
pub(super) fn python(text: &str) -> String {
    serde_json::to_string(text).expect("text fits JSON")
}

/// Whether a text has no characters that end lines or control terminals.
pub(super) fn is_plain(text: &str) -> bool {
    !text.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_has_the_options_that_say_what_is_run() {
        let check = |own: &str, expected: &str| {
            let own: Vec<String> = own.split(' ').map(ToOwned::to_owned).collect();
            assert_eq!(words_of_shard(&own, "/root").join(" "), expected);
        };
        check(
            "experiment nim-2x4 --runs 5 --emit slurm --shards=3 --out walls --set add_node=0.2",
            "experiment --out /root nim-2x4 --runs 5 --set add_node=0.2",
        );
        check(
            "experiment --emit=slurm --job-memory 4G --runs=2 --json --plot a.svg --x=games -- \
            --out",
            "experiment --out /root --runs=2 -- --out",
        );
    }

    #[test]
    fn the_summary_of_the_same_command_keeps_its_own_options() {
        let own = ["sweep", "nim-2x4", "--emit=slurm", "--json", "--x", "games"];
        let own = own.map(ToOwned::to_owned);
        let expected = [
            "sweep", "--out", "/root", "nim-2x4", "--json", "--x", "games",
        ];
        assert_eq!(words_of_summary(&own, "/root"), expected);
    }
}
