//! Tables of published figures and orders, ours beside them.

use std::collections::BTreeMap;

use rand::RngExt;

use finches_engine::metrics::stats::ranks::{RankTest, holm, mann_whitney};
use finches_engine::metrics::stats::spread::{
    RESAMPLES, Spread, mean, mean_range, quantile, ratio_of_means, resampled_mean,
};
use finches_engine::metrics::stats::wilson;
use finches_engine::rng::{Purpose, Stream, stream};
use finches_engine::text::p_value;

use super::claims::{Claim, Order, RangeClaim, RatioClaim};
use super::judged;
use super::measure::RunFigure;
use super::page::{Cell, Table};
use super::render::PaperWriter;
use super::source::{Name, listed};
use super::verdict::{Agreement, Published};
use crate::words::{FigureStyle, interval_words, number, or_dash};

/// The seed of the bootstrap.
const SEED: u64 = 1;

/// The stream of a sample's bootstrap: the same wherever the sample is shown.
fn bootstrap(preset: &str, figure: &RunFigure) -> Stream {
    let name = format!("{preset}: {}", figure.words());
    let place = crc32fast::hash(name.as_bytes());
    stream(SEED, Purpose::Bootstrap, 0, u64::from(place))
}

/// The ends of the middle 95% of ranges.
fn ends_of(mut ranges: Vec<f64>) -> (f64, f64) {
    ranges.sort_by(f64::total_cmp);
    (quantile(&ranges, 0.025), quantile(&ranges, 0.975))
}

fn range_of(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let high = values.clone().fold(f64::NEG_INFINITY, f64::max);
    high - values.fold(f64::INFINITY, f64::min)
}

/// The ends of the ranges of all choices of `of` of these values; `None` if there are no more.
fn ranges_of_runs(values: &[f64], of: usize, rng: &mut Stream) -> Option<(f64, f64)> {
    let mut choice = values.to_vec();
    let mut draw = || {
        for place in 0..of {
            let other = rng.random_range(place..choice.len());
            choice.swap(place, other);
        }
        range_of(choice[..of].iter().copied())
    };
    (of > 1 && of < values.len()).then(|| ends_of((0..RESAMPLES).map(|_| draw()).collect()))
}

/// The 95% interval of the range of the means of samples, by the basic bootstrap: the range of
/// resampled means is too wide by as much as ours is (Davison & Hinkley 1997, section 2.4).
fn ranges_of_means(samples: &[Vec<f64>], range: f64, rng: &mut Stream) -> (f64, f64) {
    let mut draw = || {
        let means: Vec<f64> = samples
            .iter()
            .map(|sample| resampled_mean(sample, rng))
            .collect();
        range_of(means.iter().copied())
    };
    let (low, high) = ends_of((0..RESAMPLES).map(|_| draw()).collect());
    ((2.0 * range - high).max(0.0), (2.0 * range - low).max(0.0))
}

/// The range that a published figure is compared as.
fn read_as(published: Published, style: FigureStyle) -> Cell {
    Cell::figure(or_dash(published.words(style)))
}

impl PaperWriter<'_> {
    /// The figures of a preset's runs, and whether some are only lower bounds.
    fn sample(&self, preset: &str, figure: &RunFigure) -> (Vec<f64>, bool) {
        let runs = self.columns.get(preset).map_or(&[][..], Vec::as_slice);
        let figures: Vec<(f64, bool)> = runs.iter().filter_map(|run| figure.of(run)).collect();
        let is_bound = figures.iter().any(|(_, is_bound)| *is_bound);
        (
            figures.into_iter().map(|(value, _)| value).collect(),
            is_bound,
        )
    }

    /// The least of the lower bounds among the figures of a preset's runs.
    fn cap(&self, preset: &str, figure: &RunFigure) -> f64 {
        let runs = self.columns.get(preset).into_iter().flatten();
        let figures = runs.filter_map(|run| figure.of(run));
        let bounds = figures.filter_map(|(value, is_bound)| is_bound.then_some(value));
        bounds.fold(f64::INFINITY, f64::min)
    }

    pub(super) fn claims(&self, claims: &[Claim]) -> (Table, Vec<Agreement>) {
        let claims = claims.iter().flat_map(|claim| {
            let rows = claim.rows().filter(|(preset, _)| self.is_run(preset));
            rows.map(move |(preset, figure)| (preset, figure, claim))
        });
        let claims: Vec<(&Name, &RunFigure, &Claim)> = claims.collect();
        let mut rows = Vec::new();
        let mut known = BTreeMap::new();
        let simple = claims.iter().map(|(preset, figure, _)| {
            if !figure.is_value() {
                return None;
            }
            let column: &str = figure.column();
            let shares = known.entry((&***preset, column));
            *shares.or_insert_with(|| self.simple_shares(preset, column))
        });
        let simple: Vec<Option<[Option<f64>; 2]>> = simple.collect();
        let has_simple = simple.iter().any(Option::is_some);
        for ((preset, figure, claim), simple) in claims.into_iter().zip(simple) {
            let (values, is_bound) = self.sample(preset, figure);
            let mut rng = bootstrap(preset, figure);
            let mut spread = Spread::of(&values, &mut rng);
            if let (Some(spread), RunFigure::ReachesBy(..)) = (&mut spread, figure) {
                spread.interval = Some(wilson(spread.mean, values.len() as u32));
            }
            let verdict = spread.map_or(Agreement::CannotTell, |spread| {
                let squares = values.iter().map(|value| (value - spread.mean).powi(2));
                let deviation = (squares.sum::<f64>() / (values.len().max(2) - 1) as f64).sqrt();
                claim.published.verdict(&spread, deviation, is_bound)
            });
            let verdict = self.of_whole_runs(verdict, [preset], |at| figure.is_whole_in(at));
            let sign = if is_bound { "≥ " } else { "" };
            let style = figure.style();
            let text = |figure: &dyn Fn(&Spread) -> String| or_dash(spread.as_ref().map(figure));
            let mut row = vec![
                Cell::words(&**preset),
                Cell::words(figure.words()),
                Cell::words(&*claim.said),
                read_as(claim.published, style),
            ];
            if has_simple {
                let shares = simple.unwrap_or_default().into_iter();
                let words = |share: f64| FigureStyle::SHARE.text(share);
                row.extend(shares.map(|share| Cell::figure(or_dash(share.map(words)))));
            }
            row.extend([
                Cell::figure(text(&|one| format!("{sign}{}", style.text(one.mean)))),
                Cell::figure(interval_words(spread.as_ref(), style)),
                Cell::figure(text(&|one| style.pair((one.min, one.max), " / "))),
                Cell::figure(values.len().to_string()),
            ]);
            rows.push((row, verdict));
        }
        let simple = if has_simple {
            "random moves,best simple player,"
        } else {
            ""
        };
        let head = format!(
            "preset,figure,published,read as,{simple}our mean,95% interval,least / most,runs"
        );
        Table::judged(self.caption("Published figures and ours."), &head, rows)
    }

    /// What simple players reach, if the column is a share of right moves.
    fn simple_shares(&self, preset: &str, column: &str) -> Option<[Option<f64>; 2]> {
        let mut presets = self.runs.manifest.presets.iter();
        let preset = presets.find(|known| known.name == preset)?;
        judged::simple_shares(preset, column)
    }

    pub(super) fn orders(&self, orders: &[Order]) -> (Table, Vec<Agreement>) {
        let orders = orders.iter();
        let orders = orders.flat_map(|order| order.pairs().map(move |pair| (pair, order)));
        let orders = orders.filter(|(pair, _)| pair.iter().all(|preset| self.is_run(preset)));
        let orders: Vec<([&Name; 2], &Order)> = orders.collect();
        let tests: Vec<(Option<RankTest>, [usize; 2])> = orders
            .iter()
            .map(|(pair, order)| {
                // Of a run that is cut off a lower bound is known: later ones are ties with it.
                let cap = pair.map(|preset| self.cap(preset, &order.figure));
                let cap = cap[0].min(cap[1]);
                let [higher, lower] = pair.map(|preset| {
                    let (values, _) = self.sample(preset, &order.figure);
                    values
                        .into_iter()
                        .map(|value| value.min(cap))
                        .collect::<Vec<_>>()
                });
                (mann_whitney(&higher, &lower), [higher.len(), lower.len()])
            })
            .collect();
        let chances: Vec<f64> = tests
            .iter()
            .map(|(test, _)| test.as_ref().map_or(1.0, |test| test.p))
            .collect();
        let adjusted = holm(&chances);
        let mut rows = Vec::new();
        for ((([higher, lower], order), (test, sizes)), p) in
            orders.iter().zip(&tests).zip(adjusted)
        {
            let verdict = test.as_ref().map_or(Agreement::CannotTell, |test| {
                Agreement::of_order(test, p, *sizes)
            });
            let is_whole = |at| order.figure.is_whole_in(at);
            let verdict = self.of_whole_runs(verdict, [*higher, *lower], is_whole);
            let effect = or_dash(test.as_ref().map(|test| number(test.effect)));
            let row = vec![
                Cell::words(format!("{higher} over {lower}")),
                Cell::words(order.figure.words()),
                Cell::words(&*order.said),
                Cell::figure(effect),
                Cell::figure(p_value(p)),
                Cell::figure(format!("{} and {}", sizes[0], sizes[1])),
            ];
            rows.push((row, verdict));
        }
        let head = "order,figure,published,A,p (Holm),runs";
        let caption = "Published orders and ours. A is the share of pairs of runs in which the \
            first preset is higher, ties counting half.";
        Table::judged(self.caption(caption), head, rows)
    }

    /// Ratios of the means of two presets.
    pub(super) fn ratios(&self, claims: &[RatioClaim]) -> (Table, Vec<Agreement>) {
        let mut rows = Vec::new();
        let claims = claims.iter();
        let claims = claims.flat_map(|claim| claim.pairs().map(move |pair| (pair, claim)));
        let claims = claims.filter(|(pair, _)| pair.iter().all(|preset| self.is_run(preset)));
        for ([first, second], claim) in claims {
            let samples = [first, second].map(|preset| self.sample(preset, &claim.figure));
            let mut rng = bootstrap(&format!("{first} to {second}"), &claim.figure);
            let [own, other] = samples.each_ref().map(|(values, _)| values);
            let ratio = ratio_of_means([own, other], &mut rng);
            let is_bound = samples.iter().any(|(_, is_bound)| *is_bound);
            let [own, other] = [own.len(), other.len()];
            let verdict = match ratio {
                Some((_, ends)) if !is_bound => {
                    claim
                        .published
                        .verdict_on_interval(ends, own.min(other), false)
                }
                _ => Agreement::CannotTell,
            };
            let is_whole = |at| claim.figure.is_whole_in(at);
            let verdict = self.of_whole_runs(verdict, [first, second], is_whole);
            let (ratio, ends) = ratio.map_or_else(
                || ("–".to_owned(), "–".to_owned()),
                |(ratio, ends)| (number(ratio), FigureStyle::NUMBER.ends(ends)),
            );
            let row = vec![
                Cell::words(format!("{first} to {second}")),
                Cell::words(claim.figure.words()),
                Cell::words(&*claim.said),
                read_as(claim.published, FigureStyle::NUMBER),
                Cell::figure(ratio),
                Cell::figure(ends),
                Cell::figure(format!("{own} and {other}")),
            ];
            rows.push((row, verdict));
        }
        let head = "presets,figure,published,read as,our ratio,95% interval,runs";
        Table::judged(
            self.caption("Ratios of two means, the first preset to the second."),
            head,
            rows,
        )
    }

    /// Tables of ranges: of the runs of one preset, or of the means of several.
    pub(super) fn ranges(&self, claims: &[RangeClaim]) -> (Table, Vec<Agreement>) {
        let mut rows = Vec::new();
        for claim in claims {
            let samples = claim.presets.iter();
            let samples = samples.map(|preset| self.sample(preset, &claim.figure).0);
            let samples: Vec<Vec<f64>> = samples.collect();
            let runs = samples.iter().map(Vec::len).min().unwrap_or(0);
            let mut rng = bootstrap(&listed(&claim.presets), &claim.figure);
            let mut compared = if claim.runs.is_some() {
                samples.concat()
            } else {
                let known = samples.iter().filter(|sample| !sample.is_empty());
                known.map(|sample| mean(sample)).collect()
            };
            compared.sort_by(f64::total_cmp);
            let range = mean_range(&compared, claim.runs.unwrap_or(claim.presets.len()));
            let ends = match claim.runs {
                Some(published) => ranges_of_runs(&compared, published, &mut rng),
                None => (runs > 1).then(|| ranges_of_means(&samples, range, &mut rng)),
            };
            let published = Published::Between(0.0, claim.within);
            let verdict = ends.map(|ends| published.verdict_on_interval(ends, runs, false));
            let verdict = verdict.unwrap_or(Agreement::CannotTell);
            let is_whole = |at| claim.figure.is_whole_in(at);
            let verdict = self.of_whole_runs(verdict, claim.presets.iter(), is_whole);
            let style = claim.figure.style();
            let (ours, range) = match compared[..] {
                [low, .., high] => (style.ends((low, high)), style.text(range)),
                _ => ("–".to_owned(), "–".to_owned()),
            };
            let row = vec![
                Cell::words(listed(&claim.presets)),
                Cell::words(claim.figure.words()),
                Cell::words(&*claim.said),
                Cell::figure(format!(
                    "at most {}{}",
                    style.exact(claim.within),
                    style.sign()
                )),
                Cell::figure(ours),
                Cell::figure(range),
                Cell::figure(ends.map_or_else(|| "–".to_owned(), |ends| style.ends(ends))),
                Cell::figure(runs.to_string()),
            ];
            rows.push((row, verdict));
        }
        let head = "presets,figure,published,read as,ours,range,95% of ranges,runs";
        Table::judged(
            self.caption("How far apart the runs of a preset are, or the means of several."),
            head,
            rows,
        )
    }
}
