//! The results of several publications in one Markdown file: the words and tables of their pages.

use super::page::Page;

const HEAD: &str = "# Results

Written by `finches reproduce`, which also makes a page with pictures for each publication. Do not edit it by hand.
";

/// The pages one after the other, and the presets that none of them speaks of.
pub fn markdown(pages: &[Page], presets: &[&str]) -> String {
    let pages = pages.iter().map(|page| format!("\n{}", page.markdown()));
    let text: String = std::iter::once(HEAD.to_owned()).chain(pages).collect();
    let names = presets.iter().map(|name| format!("`{name}`"));
    let others: Vec<String> = names.filter(|name| !text.contains(name)).collect();
    if others.is_empty() {
        return text;
    }
    format!(
        "{text}\n## Presets of none of these\n\n{}\n",
        others.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::page::{PageBlock, Section};

    #[test]
    fn presets_that_no_page_speaks_of_are_listed() {
        let mut section = Section::new("Presets");
        let words = "`nim-2x4`: two heaps.".to_owned();
        section.blocks.push(PageBlock::Text(words));
        let page = Page {
            title: "A thesis".to_owned(),
            lead: Vec::new(),
            sections: vec![section],
        };
        let text = markdown(&[page], &["nim-2x4", "nim-2x8"]);
        assert!(text.contains("## A thesis\n\n### Presets\n\n`nim-2x4`: two heaps.\n"));
        assert!(text.ends_with("## Presets of none of these\n\n`nim-2x8`\n"));
    }
}
