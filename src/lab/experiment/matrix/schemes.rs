//! The schemes of the table: how a population is paired, judged and replaced, as in the
//! publications and beyond them.
//!
//! Rates of mutation and crossover belong to the genome and are the same for all schemes of a game.
//! Where a scheme differs from its publication, its note says how.

/// Which networks a scheme evolves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemeNetwork {
    /// The dense network of the game, the same for all schemes.
    Dense,
    /// NEAT's growing network.
    Growing,
}

/// A scheme of the table.
#[derive(Clone, Copy, Debug)]
pub struct Scheme {
    /// The name on the command line and in the table.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// The publication that it is from.
    pub source: &'static str,
    /// Which networks it evolves.
    pub network: SchemeNetwork,
    /// The evolution, as in a preset.
    pub evolution: &'static str,
}

impl Scheme {
    const fn dense([name, about, source]: [&'static str; 3], evolution: &'static str) -> Self {
        Self {
            name,
            about,
            source,
            network: SchemeNetwork::Dense,
            evolution,
        }
    }
}

/// All schemes in the order of the table.
pub const SCHEMES: [Scheme; 18] = [
    Scheme::dense(
        [
            "circular",
            "circular pairing, wins, shares of offspring",
            "Kissling 2025, section 3.1.4",
        ],
        "population: 100, pairing: circular(opponents: 50, games_per_pair: 2), fitness: wins,
         selection: power(exponent: 1), replacement: shares",
    ),
    Scheme::dense(
        [
            "podium",
            "five random games each, the podium; mutation is plain instead of safe",
            "Thien 2018, Genetic Algorithms",
        ],
        "population: 15, pairing: random_opponents(games: 5), fitness: points(win: 2, draw: 0, \
         loss: -1),
         selection: none, crossover: mate(rate: 1), replacement: podium(equals: drawn)",
    ),
    Scheme::dense(
        [
            "podium-league",
            "each against each, the podium; mutation is plain instead of safe",
            "Thien 2018, Genetic Algorithms; Al-Khateeb & Kendall 2009",
        ],
        "population: 15, pairing: round_robin, fitness: points(win: 2, draw: 0, loss: -1),
         selection: none, crossover: mate(rate: 1), replacement: podium(equals: drawn)",
    ),
    Scheme::dense(
        [
            "antigens",
            "antibodies against antigens, implicit fitness sharing",
            "Weaver & Bossomaier 1996, Antibody/Antigen with Implicit Fitness Sharing",
        ],
        "population: 100, pairing: antigens(antigens: 0.25, antibodies: 0.33),
         fitness: shared(points: 33, clean_shares: 4, partial_shares: 1),
         selection: proportional, crossover: mate(rate: 0.6), replacement: generational(elites: 1)",
    ),
    Scheme::dense(
        [
            "round-robin",
            "each against each, matches won",
            "Weaver & Bossomaier 1996, Co-evolution: Round-Robin",
        ],
        "population: 100, pairing: round_robin, fitness: matches,
         selection: proportional, crossover: mate(rate: 0.6), replacement: generational(elites: 1)",
    ),
    Scheme::dense(
        [
            "reference",
            "all against the random player, matches won",
            "Weaver & Bossomaier 1996, Direct Evolution",
        ],
        "population: 100, pairing: reference(opponent: \"random\", matches: 10), fitness: matches,
         selection: proportional(best_share: 0.1), crossover: mate(rate: 0.6), \
         replacement: generational(elites: 1)",
    ),
    Scheme::dense(
        [
            "torus",
            "neighbors on a torus play and breed",
            "Porter & LeGrand (no date), Vanilla Configuration",
        ],
        "population: 100, space: torus(width: 10), pairing: neighbors, fitness: points(win: 64, \
         draw: 32, each: 1),
         selection: window, crossover: mate(rate: 1), replacement: neighborhood",
    ),
    Scheme::dense(
        [
            "hall-of-fame",
            "all against a hall of fame, wins; 100 members and 38 in the hall instead of 400 and \
            150, from both sides instead of one",
            "Hynek (no date), Genetic Algorithm Implementation",
        ],
        "population: 100, hall_of_fame: hall(size: 38, max_admitted: 5), \
         pairing: hall_of_fame(side: both), fitness: wins,
         selection: proportional, crossover: mate(rate: 0.75), \
         replacement: generational(elites: 5)",
    ),
    Scheme::dense(
        [
            "sampled-hall",
            "members and a sample of a hall of fame, wins",
            "Rosin & Belew 1997, Hall of Fame",
        ],
        "population: 100, hall_of_fame: hall(size: 100, max_admitted: 2),
         pairing: sampled_hall(opponents: 20, hall_opponents: 10), fitness: wins,
         selection: tournament(tournament_size: 3), crossover: mate(rate: 0.5), \
         replacement: generational(elites: 5)",
    ),
    Scheme::dense(
        [
            "competitive-sharing",
            "as sampled-hall, but an opponent that few beat is worth more",
            "Rosin & Belew 1997, Competitive Fitness Sharing",
        ],
        "population: 100, hall_of_fame: hall(size: 100, max_admitted: 2),
         pairing: sampled_hall(opponents: 20, hall_opponents: 10), fitness: competitive_sharing,
         selection: tournament(tournament_size: 3), crossover: mate(rate: 0.5), \
         replacement: generational(elites: 5)",
    ),
    Scheme::dense(
        [
            "pareto",
            "as sampled-hall, but each sampled player of the hall is an objective",
            "Ficici & Pollack 2001; de Jong & Pollack 2004",
        ],
        "population: 100, hall_of_fame: hall(size: 100, max_admitted: 2),
         pairing: sampled_hall(opponents: 20, hall_opponents: 10), fitness: pareto,
         selection: tournament(tournament_size: 3), crossover: mate(rate: 0.5), \
         replacement: generational(elites: 5)",
    ),
    Scheme::dense(
        [
            "plus",
            "five random games each, the fitter half survives and has an offspring each",
            "Chellapilla & Fogel 1999",
        ],
        "population: 30, pairing: random_opponents(games: 5), fitness: points(win: 1, draw: 0, \
         loss: -2),
         selection: in_turn, replacement: plus(elites: 15)",
    ),
    Scheme::dense(
        [
            "parent-child",
            "20 pairs of a parent and its offspring, toward which the parent moves a quarter of \
            the way if it loses, five times as far as in the publication",
            "Pollack & Blair 1998",
        ],
        "population: 40, pairing: parent_child(matches: 2), fitness: wins,
         selection: none, replacement: parent_child(needed_share: 0.75, moved_share: 0.25)",
    ),
    Scheme {
        name: "neat",
        about: "networks grow in species",
        source: "Stanley & Miikkulainen 2002",
        network: SchemeNetwork::Growing,
        evolution: "population: 100, pairing: circular(opponents: 20, games_per_pair: 2), \
                    fitness: wins,
         selection: tournament(tournament_size: 2), crossover: mate(rate: 0.75), \
         replacement: species(target_species: 10)",
    },
    Scheme::dense(
        [
            "cma-es",
            "members drawn from a normal distribution with a learned covariance matrix",
            "Hansen & Ostermeier 2001",
        ],
        "population: 100, pairing: circular(opponents: 20, games_per_pair: 2), fitness: wins,
         selection: none, replacement: cma_es",
    ),
    Scheme::dense(
        [
            "separable-cma-es",
            "as cma-es, but only the diagonal of the matrix is learned",
            "Ros & Hansen 2008",
        ],
        "population: 100, pairing: circular(opponents: 20, games_per_pair: 2), fitness: wins,
         selection: none, replacement: cma_es(covariance: diagonal)",
    ),
    Scheme::dense(
        [
            "natural-es",
            "members drawn from normal distributions that follow the natural gradient",
            "Wierstra et al. 2014",
        ],
        "population: 100, pairing: circular(opponents: 20, games_per_pair: 2), fitness: wins,
         selection: none, replacement: natural_es",
    ),
    Scheme::dense(
        [
            "openai-es",
            "members drawn in mirrored pairs around a mean that follows the gradient",
            "Salimans et al. 2017",
        ],
        "population: 100, pairing: circular(opponents: 20, games_per_pair: 2), fitness: wins,
         selection: none, replacement: openai_es(step: 1, learning_rate: 0.1)",
    ),
];
