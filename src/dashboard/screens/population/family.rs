//! The family tree of the newest generation as rows and lines, and the steps on the champion's line
//! of descent. No drawing.

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::champions::InspectedPlayer;
use crate::widgets::dendrogram::TreeLine;
use finches_engine::evolution::archive::Champion;
use finches_engine::evolution::champion_index;
use finches_engine::evolution::family_tree::{FamilyBranch, FamilyTree};
use finches_engine::evolution::phylogeny::{Taxon, TaxonName};
use finches_engine::genomes::network_changes::NetworkChanges;
use finches_engine::genomes::{AnyGenome, GenomeConfig};
use finches_engine::session::GenerationSnapshot;

/// A step on the champion's line of descent.
pub(super) struct DescentStep {
    /// Its place in the list of taxa.
    taxon: u32,
    /// The generations of descent since the next older ancestor that is kept; `None` for the
    /// oldest.
    pub(super) steps: Option<u64>,
    /// What differs from the network of the next older one, if both genomes are kept.
    pub(super) changes: Option<NetworkChanges>,
    /// Its genome, if it is kept.
    pub(super) genome: Option<Arc<AnyGenome>>,
}

/// The changes of steps that have been compared, by the names of both ends.
type KnownChanges = HashMap<[TaxonName; 2], NetworkChanges>;

/// The family of the members of a generation.
pub(super) struct Family {
    pub(super) snapshot: Arc<GenerationSnapshot>,
    tree: FamilyTree,
    /// The branches with living members, by row; the champion has the first.
    pub(super) tips: Vec<usize>,
    /// The first row of each branch, and the row of its own end if it lives.
    rows: Vec<(usize, usize)>,
    /// The generations in which lines part, in ascending order.
    pub(super) partings: Vec<u64>,
    /// From the champion to its oldest ancestor.
    pub(super) line: Vec<DescentStep>,
    known: KnownChanges,
}

impl Family {
    /// The family of a generation that has been played; `None` if its ancestors are not known.
    /// Steps that `before` has compared are not compared again.
    pub(super) fn new(
        snapshot: &Arc<GenerationSnapshot>,
        genome: &GenomeConfig,
        before: Option<Self>,
    ) -> Option<Self> {
        let phylogeny = &snapshot.phylogeny;
        let count = snapshot.members.len();
        if phylogeny.played().len() != count || snapshot.fitness.len() != count {
            return None;
        }
        let champion = champion_index(&snapshot.fitness);
        let tree = FamilyTree::new(phylogeny, champion);
        let parting = |branch: &&FamilyBranch| !branch.children.is_empty();
        let born = |branch: &FamilyBranch| phylogeny.taxa()[branch.taxon as usize].name.born;
        let mut partings: Vec<u64> = tree.branches.iter().filter(parting).map(born).collect();
        partings.sort_unstable();
        partings.dedup();
        let (rows, tips) = rows(&tree);
        let mut family = Self {
            snapshot: Arc::clone(snapshot),
            tree,
            tips,
            rows,
            partings,
            line: Vec::new(),
            known: KnownChanges::new(),
        };
        let known = before.map_or_else(KnownChanges::new, |before| before.known);
        family.add_line(champion, genome, &known);
        Some(family)
    }

    /// Whether it is the family of a generation.
    pub(super) fn is_of(&self, snapshot: &Arc<GenerationSnapshot>) -> bool {
        Arc::ptr_eq(&self.snapshot, snapshot)
    }

    fn taxon(&self, place: u32) -> &Taxon {
        &self.snapshot.phylogeny.taxa()[place as usize]
    }

    pub(super) fn step_taxon(&self, step: &DescentStep) -> &Taxon {
        self.taxon(step.taxon)
    }

    /// The taxon in a row of the tree, and its members.
    pub(super) fn tip(&self, row: usize) -> Option<(&Taxon, &[usize])> {
        let branch = &self.tree.branches[*self.tips.get(row)?];
        Some((self.taxon(branch.taxon), &branch.members))
    }

    /// The founders of the tree.
    pub(super) fn founders(&self) -> usize {
        self.tree.roots.len()
    }

    /// Lists the champion and its ancestors.
    fn add_line(&mut self, champion: usize, genome: &GenomeConfig, known: &KnownChanges) {
        let phylogeny = Arc::clone(&self.snapshot.phylogeny);
        let line: Vec<u32> = phylogeny.line(phylogeny.played()[champion]).collect();
        for (place, &taxon) in line.iter().enumerate() {
            let found = self.taxon(taxon);
            let older = line.get(place + 1).map(|&older| self.taxon(older));
            let step = DescentStep {
                taxon,
                steps: older.map(|older| found.ancestors.saturating_sub(older.ancestors)),
                changes: None,
                genome: found.genome.clone().or_else(|| self.living(taxon)),
            };
            self.line.push(step);
        }
        for place in 1..self.line.len() {
            let [after, before] = [&self.line[place - 1], &self.line[place]];
            let (Some(new), Some(old)) = (&after.genome, &before.genome) else {
                continue;
            };
            let names = [after, before].map(|step| self.step_taxon(step).name);
            let compare = || {
                let [old, new] = [old, new].map(|one| genome.network_graph(one));
                NetworkChanges::between(&old, &new)
            };
            let changes = known.get(&names).copied().unwrap_or_else(compare);
            self.known.insert(names, changes);
            self.line[place - 1].changes = Some(changes);
        }
    }

    /// The genome of a taxon that lives.
    fn living(&self, taxon: u32) -> Option<Arc<AnyGenome>> {
        let played = self.snapshot.phylogeny.played();
        let member = played.iter().position(|&other| other == taxon)?;
        Some(Arc::new(self.snapshot.members[member].clone()))
    }

    /// The member in a row of the tree.
    pub(super) fn tip_player(&self, row: usize) -> Option<InspectedPlayer> {
        let (_, members) = self.tip(row)?;
        let &member = members.first()?;
        Some(InspectedPlayer::member(&self.snapshot, member))
    }

    /// The ancestor of a step, as the member that it was when it was new.
    pub(super) fn step_player(&self, step: usize) -> Option<InspectedPlayer> {
        let step = self.line.get(step)?;
        let taxon = self.step_taxon(step);
        let champion = Champion {
            generation: taxon.name.born,
            fitness: taxon.fitness.unwrap_or(f64::NAN),
            genome: AnyGenome::clone(step.genome.as_ref()?),
        };
        Some(InspectedPlayer {
            champion: Arc::new(champion),
            member: Some(taxon.name.place as usize),
        })
    }

    /// The lines of the tree in `width` columns. Lines part at columns in the order of the
    /// generations in which they did.
    pub(super) fn lines(&self, width: usize) -> Vec<TreeLine> {
        let end = width.saturating_sub(1);
        let mut lines = Vec::new();
        for (place, branch) in self.tree.branches.iter().enumerate() {
            let (first, own) = self.rows[place];
            let is_tip = branch.children.is_empty();
            let column = self.parting_column(branch, width);
            let start = match branch.parent {
                Some(parent) => self.parting_column(&self.tree.branches[parent], width),
                None if is_tip => end.saturating_sub(1),
                None => column,
            };
            let along = |row, from, to| TreeLine::Along {
                row,
                columns: [from, to],
                is_emphasized: row == 0,
            };
            lines.push(along(first, start, if is_tip { end } else { column }));
            if is_tip {
                continue;
            }
            if !branch.members.is_empty() {
                lines.push(along(own, column, end));
            }
            let children = branch.children.iter().map(|&child| self.rows[child].0);
            lines.push(TreeLine::Down {
                column,
                rows: [first, children.fold(own, usize::max)],
            });
        }
        lines
    }

    fn parting_column(&self, branch: &FamilyBranch, width: usize) -> usize {
        let born = self.taxon(branch.taxon).name.born;
        let place = self.partings.partition_point(|&parting| parting < born);
        self.column(place, width)
    }

    /// The column of a parting, by its place in time.
    pub(super) fn column(&self, place: usize, width: usize) -> usize {
        place * width.saturating_sub(1) / self.partings.len().max(1)
    }
}

/// The rows of all branches, as in [`Family::rows`], and the branches that live, by row. A branch
/// that lives stands above its descendants, unless the champion is one of them.
fn rows(tree: &FamilyTree) -> (Vec<(usize, usize)>, Vec<usize>) {
    let mut rows = vec![(0, 0); tree.branches.len()];
    let mut tips = vec![
        0;
        tree.branches
            .iter()
            .filter(|branch| !branch.members.is_empty())
            .count()
    ];
    let mut next = 0;
    for &root in &tree.roots {
        rows[root].0 = next;
        next += tree.branches[root].tips;
    }
    for (place, branch) in tree.branches.iter().enumerate() {
        let mut next = rows[place].0;
        rows[place].1 = next;
        let lives = !branch.members.is_empty();
        let is_above = !branch
            .children
            .iter()
            .any(|&child| tree.branches[child].is_on_line);
        next += usize::from(lives && is_above);
        for &child in &branch.children {
            rows[child].0 = next;
            next += tree.branches[child].tips;
        }
        if lives && !is_above {
            rows[place].1 = next;
        }
        if lives {
            tips[rows[place].1] = place;
        }
    }
    (rows, tips)
}
