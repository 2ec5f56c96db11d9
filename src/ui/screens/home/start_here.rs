//! What a newcomer should look at first.

/// A preset or a champion that is recommended for a start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recommendation {
    /// The name of the preset or saved run.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// What will be seen, in a few words.
    pub(super) shows: &'static str,
    /// About how long that takes.
    pub(super) lasts: &'static str,
    /// What will be seen, in a few sentences.
    pub(super) about: &'static str,
}

/// The recommendations in their order. The paces of their presets fit the times given here.
pub(super) const RECOMMENDED: [Recommendation; 4] = [
    Recommendation {
        name: "nim-2x10-value",
        title: "A network learns Nim",
        shows: "right moves rise to 100 %",
        lasts: "1 min",
        about: "500 networks play each other at Nim. The large chart shows in how many of all positions the best one moves perfectly: at first in about a third, after about 100 generations in all. Pause and make single steps, or change a mutation rate and watch what it does. At last play against the champion: it makes no mistake.",
    },
    Recommendation {
        name: "reversi-vanilla",
        title: "Reversi on a torus",
        shows: "good players spread over a map",
        lasts: "1 min",
        about: "100 players live on a torus of hexagons. Each plays against its six neighbors, and its successor descends from the good players among them. The map shows how good ones spread, and the picture of a network what it thinks of each square. After 1,000 generations they win most games against a random player.",
    },
    Recommendation {
        name: "champion-draughts",
        title: "Play draughts",
        shows: "you against an evolved champion",
        lasts: "15 min",
        about: "A network that has learned draughts from nothing but its own games. Move with the cursor or the mouse. Values on the board show what the network expects; a hint and undo are at hand.",
    },
    Recommendation {
        name: "hynek-31-chicken",
        title: "A result of a paper",
        shows: "a perfect table, found again",
        lasts: "30 s",
        about: "A heap of 31 matches, of which at most 4 are taken at a time. Each strategy is a table with one move for each size of the heap. The run stops when no move of the best table is wrong, mostly before generation 100. The paper gives how many generations it took there.",
    },
];
