//! The results of several publications and experiments in one Markdown file: the words and tables
//! of their pages, and the presets that none of them speaks of.

use thiserror::Error;

use super::page::Page;
use super::papers;

const HEAD: &str = "# Results

Written by `finches reproduce` and `finches report --into`, which also make a page with pictures \
for each section. Do not edit it by hand.
";

/// The title of the last section.
const OTHERS: &str = "Presets of none of these";

/// How every file of results begins.
const BEGIN: &str = "# Results\n";

/// What begins a section.
const MARK: &str = "\n## ";

/// A file that has something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "is not a file of results, which begins with `# Results`; it was not changed; name another"
)]
pub struct NoResultsFile;

/// The file with the sections of these pages. Sections of `known`, the file before, stay unless a
/// page has the same title. Publications come first, in their usual order; then what else there is,
/// by title, and, behind publications, the presets of none. Fails if the file before has something
/// else.
pub fn merged(known: &str, pages: &[Page], presets: &[&str]) -> Result<String, NoResultsFile> {
    if !known.is_empty() && !known.starts_with(BEGIN) {
        return Err(NoResultsFile);
    }
    let mut sections: Vec<String> = pages.iter().map(Page::markdown).collect();
    for older in known.split(MARK).skip(1) {
        let older = format!("## {}\n", older.trim_end());
        let is_new = sections
            .iter()
            .all(|section| title(section) != title(&older));
        if is_new && title(&older) != OTHERS {
            sections.push(older);
        }
    }
    let papers = papers::all();
    let titles: Vec<String> = papers
        .iter()
        .map(|paper| Page::marked(&paper.citation()))
        .collect();
    let place = |section: &String| {
        let found = titles.iter().position(|known| known == title(section));
        (found.unwrap_or(titles.len()), title(section).to_owned())
    };
    sections.sort_by_key(place);
    let has_papers = sections.iter().any(|it| place(it).0 < titles.len());
    let sections = sections.iter().map(|section| format!("\n{section}"));
    let text: String = std::iter::once(HEAD.to_owned()).chain(sections).collect();
    let names = presets.iter().map(|name| format!("`{name}`"));
    let others: Vec<String> = names.filter(|name| !text.contains(name)).collect();
    if others.is_empty() || !has_papers {
        return Ok(text);
    }
    let others = others.join(", ");
    Ok(format!("{text}{MARK}{OTHERS}\n\n{others}\n"))
}

/// The title of a section, as it is written.
fn title(section: &str) -> &str {
    let line = section.lines().next().unwrap_or_default();
    line.trim_start_matches("## ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::page::{PageBlock, Section};

    /// A page with one section of these words.
    fn page(title: &str, words: &str) -> Page {
        let mut section = Section::new("Presets");
        section.blocks.push(PageBlock::Text(words.to_owned()));
        Page {
            title: title.to_owned(),
            lead: Vec::new(),
            sections: vec![section],
        }
    }

    fn merge(known: &str, pages: &[Page], presets: &[&str]) -> String {
        merged(known, pages, presets).expect("it is a file of results")
    }

    #[test]
    fn another_file_is_refused() {
        assert_eq!(merged("# README\n", &[], &[]), Err(NoResultsFile));
        assert_eq!(
            merged(&merge("", &[], &["a"]), &[], &[]),
            Ok(HEAD.to_owned())
        );
    }

    #[test]
    fn presets_that_no_page_speaks_of_are_listed() {
        let told = |title: &str| {
            let page = page(title, "`nim-2x4`: two heaps.");
            merge("", &[page], &["nim-2x4", "nim-2x8"])
        };
        let text = told("A run");
        assert!(text.ends_with("## A run\n\n### Presets\n\n`nim-2x4`: two heaps.\n"));
        let text = told(&papers::all()[0].citation());
        assert!(text.ends_with("## Presets of none of these\n\n`nim-2x8`\n"));
    }

    #[test]
    fn sections_that_are_not_written_anew_stay_and_the_order_does_not_depend_on_the_past() {
        let papers = papers::all();
        let first = || page(&papers[0].citation(), "`a`: first.");
        let second = || page(&papers[1].citation(), "`b`: second.");
        let other = || page("Games_and schemes", "`c`: third.");
        let presets = ["a", "b", "c", "d"];
        let whole = merge("", &[first(), second(), other()], &presets);
        let titles: Vec<&str> = whole.split(MARK).skip(1).map(title).collect();
        let expected = [
            Page::marked(&papers[0].citation()),
            Page::marked(&papers[1].citation()),
        ];
        assert_eq!(titles[..2], expected);
        assert_eq!(titles[2..], ["Games\\_and schemes", OTHERS]);
        let parts = [vec![other()], vec![second()], vec![first(), second()]];
        let text = parts
            .iter()
            .fold(String::new(), |known, part| merge(&known, part, &presets));
        assert_eq!(text, whole);
        let changed = page(&papers[1].citation(), "`d`: fourth.");
        let changed = merge(&whole, &[changed], &presets);
        assert!(!changed.contains("second") && changed.contains("`d`: fourth."));
        assert!(changed.ends_with(&format!("{OTHERS}\n\n`b`\n")));
    }
}
