//! Family trees as text: Newick, and the CSV of the artificial-life data standard for phylogenies
//! (Lalejini et al. 2019, "Data Standards for Artificial Life Software"), which phylotrackpy and
//! hstrat read.

use finches_engine::evolution::family_tree::FamilyTree;
use finches_engine::evolution::phylogeny::{Phylogeny, Taxon};
use finches_engine::session::SessionState;

use super::StorageError;
use super::saves::Saves;

/// The columns of the CSV, those of the standard first.
const COLUMNS: &str =
    "id,ancestor_list,origin_time,destruction_time,num_orgs,taxon_label,fitness,operator,mate\n";

/// The state of a run whose family tree is known. The error says why it is not.
pub fn state_with_tree(saves: &Saves, name: &str) -> Result<SessionState, StorageError> {
    let state = saves.load(name)?.state;
    if state.population.phylogeny.played().is_empty() {
        let why = if state.generation == 0 {
            "no generation has been played yet"
        } else {
            "it was saved before family trees were recorded; resume it for a generation"
        };
        let what = format!("{name}: has no family tree, because {why}");
        return Err(StorageError::Unknown(what));
    }
    Ok(state)
}

/// The family tree of the members that played the latest generation, in the Newick format. Lengths
/// are generations. Ancestors are named, too, but not those that live: they are at the end of a
/// branch of their own. Members without a common ancestor hang on a root without a name, which is
/// as old as the oldest of them.
pub fn newick(phylogeny: &Phylogeny, generation: u64) -> String {
    let tree = FamilyTree::new(phylogeny, 0);
    let writer = NewickWriter {
        phylogeny,
        tree: &tree,
        generation,
    };
    let texts = writer.texts();
    let text = if let [root] = tree.roots[..] {
        texts[root].clone()
    } else {
        let oldest = tree.roots.iter().map(|&root| writer.taxon(root).name.born);
        let roots = writer.joined(&tree.roots, &texts, oldest.min().unwrap_or(0));
        format!("({roots})")
    };
    text + ";\n"
}

struct NewickWriter<'a> {
    phylogeny: &'a Phylogeny,
    tree: &'a FamilyTree,
    /// When the members live.
    generation: u64,
}

impl NewickWriter<'_> {
    fn taxon(&self, branch: usize) -> &Taxon {
        &self.phylogeny.taxa()[self.tree.branches[branch].taxon as usize]
    }

    /// Each branch with all that descend from it, without its length.
    fn texts(&self) -> Vec<String> {
        let mut texts = vec![String::new(); self.tree.branches.len()];
        for (place, branch) in self.tree.branches.iter().enumerate().rev() {
            let name = self.taxon(place).name;
            let children = self.joined(&branch.children, &texts, name.born);
            texts[place] = match (branch.children.is_empty(), branch.members.is_empty()) {
                (true, _) => name.to_string(),
                (false, true) => format!("({children}){name}"),
                (false, false) => {
                    let length = self.generation.saturating_sub(name.born);
                    format!("({children},{name}:{length})")
                }
            };
        }
        texts
    }

    /// Some branches with their lengths since a generation.
    fn joined(&self, branches: &[usize], texts: &[String], since: u64) -> String {
        let write = |&place: &usize| {
            let is_tip = self.tree.branches[place].children.is_empty();
            let born = self.taxon(place).name.born;
            let end = if is_tip { self.generation } else { born };
            format!("{}:{}", texts[place], end.saturating_sub(since))
        };
        let written: Vec<String> = branches.iter().map(write).collect();
        written.join(",")
    }
}

/// The members that played the latest generation and all their ancestors that are kept, as CSV.
/// What lived in that generation has no end yet.
pub fn csv(phylogeny: &Phylogeny) -> String {
    let taxa = phylogeny.taxa();
    let mut living = vec![0_usize; taxa.len()];
    let played = phylogeny.played().iter();
    played.for_each(|&taxon| living[taxon as usize] += 1);
    let mut is_listed: Vec<bool> = living.iter().map(|count| *count > 0).collect();
    for (place, taxon) in taxa.iter().enumerate().rev() {
        if let (true, Some(parent)) = (is_listed[place], taxon.parent) {
            is_listed[parent as usize] = true;
        }
    }
    let listed = (0..taxa.len()).filter(|&place| is_listed[place]);
    let lines = listed.map(|place| line(place, &taxa[place], living[place]));
    COLUMNS.to_owned() + &lines.collect::<String>()
}

fn line(place: usize, taxon: &Taxon, living: usize) -> String {
    let parent = taxon.parent.map(|parent| parent.to_string());
    let died = taxon.died.filter(|_| living == 0);
    let cells = [
        place.to_string(),
        format!("[{}]", parent.as_deref().unwrap_or("NONE")),
        taxon.name.born.to_string(),
        died.map_or_else(|| "inf".to_owned(), |died| died.to_string()),
        living.to_string(),
        taxon.name.to_string(),
        taxon
            .fitness
            .map_or_else(String::new, |fitness| fitness.to_string()),
        taxon.operator.name().to_owned(),
        taxon.mate.map_or_else(String::new, |mate| mate.to_string()),
    ];
    cells.join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use finches_engine::play::pool::Pool;
    use finches_engine::preset::Preset;
    use finches_engine::session::Session;

    /// The phylogeny of a small run and its latest generation played.
    fn sample(changes: &[(&str, &str)], generations: u64) -> (Phylogeny, u64) {
        let few = [("population", "24"), ("opponents", "6")];
        let changes = few.iter().chain(changes);
        let changes = changes.map(|&(key, value)| (key.to_owned(), value.to_owned()));
        let preset = Preset::default().with(&changes.collect::<Vec<_>>());
        let pool = Pool::new(1).expect("there is a thread");
        let session = Session::new(preset.expect("it is valid"), 1, Vec::new(), pool);
        let mut session = session.expect("it is valid");
        for _ in 0..generations {
            let row = session.advance(&AtomicBool::new(false));
            row.expect("nothing halts it");
        }
        let phylogeny = Phylogeny::clone(&session.state().population.phylogeny);
        (phylogeny, generations - 1)
    }

    /// A node of a Newick tree: its name, its parent by its place, and its distance from the root.
    struct Read {
        name: String,
        parent: Option<usize>,
        depth: u64,
    }

    /// Reads a tree in the Newick format, without quotes. Parents come first.
    fn read_newick(text: &str) -> Vec<Read> {
        let mut nodes = vec![Read {
            name: String::new(),
            parent: None,
            depth: 0,
        }];
        let (mut at, mut number) = (0, None);
        for sign in text.trim_end().chars() {
            let parent = match sign {
                '(' => Some(at),
                ',' => nodes[at].parent,
                _ => None,
            };
            match sign {
                '(' | ',' => {
                    nodes[at].depth += number.take().unwrap_or(0);
                    nodes.push(Read {
                        name: String::new(),
                        parent,
                        depth: 0,
                    });
                    at = nodes.len() - 1;
                }
                ')' => {
                    nodes[at].depth += number.take().unwrap_or(0);
                    at = nodes[at].parent.expect("the brackets match");
                }
                ':' => number = Some(0),
                ';' => assert_eq!(at, 0, "the brackets match"),
                sign => match &mut number {
                    Some(number) => {
                        let digit = sign.to_digit(10).expect("lengths are whole numbers");
                        *number = *number * 10 + u64::from(digit);
                    }
                    None => nodes[at].name.push(sign),
                },
            }
        }
        for place in 1..nodes.len() {
            let parent = nodes[place].parent.map_or(0, |parent| nodes[parent].depth);
            nodes[place].depth += parent;
        }
        nodes
    }

    fn check_newick(changes: &[(&str, &str)], generations: u64) {
        let (phylogeny, now) = sample(changes, generations);
        let tree = FamilyTree::new(&phylogeny, 0);
        let nodes = read_newick(&newick(&phylogeny, now));
        let by_name: BTreeMap<&str, usize> = (0..)
            .zip(&nodes)
            .map(|(place, node)| (node.name.as_str(), place))
            .collect();
        let born = |branch: usize| {
            phylogeny.taxa()[tree.branches[branch].taxon as usize]
                .name
                .born
        };
        let oldest = tree.roots.iter().map(|&root| born(root)).min();
        let oldest = oldest.expect("there is a root");
        for (place, branch) in tree.branches.iter().enumerate() {
            let name = phylogeny.taxa()[branch.taxon as usize].name.to_string();
            let node = &nodes[by_name[name.as_str()]];
            let end = if branch.members.is_empty() {
                born(place)
            } else {
                now
            };
            assert_eq!(node.depth, end - oldest, "{name}");
            let Some(parent) = branch.parent.filter(|_| branch.children.is_empty()) else {
                continue;
            };
            // A parent that lives has its name at the end of a branch of its own.
            let written = node.parent.map(|parent| nodes[parent].name.as_str());
            let parent = &tree.branches[parent];
            let name = phylogeny.taxa()[parent.taxon as usize].name.to_string();
            let expected = if parent.members.is_empty() { &name } else { "" };
            assert_eq!(written, Some(expected));
        }
        let tips = tree
            .branches
            .iter()
            .filter(|branch| !branch.members.is_empty());
        let inner = nodes.iter().filter_map(|node| node.parent);
        let inner: std::collections::BTreeSet<usize> = inner.collect();
        assert_eq!(nodes.len() - inner.len(), tips.count());
    }

    #[test]
    fn newick_is_read_back_as_the_same_tree() {
        check_newick(&[], 1);
        check_newick(&[], 30);
        check_newick(&[("immigrant_share", "0.3"), ("past_share", "0.2")], 30);
    }

    #[test]
    fn each_line_of_the_csv_has_its_ancestor_above_it() {
        let (phylogeny, now) = sample(&[("immigrant_share", "0.1"), ("elites", "3")], 30);
        let text = csv(&phylogeny);
        let mut lines = text.lines();
        assert_eq!(lines.next(), COLUMNS.lines().next());
        let mut born = BTreeMap::new();
        let mut living = 0;
        for line in lines {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells.len(), 9, "{line}");
            let origin: u64 = cells[2].parse().expect("it is a generation");
            let parent = cells[1].trim_matches(['[', ']']);
            assert!(parent == "NONE" || born[parent] <= origin, "{line}");
            match cells[3] {
                "inf" => living += 1,
                died => assert!(
                    died.parse::<u64>()
                        .is_ok_and(|died| origin < died && died <= now)
                ),
            }
            born.insert(cells[0], origin);
        }
        let mut played = phylogeny.played().to_vec();
        played.sort_unstable();
        played.dedup();
        assert_eq!(living, played.len());
    }
}
