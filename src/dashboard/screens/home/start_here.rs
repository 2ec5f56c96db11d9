//! What a newcomer should look at first.

/// A preset or a champion that is recommended for a start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recommendation {
    /// The name of the preset or saved run.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// What will be seen, in a few words.
    pub(super) shows: &'static str,
    /// The generations until it has been seen; 0 if nothing evolves.
    pub(super) generations: u64,
    /// About how long that takes where it has not been measured.
    pub(super) lasts: &'static str,
    /// What will be seen, in a few sentences.
    pub(super) about: &'static str,
}

/// The recommendations in their order. The paces of their presets fit the times given here.
pub(super) const RECOMMENDED: [Recommendation; 4] = [
    Recommendation {
        name: "nim-2x3-cells",
        title: "A network learns Nim",
        shows: "right moves rise to 100%",
        generations: 80,
        lasts: "40 s",
        about: "6,000 networks play each other at Nim. The large chart shows the share of \
            positions in which the best network finds a right move. It starts below a half, climbs \
            with each node that the network grows, and reaches 100% after about 80 generations. \
            There the run stops. Then play the champion: it makes no mistake, but it begins, in a \
            position that you can win.",
    },
    Recommendation {
        name: "reversi-vanilla",
        title: "Reversi on a torus",
        shows: "good players spread over a map",
        generations: 1000,
        lasts: "40 s",
        about: "100 players live on a torus of hexagons. Each plays its six neighbors, and its \
            successor descends from the best of them. A map shows how good players spread, a \
            second one how the best network values each square. At first the best one wins about \
            60% of its games against a random player, after 1,000 generations about 85%.",
    },
    Recommendation {
        name: "champion-draughts",
        title: "Play draughts",
        shows: "you against the champion",
        generations: 0,
        lasts: "15 min a game",
        about: "A network that has learned draughts from nothing but its own games. Move with the \
            cursor or the mouse. Values on the board show what the network expects; a hint and \
            undo are at hand.",
    },
    Recommendation {
        name: "hynek-31-chicken",
        title: "A result of a paper",
        shows: "a perfect table, found again",
        generations: 50,
        lasts: "25 s",
        about: "A heap of 31 stones, of which at most 4 are taken at a time. A strategy is a table \
            with one move for each size of the heap. The run stops when no move of the best table \
            is wrong, here after about 50 generations; in the paper it took 79 to 184.",
    },
];
