//! A self-contained HTML page: headings, paragraphs, tables with headers and pictures with
//! descriptions. It needs no network and no script, follows the reader's choice of light or dark,
//! and reads well aloud.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use plotters::style::RGBColor;

use finches_engine::text::escape;

use super::verdict::Agreement;
use crate::experiment::plot::{Chart, LegendLine, PlotError, pictures};
use crate::experiment::table::TextTable;

/// A page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The title, also of the window.
    pub title: String,
    /// What the page is, in a sentence or two each.
    pub lead: Vec<String>,
    /// The sections, listed at the beginning if there are several.
    pub sections: Vec<Section>,
}

/// A section of a page.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The heading.
    pub heading: String,
    /// What follows it.
    pub blocks: Vec<PageBlock>,
}

/// A part of a section.
#[derive(Clone, Debug)]
pub enum PageBlock {
    /// A paragraph.
    Text(String),
    /// Paragraphs as a list.
    List(Vec<String>),
    /// A table.
    Table(Table),
    /// A picture.
    Figure(Figure),
    /// A game, position after position.
    Game(GameSteps),
    /// A command or a file, in a box; a long one is folded under its title.
    Code {
        /// What it is.
        title: String,
        /// The text.
        text: String,
        /// Whether it is folded at first.
        is_folded: bool,
    },
}

/// A table. The first cell of a row is its header.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// What the table shows.
    pub caption: String,
    /// The headers of the columns.
    pub head: Vec<String>,
    /// One list of cells per row, as many as there are headers.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Words, aligned to the left.
    Words(String),
    /// A figure, aligned to the right.
    Figure(String),
    /// A figure on a background.
    Shaded {
        /// The figure.
        words: String,
        /// How strong the background is, in percent.
        percent: u8,
    },
    /// A judgment, marked by a color and said in words.
    Verdict {
        /// The words.
        words: String,
        /// The class of the color: `agrees`, `differs` or `open`.
        class: &'static str,
    },
}

/// A game in its positions. Without a script all of them are shown; with one they can be stepped
/// through.
#[derive(Clone, Debug, Default)]
pub struct GameSteps {
    /// Who plays, and how it ends.
    pub title: String,
    /// The positions, the first one before the first move.
    pub steps: Vec<GameStep>,
}

/// A position of a game.
#[derive(Clone, Debug, Default)]
pub struct GameStep {
    /// The move that led to it, in words.
    pub words: String,
    /// The board: its rows from the top, each in pieces of text with the class of their color, or
    /// none.
    pub rows: Vec<Vec<(&'static str, String)>>,
}

/// Pictures with their text.
#[derive(Clone, Debug)]
pub struct Figure {
    /// SVG elements, which stand beside each other where there is room.
    pub svgs: Vec<String>,
    /// What their colors mean.
    pub legend: Vec<LegendLine>,
    /// What is said below it.
    pub caption: String,
    /// What a reader hears who does not see it.
    pub description: String,
    /// The class of its size, if it is not as wide as the page.
    pub class: Option<&'static str>,
}

/// Colors, for light and dark screens, and sizes, for narrow and wide ones.
const STYLE: &str = include_str!("page.css");

/// The most columns of a table that fits on a narrow screen.
const MOST_NARROW: usize = 3;

/// Steps through games. A page without it shows all positions.
const SCRIPT: &str = include_str!("page.js");

impl Page {
    /// The HTML document. The same page gives the same bytes.
    pub fn html(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="generator" content=(concat!("finches ", env!("CARGO_PKG_VERSION")));
                    title { (self.title) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    header {
                        h1 { (self.title) }
                        @for words in &self.lead { p { (words) } }
                    }
                    @if self.sections.len() > 1 {
                        nav aria-label="Contents" { ul {
                            @for (index, section) in self.sections.iter().enumerate() {
                                li { a href=(format!("#section-{index}")) { (section.heading) } }
                            }
                        } }
                    }
                    main {
                        @for (index, section) in self.sections.iter().enumerate() {
                            (section.html(index))
                        }
                    }
                    @if self.has_game() { script { (PreEscaped(SCRIPT)) } }
                }
            }
        };
        escape(&page.into_string()).into_owned() + "\n"
    }
}

/// Pages load nothing, wherever their words come from.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

impl Page {
    /// The words and tables of the page as Markdown, without its pictures; its headings begin at
    /// the second level.
    pub fn markdown(&self) -> String {
        let title = format!("## {}\n", escaped(&self.title));
        let lead = self.lead.iter();
        let lead = lead.map(|words| format!("\n{}\n", escaped(words)));
        let sections = self.sections.iter().map(Section::markdown);
        let parts = std::iter::once(title).chain(lead).chain(sections);
        escape(&parts.collect::<String>()).into_owned()
    }

    /// Text as it stands in the Markdown of a page.
    pub fn marked(text: &str) -> String {
        escaped(text)
    }

    fn has_game(&self) -> bool {
        let mut blocks = self.sections.iter().flat_map(|section| &section.blocks);
        blocks.any(|block| matches!(block, PageBlock::Game(_)))
    }
}

impl Section {
    /// A section without content.
    pub fn new(heading: impl Into<String>) -> Self {
        Self {
            heading: heading.into(),
            blocks: Vec::new(),
        }
    }

    /// A section of a table alone.
    pub fn of_table(heading: impl Into<String>, table: Table) -> Self {
        Self {
            heading: heading.into(),
            blocks: vec![PageBlock::Table(table)],
        }
    }

    /// Empty if the section has nothing but what Markdown leaves out: games, with the words that
    /// announce them, pictures and what is folded.
    fn markdown(&self) -> String {
        let is_of_games = |at: usize| {
            let next = self.blocks.get(at + 1);
            matches!(
                (&self.blocks[at], next),
                (PageBlock::Text(_), Some(PageBlock::Game(_)))
            )
        };
        let kept = (0..self.blocks.len()).filter(|at| !is_of_games(*at));
        let blocks: String = kept.map(|at| self.blocks[at].markdown()).collect();
        if blocks.is_empty() && !self.blocks.is_empty() {
            return blocks;
        }
        format!("\n### {}\n{blocks}", escaped(&self.heading))
    }

    fn html(&self, index: usize) -> Markup {
        let id = format!("section-{index}");
        html! {
            section aria-labelledby=(id) {
                h2 id=(id) { (self.heading) }
                @for block in &self.blocks { (block.html()) }
            }
        }
    }
}

/// Text in which Markdown sees no marks but those of code.
fn escaped(text: &str) -> String {
    let mut marked = String::new();
    let mut is_code = false;
    for c in text.replace('\n', " ").chars() {
        is_code ^= c == '`';
        if !is_code && matches!(c, '*' | '_' | '<' | '>' | '|' | '[' | ']' | '#') {
            marked.push('\\');
        }
        marked.push(c);
    }
    marked
}

/// Lines of code, which can be scrolled by keyboard if they are too long.
fn code(lines: &str) -> Markup {
    html! { pre tabindex="0" { code { (lines) } } }
}

/// Words in which what stands between backticks is code.
fn with_code(words: &str) -> Markup {
    html! {
        @for (place, part) in words.split('`').enumerate() {
            @if place % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

impl PageBlock {
    /// The block as Markdown; empty for pictures, games and what is folded.
    fn markdown(&self) -> String {
        match self {
            Self::Text(words) => format!("\n{}\n", escaped(words)),
            Self::List(points) => {
                let points = points.iter().map(|words| format!("- {}\n", escaped(words)));
                format!("\n{}", points.collect::<String>())
            }
            Self::Table(table) => table.markdown(),
            Self::Code {
                text,
                is_folded: false,
                ..
            } => format!("\n```sh\n{text}\n```\n"),
            Self::Figure(_) | Self::Game(_) | Self::Code { .. } => String::new(),
        }
    }

    fn html(&self) -> Markup {
        match self {
            Self::Text(words) => html! { p { (with_code(words)) } },
            Self::List(points) => {
                html! { ul { @for words in points { li { (with_code(words)) } } } }
            }
            Self::Table(table) => table.html(),
            Self::Figure(figure) => figure.html(),
            Self::Game(game) => game.html(),
            Self::Code {
                title,
                text,
                is_folded: true,
            } => html! { details { summary { (title) } (code(text)) } },
            Self::Code { title, text, .. } => html! { p { (title) } (code(text)) },
        }
    }
}

impl Table {
    /// A table with these headers, separated by commas.
    pub fn new(caption: impl Into<String>, head: &str, rows: Vec<Vec<Cell>>) -> Self {
        Self {
            caption: caption.into(),
            head: head.split(',').map(str::to_owned).collect(),
            rows,
        }
    }

    /// A table of text, in which some columns have words and the others figures.
    pub(super) fn of_text(
        caption: impl Into<String>,
        table: TextTable,
        is_words: impl Fn(usize) -> bool,
    ) -> Self {
        let cell = |(column, text): (usize, String)| {
            if is_words(column) {
                Cell::Words(text)
            } else {
                Cell::Figure(text)
            }
        };
        let row = |row: Vec<String>| row.into_iter().enumerate().map(cell).collect();
        Self {
            caption: caption.into(),
            head: table.head,
            rows: table.rows.into_iter().map(row).collect(),
        }
    }

    /// A table whose last column is the verdict on each row, and these verdicts.
    pub fn judged(
        caption: impl Into<String>,
        head: &str,
        rows: Vec<(Vec<Cell>, Agreement)>,
    ) -> (Self, Vec<Agreement>) {
        let (mut rows, verdicts): (Vec<Vec<Cell>>, Vec<Agreement>) = rows.into_iter().unzip();
        for (row, verdict) in rows.iter_mut().zip(&verdicts) {
            row.push(Cell::verdict(*verdict));
        }
        (
            Self::new(caption, &format!("{head},verdict"), rows),
            verdicts,
        )
    }

    /// The table with its caption before it.
    fn markdown(&self) -> String {
        let line = |cells: &mut dyn Iterator<Item = String>| {
            let cells: Vec<String> = cells.collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut text = format!("\n{}\n\n", escaped(&self.caption));
        text += &line(&mut self.head.iter().map(|words| escaped(words)));
        text += &line(&mut self.head.iter().map(|_| "---".to_owned()));
        for row in &self.rows {
            text += &line(&mut row.iter().map(|cell| escaped(cell.text())));
        }
        text
    }

    fn html(&self) -> Markup {
        let is_figure = |column: usize| {
            let mut cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.any(|cell| matches!(cell, Cell::Figure(_) | Cell::Shaded { .. }))
        };
        // On a narrow screen, the rows of a wide table become blocks with the names of the columns.
        let is_wide = self.head.len() > MOST_NARROW;
        let label = |column: usize| self.head.get(column).filter(|_| is_wide && column > 0);
        html! {
            // A table that is too wide can be scrolled by keyboard too. It is a group: with a
            // landmark for each table, readers would be lost.
            div.wide tabindex="0" role="group" aria-label=(self.caption) {
                table.folds[is_wide] {
                    caption { (self.caption) }
                    thead { tr {
                        @for (column, words) in self.head.iter().enumerate() {
                            th.figure[is_figure(column)] scope="col" { (words) }
                        }
                    } }
                    tbody { @for row in &self.rows { tr {
                        @for (column, cell) in row.iter().enumerate() {
                            (cell.html(column == 0, label(column)))
                        }
                    } } }
                }
            }
        }
    }
}

impl Cell {
    /// A cell with words.
    pub fn words(words: impl Into<String>) -> Self {
        Self::Words(words.into())
    }

    /// A cell with a figure.
    pub fn figure(words: impl Into<String>) -> Self {
        Self::Figure(words.into())
    }

    /// A cell with a figure on a background as strong as a share, 0..=1. It stays weak enough for
    /// the figure to be read.
    pub fn shaded(words: impl Into<String>, share: f64) -> Self {
        Self::Shaded {
            words: words.into(),
            percent: (share.clamp(0.0, 1.0) * 45.0).round() as u8,
        }
    }

    fn text(&self) -> &str {
        match self {
            Self::Words(words)
            | Self::Figure(words)
            | Self::Shaded { words, .. }
            | Self::Verdict { words, .. } => words,
        }
    }

    /// A cell with a verdict.
    pub fn verdict(verdict: Agreement) -> Self {
        Self::Verdict {
            words: verdict.words().to_owned(),
            class: verdict.class(),
        }
    }

    /// `label` is the name of its column, where the cell may come to stand below another.
    fn html(&self, is_header: bool, label: Option<&String>) -> Markup {
        match self {
            Self::Words(words) if is_header => html! { th scope="row" { (words) } },
            Self::Words(words) => html! { td data-label=[label] { (with_code(words)) } },
            Self::Figure(words) if is_header => html! { th.figure scope="row" { (words) } },
            Self::Figure(words) => html! { td.figure data-label=[label] { (words) } },
            Self::Shaded { words, percent } => html! {
                td.figure data-label=[label] style=(format!("background: color-mix(in srgb, \
                    var(--link) {percent}%, transparent)")) { (words) }
            },
            Self::Verdict { words, class } => html! { td class=(class) { (words) } },
        }
    }
}

impl GameSteps {
    fn html(&self) -> Markup {
        html! {
            h3 { (self.title) }
            ol.game {
                @for step in &self.steps { li {
                    (step.words)
                    pre role="img" aria-label=(format!("Board: {}", step.words)) {
                        @for row in &step.rows {
                            @for (class, text) in row {
                                @if class.is_empty() {
                                    (text)
                                } @else {
                                    span class=(class) { (text) }
                                }
                            }
                            "\n"
                        }
                    }
                } }
            }
        }
    }
}

impl Figure {
    /// Charts that have values, a picture each. `what` is their caption, `details` what is in them.
    pub(super) fn of_charts<C: Chart>(
        charts: &[C],
        what: String,
        details: &str,
    ) -> Result<Self, PlotError> {
        Ok(Self {
            svgs: pictures(charts)?,
            legend: charts.first().map_or_else(Vec::new, Chart::legend),
            description: format!("{what} {details}"),
            caption: what,
            class: None,
        })
    }

    fn html(&self) -> Markup {
        html! {
            figure class=[self.class] {
                // The description says what the picture shows; without this, screen readers also
                // read each label of its axes.
                div role="img" aria-label=(self.description) tabindex="0" {
                    @if !self.legend.is_empty() {
                        ul.legend aria-hidden="true" {
                            @for (name, RGBColor(red, green, blue), is_dashed) in &self.legend {
                                li.dashed[*is_dashed]
                                    style=(format!("--line: rgb({red} {green} {blue})")) { (name) }
                            }
                        }
                    }
                    div.charts aria-hidden="true" {
                        @for svg in &self.svgs { (PreEscaped(svg)) }
                    }
                }
                figcaption { (self.caption) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        let table = Table {
            caption: "Runs".to_owned(),
            head: vec!["preset".to_owned(), "mean".to_owned(), "verdict".to_owned()],
            rows: vec![vec![
                Cell::words("<nim>"),
                Cell::figure("0.5"),
                Cell::Verdict {
                    words: "agrees".to_owned(),
                    class: "agrees",
                },
            ]],
        };
        let figure = Figure {
            svgs: vec!["<svg></svg>".to_owned()],
            legend: Vec::new(),
            caption: "A & B".to_owned(),
            description: "a \"line\"".to_owned(),
            class: None,
        };
        let mut first = Section::new("One");
        first.blocks.push(PageBlock::Table(table));
        first.blocks.push(PageBlock::Figure(figure));
        Page {
            title: "A <title>".to_owned(),
            lead: vec!["What it is.".to_owned()],
            sections: vec![first, Section::new("Two")],
        }
    }

    #[test]
    fn markdown_has_the_words_and_tables_and_no_pictures() {
        assert_eq!(
            page().markdown(),
            "## A \\<title\\>\n\nWhat it is.\n\n### One\n\nRuns\n\n| preset | mean | verdict |\n| \
            --- | --- | --- |\n| \\<nim\\> | 0.5 | agrees |\n\n### Two\n"
        );
    }

    #[test]
    fn a_game_is_readable_without_its_script() {
        let step = |words: &str| GameStep {
            words: words.to_owned(),
            rows: vec![vec![("first", "x".to_owned()), ("", " .<".to_owned())]],
        };
        let mut page = page();
        let text = PageBlock::Text("A game.".to_owned());
        page.sections[1].blocks.push(text);
        page.sections[1].blocks.push(PageBlock::Game(GameSteps {
            title: "one against the other".to_owned(),
            steps: vec![step("start"), step("1. d3")],
        }));
        assert!(!page.markdown().contains("A game."), "{}", page.markdown());
        let text = page.html();
        for part in [
            "<h3>one against the other</h3>",
            "<li>1. d3<pre role=\"img\" aria-label=\"Board: 1. d3\"><span class=\"first\">x</span> \
            .&lt;\n</pre></li>",
            "<script>",
        ] {
            assert!(text.contains(part), "{part} is missing in {text}");
        }
        assert!(
            !text.contains("<li hidden"),
            "the script hides, not the page"
        );
        assert!(!text.contains("://"));
    }

    #[test]
    fn tables_have_headers_pictures_have_descriptions_and_text_is_escaped() {
        let text = page().html();
        for part in [
            "<!DOCTYPE html>",
            "<html lang=\"en\">",
            "<title>A &lt;title&gt;</title>",
            "<th scope=\"row\">&lt;nim&gt;</th>",
            "<th class=\"figure\" scope=\"col\">mean</th>",
            "<td class=\"figure\">0.5</td>",
            "<td class=\"agrees\">agrees</td>",
            "aria-label=\"a &quot;line&quot;\" tabindex=\"0\"><div \
            class=\"charts\" aria-hidden=\"true\"><svg></svg>",
            "<figcaption>A &amp; B</figcaption>",
            "<a href=\"#section-1\">Two</a>",
        ] {
            assert!(text.contains(part), "{part} is missing in {text}");
        }
        assert!(!text.contains("data-label=\""), "three columns fit");
        let mut wide = page();
        if let PageBlock::Table(table) = &mut wide.sections[0].blocks[0] {
            table.head.insert(2, "runs".to_owned());
            table.rows[0].insert(2, Cell::figure("20"));
        }
        let wide = wide.html();
        for part in [
            "<table class=\"folds\">",
            "<td class=\"figure\" data-label=\"runs\">20</td>",
            "<td class=\"agrees\">agrees</td>",
        ] {
            assert!(wide.contains(part), "{part} is missing in {wide}");
        }
        assert!(!text.contains("<script"), "it has no game");
        for part in ["://", "<link", "<img"] {
            assert!(!text.contains(part), "{part} needs more than the page");
        }
        assert_eq!(text, page().html(), "the same bytes");
    }
}
