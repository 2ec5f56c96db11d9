//! The family tree of the members of a generation: the members and the ancestors where their lines
//! part, without all others.

use std::cmp::Reverse;

use super::phylogeny::Phylogeny;

/// A member, or an ancestor from which the lines of several members part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyBranch {
    /// Its place in [`Phylogeny::taxa`].
    pub taxon: u32,
    /// Its nearest ancestor in the tree, by its place in [`FamilyTree::branches`].
    pub parent: Option<usize>,
    /// Its descendants that are nearest, by their places: first the champion's line, then those
    /// with the most members.
    pub children: Vec<usize>,
    /// The members that it consists of, by their indices; none if it is dead.
    pub members: Vec<usize>,
    /// The number of taxa with members among it and its descendants.
    pub tips: usize,
    /// Whether it is the champion or one of its ancestors.
    pub is_on_line: bool,
}

/// The family tree, or several where members have no ancestor in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FamilyTree {
    /// All branches, ancestors before descendants.
    pub branches: Vec<FamilyBranch>,
    /// Those without ancestors: first the champion's line, then those with the most members.
    pub roots: Vec<usize>,
}

impl FamilyTree {
    /// The family tree of the latest generation played, of which the champion's index is given.
    pub fn new(phylogeny: &Phylogeny, champion: usize) -> Self {
        let taxa = phylogeny.taxa();
        let mut members = vec![Vec::new(); taxa.len()];
        for (member, &taxon) in phylogeny.played().iter().enumerate() {
            members[taxon as usize].push(member);
        }
        let mut lines = vec![0_u32; taxa.len()];
        for (place, taxon) in taxa.iter().enumerate().rev() {
            let leads_on = lines[place] > 0 || !members[place].is_empty();
            if let Some(parent) = taxon.parent {
                lines[parent as usize] += u32::from(leads_on);
            }
        }
        let mut tree = Self::default();
        // The branch of each taxon, or of its nearest ancestor that has one.
        let mut branch_of: Vec<Option<usize>> = Vec::with_capacity(taxa.len());
        for (place, taxon) in taxa.iter().enumerate() {
            let parent = taxon.parent.and_then(|parent| branch_of[parent as usize]);
            if lines[place] < 2 && members[place].is_empty() {
                branch_of.push(parent);
                continue;
            }
            branch_of.push(Some(tree.branches.len()));
            tree.branches.push(FamilyBranch {
                taxon: place as u32,
                parent,
                children: Vec::new(),
                members: std::mem::take(&mut members[place]),
                tips: 0,
                is_on_line: false,
            });
        }
        let champion = phylogeny.played().get(champion);
        tree.mark_line(champion.and_then(|&taxon| branch_of[taxon as usize]));
        tree.connect();
        tree
    }

    fn mark_line(&mut self, mut next: Option<usize>) {
        while let Some(branch) = next {
            self.branches[branch].is_on_line = true;
            next = self.branches[branch].parent;
        }
    }

    /// Counts the tips and lists the children, in order.
    fn connect(&mut self) {
        for place in (0..self.branches.len()).rev() {
            let branch = &mut self.branches[place];
            branch.tips += usize::from(!branch.members.is_empty());
            let (tips, parent) = (branch.tips, branch.parent);
            match parent {
                Some(parent) => {
                    self.branches[parent].tips += tips;
                    self.branches[parent].children.push(place);
                }
                None => self.roots.push(place),
            }
        }
        let keys: Vec<_> = self
            .branches
            .iter()
            .map(|branch| (!branch.is_on_line, Reverse(branch.tips), branch.taxon))
            .collect();
        let by_key = |&branch: &usize| keys[branch];
        for branch in &mut self.branches {
            branch.children.sort_by_key(by_key);
        }
        self.roots.sort_by_key(by_key);
    }
}
