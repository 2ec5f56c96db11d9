//! House rules that the compiler does not know, checked on the sources: how wide an interface may
//! be, which names stay at the edges, and how much code a room may have.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::support::root;

/// Most methods of a trait, without those that only other parts of a type need.
const MAX_METHODS: usize = 12;

/// Most named fields of a struct.
const MAX_FIELDS: usize = 20;

/// Most files with an inherent `impl` block of one type.
const MAX_IMPL_FILES: usize = 5;

/// Most variants of the enum of actions that all screens share.
const MAX_ACTIONS: usize = 45;

/// Most columns of a line, documentation included.
const MAX_COLUMNS: usize = 100;

/// Names that belong to some rooms or modules: the name, those places, and what to do elsewhere.
const RESERVED: [(&str, &[&str], &str); 6] = [
    ("rayon", &["engine/play"], "go through `play::pool::Pool`"),
    (
        "std::fs",
        &["runs/storage", "dashboard/terminal_input"],
        "let `storage` touch the files",
    ),
    (
        "std::process::Command",
        &["engine/outside", "runs/storage"],
        "let `outside` run the programs that play",
    ),
    (
        "std::env",
        &["runs/storage", "cli", "main", "dashboard/theme"],
        "take it as an argument",
    ),
    (
        "std::time",
        &["engine/outside", "runs", "lab", "dashboard", "cli"],
        "results depend on preset and seed alone; let `run` keep the time",
    ),
    (
        "crossbeam_channel",
        &["runs", "dashboard", "cli"],
        "return a value, let `run` send it",
    ),
];

/// A source file.
struct Source {
    /// Relative to `src`, without `.rs`, such as `engine/games/nim/mod`.
    place: String,
    text: String,
    syntax: syn::File,
    /// Whether it is compiled for tests only.
    is_test: bool,
}

impl Source {
    fn new(place: &str, text: &str) -> Self {
        let syntax = syn::parse_file(text).unwrap_or_else(|error| panic!("{place}: {error}"));
        Self {
            place: place.to_owned(),
            text: text.to_owned(),
            syntax,
            is_test: false,
        }
    }

    fn is_within(&self, places: &[&str]) -> bool {
        places.iter().any(|place| {
            let rest = self.place.strip_prefix(place);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    /// The room: a crate's folder, or `program`.
    fn room(&self) -> &str {
        let rooms = ["engine", "runs", "lab", "dashboard"];
        let first = self.place.split('/').next().unwrap_or_default();
        rooms
            .into_iter()
            .find(|room| *room == first)
            .unwrap_or("program")
    }
}

/// All sources of the rooms.
fn sources() -> Vec<Source> {
    let mut sources = Vec::new();
    read(&root().join("src"), &mut sources);
    assert!(sources.len() > 100, "the sources were found");
    let tests: BTreeSet<String> = sources.iter().flat_map(test_modules).collect();
    for source in &mut sources {
        let place = source.place.trim_end_matches("/mod");
        let within = |test: &String| place == test || place.starts_with(&format!("{test}/"));
        source.is_test = place.contains("/tests/it/") || tests.iter().any(within);
    }
    sources
}

fn read(folder: &Path, sources: &mut Vec<Source>) {
    let entries = fs::read_dir(folder).expect("the sources are there");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("it is readable").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read(&path, sources);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("sources are text");
            let place = path
                .strip_prefix(root().join("src"))
                .expect("it is below src");
            let place = place
                .with_extension("")
                .to_string_lossy()
                .replace('\\', "/");
            sources.push(Source::new(&place, &text));
        }
    }
}

/// The places of the modules that a source declares for tests only.
fn test_modules(source: &Source) -> Vec<String> {
    let place = &source.place;
    let folder = place
        .strip_suffix("/mod")
        .or_else(|| place.strip_suffix("/lib"));
    let declared = source.syntax.items.iter().filter_map(|item| match item {
        syn::Item::Mod(module) if module.content.is_none() && is_for_tests(&module.attrs) => {
            Some(format!("{}/{}", folder.unwrap_or(place), module.ident))
        }
        _ => None,
    });
    declared.collect()
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) if list.path.is_ident("cfg") => list.tokens.to_string() == "test",
        meta => meta.path().is_ident("test"),
    })
}

/// What one source declares and names outside of its tests.
#[derive(Default)]
struct Found {
    types: BTreeSet<String>,
    /// Types that have an inherent `impl` block.
    impls: BTreeSet<String>,
    /// Paths in full, with their lines: `use a::{b, c::d}` has `a::b` and `a::c::d`.
    paths: Vec<(String, usize)>,
    /// Interfaces that are too wide: their lines, and what is wrong.
    wide: Vec<(usize, String)>,
}

impl Found {
    fn of(source: &Source) -> Self {
        let mut found = Self::default();
        if !source.is_test {
            found.visit_file(&source.syntax);
        }
        found
    }

    fn declare(&mut self, name: &syn::Ident) {
        self.types.insert(name.to_string());
    }

    fn width(&mut self, name: &syn::Ident, what: &str, count: usize, most: usize) {
        if count > most {
            let problem = format!("`{name}` has {count} {what}, at most {most} are allowed");
            self.wide.push((line(name), problem));
        }
    }

    fn import(&mut self, prefix: &str, tree: &syn::UseTree) {
        let mut leaf = |name: &syn::Ident| {
            self.paths.push((format!("{prefix}{name}"), line(name)));
        };
        match tree {
            syn::UseTree::Path(path) => {
                self.import(&format!("{prefix}{}::", path.ident), &path.tree);
            }
            syn::UseTree::Name(name) => leaf(&name.ident),
            syn::UseTree::Rename(rename) => leaf(&rename.ident),
            syn::UseTree::Glob(_) => {}
            syn::UseTree::Group(group) => {
                group
                    .items
                    .iter()
                    .for_each(|tree| self.import(prefix, tree));
            }
        }
    }
}

fn line(spanned: &impl Spanned) -> usize {
    spanned.span().start().line
}

impl<'ast> Visit<'ast> for Found {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if !is_for_tests(&function.attrs) {
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_item_use(&mut self, import: &'ast syn::ItemUse) {
        self.import("", &import.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string());
        self.paths
            .push((names.collect::<Vec<_>>().join("::"), line(path)));
        visit::visit_path(self, path);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.declare(&item.ident);
        let is_method = |item: &&syn::TraitItem| matches!(item, syn::TraitItem::Fn(_));
        let methods = item.items.iter().filter(is_method).count();
        self.width(&item.ident, "methods", methods, MAX_METHODS);
        visit::visit_item_trait(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.declare(&item.ident);
        if let syn::Fields::Named(fields) = &item.fields {
            self.width(&item.ident, "fields", fields.named.len(), MAX_FIELDS);
        }
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.declare(&item.ident);
        if item.ident == "Action" {
            self.width(&item.ident, "variants", item.variants.len(), MAX_ACTIONS);
        }
        visit::visit_item_enum(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.declare(&item.ident);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if let (None, syn::Type::Path(of)) = (&item.trait_, &*item.self_ty) {
            let name = of.path.segments.last().expect("a path has a name");
            self.impls.insert(name.ident.to_string());
        }
        visit::visit_item_impl(self, item);
    }
}

/// All breaches, one line each: where, what, and what to do instead.
fn breaches(sources: &[Source]) -> Vec<String> {
    let mut breaches = Vec::new();
    let mut declared: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut impls: BTreeMap<String, usize> = BTreeMap::new();
    for source in sources {
        let found = Found::of(source);
        let mut report = |line: usize, what: &str| {
            breaches.push(format!("src/{}.rs:{line}: {what}", source.place));
        };
        if !source.text.starts_with("//!") {
            report(
                1,
                "does not open with `//!`; say what it is and what it does not know",
            );
        }
        for (index, text) in source.text.lines().enumerate() {
            if text.chars().count() > MAX_COLUMNS {
                report(index + 1, &format!("has more than {MAX_COLUMNS} columns"));
            }
        }
        for (line, what) in &found.wide {
            report(*line, what);
        }
        for (path, line) in &found.paths {
            if let Some(what) = reserved(source, path) {
                report(*line, &what);
            }
        }
        // One file may have a type for each system.
        for name in found.types {
            declared.entry(name).or_default().insert(&source.place);
        }
        for name in found.impls {
            *impls.entry(name).or_default() += 1;
        }
    }
    for (name, places) in declared.iter().filter(|(_, places)| places.len() > 1) {
        breaches.push(format!(
            "`{name}` is declared in more than one file: {places:?}"
        ));
    }
    for (name, files) in impls.iter().filter(|(_, files)| **files > MAX_IMPL_FILES) {
        breaches.push(format!(
            "`{name}` has `impl` blocks in {files} files, at most {MAX_IMPL_FILES} are allowed"
        ));
    }
    breaches
}

/// What is wrong with a path, if its name belongs to other places.
fn reserved(source: &Source, path: &str) -> Option<String> {
    let (name, places, instead) = RESERVED.into_iter().find(|(name, places, _)| {
        let rest = path.strip_prefix(name);
        let is_named = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
        is_named && !source.is_within(places)
    })?;
    Some(format!(
        "uses {name}, which only {} may; {instead}",
        places.join(", ")
    ))
}

/// The lines of code of a source: those with anything but comments and documentation, without
/// tests.
fn code_lines(source: &Source) -> usize {
    if source.is_test {
        return 0;
    }
    let mut lines = BTreeSet::new();
    for item in &source.syntax.items {
        let attributes = match item {
            syn::Item::Mod(item) => &item.attrs[..],
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Use(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            syn::Item::Const(item) => &item.attrs,
            _ => &[],
        };
        if !is_for_tests(attributes) {
            add_lines(item.to_token_stream(), &mut lines);
        }
    }
    lines.len()
}

fn add_lines(tokens: TokenStream, lines: &mut BTreeSet<usize>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_hash = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
        if is_hash && tokens.peek().is_some_and(is_documentation) {
            tokens.next();
            continue;
        }
        match token {
            TokenTree::Group(group) => {
                if group.delimiter() != Delimiter::None {
                    lines.insert(group.span_open().start().line);
                    lines.insert(group.span_close().start().line);
                }
                add_lines(group.stream(), lines);
            }
            token => {
                let span = token.span();
                lines.extend(span.start().line..=span.end().line);
            }
        }
    }
}

/// Whether a group of tokens is `[doc = ...]`.
fn is_documentation(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else {
        return false;
    };
    let first = group.stream().into_iter().next();
    matches!(first, Some(TokenTree::Ident(name)) if name == "doc")
}

#[test]
fn the_sources_keep_to_the_house_rules() {
    let breaches = breaches(&sources());
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}

#[test]
fn each_room_stays_within_its_budget() {
    let text = fs::read_to_string(root().join("tests/budget.ron")).expect("there is a budget");
    let budget: BTreeMap<String, usize> = ron::from_str(&text).expect("it is a map");
    let mut used: BTreeMap<&str, usize> = BTreeMap::new();
    let sources = sources();
    for source in &sources {
        *used.entry(source.room()).or_default() += code_lines(source);
    }
    let rooms: Vec<&str> = budget.keys().map(String::as_str).collect();
    assert_eq!(rooms, used.keys().copied().collect::<Vec<_>>());
    println!("code lines: {used:?}");
    for (room, lines) in used {
        let most = budget[room];
        assert!(
            lines <= most,
            "{room} has {lines} lines of code, its budget in tests/budget.ron is {most}: \
             take something away, or raise it in a commit that says why"
        );
    }
}

/// Checks the breaches of a made-up source, by what they contain.
fn check(place: &str, body: &str, expected: &[&str]) {
    let found = breaches(&[Source::new(place, &format!("//! Made up.\n{body}"))]);
    let agrees = found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|(found, part)| found.contains(part));
    assert!(
        agrees,
        "{place}: {body}\n found {found:#?}\n expected {expected:#?}"
    );
}

#[test]
fn reserved_names_are_breaches_elsewhere() {
    let files = "use std::{fmt, fs::File};";
    check(
        "engine/play/mod",
        files,
        &["engine/play/mod.rs:2: uses std::fs"],
    );
    check("runs/storage/mod", files, &[]);
    check(
        "engine/session/mod",
        "fn f() { std::time::Instant::now(); }",
        &["uses std::time"],
    );
    check(
        "runs/run/mod",
        "use rayon::prelude::*;\nuse rayon::join;",
        &["uses rayon"],
    );
    check("engine/play/pool", "use rayon::join;", &[]);
    check(
        "engine/games/nim",
        "// use std::fs;\nconst A: &str = \"std::fs\";",
        &[],
    );
    check(
        "engine/games/nim",
        "#[cfg(test)]\nmod tests { use std::fs; }",
        &[],
    );
}

#[test]
fn wide_interfaces_are_breaches() {
    let methods = |count: usize| {
        let methods = (0..count).map(|at| format!("fn f{at}(&self);\n"));
        let methods = methods.collect::<Vec<_>>().concat();
        format!("trait Door {{ const A: u8; {methods} }}")
    };
    check("engine/rng", &methods(MAX_METHODS), &[]);
    check(
        "engine/rng",
        &methods(MAX_METHODS + 1),
        &["`Door` has 13 methods"],
    );
    let fields = |count: usize| {
        let fields = (0..count).map(|at| format!("f{at}: u8,\n"));
        let fields = fields.collect::<Vec<_>>().concat();
        format!("struct State {{ {fields} }}")
    };
    check("engine/rng", &fields(MAX_FIELDS), &[]);
    check(
        "engine/rng",
        &fields(MAX_FIELDS + 1),
        &["`State` has 21 fields"],
    );
    check("engine/rng", &format!("// {}", "x".repeat(97)), &[]);
    check(
        "engine/rng",
        &format!("// {}", "x".repeat(98)),
        &["more than 100 columns"],
    );
    let twice = ["lab/a", "lab/b"].map(|place| Source::new(place, "//! Made up.\nenum A {}"));
    assert!(breaches(&twice)[0].contains("`A` is declared in more than one file"));
    let files: Vec<Source> = (0..=MAX_IMPL_FILES)
        .map(|at| Source::new(&format!("lab/a{at}"), "//! Made up.\nimpl Wide<'_> {}"))
        .collect();
    assert_eq!(breaches(&files[1..]), [""; 0]);
    assert!(breaches(&files)[0].contains("`Wide` has `impl` blocks in 6 files"));
}

#[test]
fn lines_of_code_are_those_outside_of_comments_and_tests() {
    let lines = [
        "//! Made up.\n\nuse a::b;\n\n/// Documentation.\nstruct A {\n    /// More.\n    b: u8,\n",
        "    // A comment.\n}\n#[cfg(test)]\nmod tests {\n    fn f() {}\n}",
        "const TEXT: &str = \"one\n two\";\nparams! {\n    /// Help.\n    live a: u8 = 3;\n}\n",
    ];
    let text = lines.join("\n");
    assert_eq!(code_lines(&Source::new("made_up", &text)), 1 + 3 + 2 + 3);
}
