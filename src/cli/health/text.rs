//! A health report as text: scores against ancestors as a shaded triangle, a line per champion, and
//! the verdict.

use finches_engine::play::health::cycles::cycles_of_each;
use finches_engine::text::percentage;

use super::HealthReport;

/// Shades of a share, from 0 to 1 in equal steps.
const SHADES: [&str; 5] = ["..", "░░", "▒▒", "▓▓", "██"];

/// The report as text.
pub(super) fn text(report: &HealthReport<'_>) -> String {
    let outside = match &report.outside[..] {
        [] => String::new(),
        names => format!("; as many of each against {}", names.join(", ")),
    };
    let parts = [
        format!(
            "{}: {} champions, {} games per pair{outside}",
            report.args.run,
            report.generations.len(),
            report.args.games
        ),
        String::new(),
        triangle(report),
        String::new(),
        table(report),
        String::new(),
        verdict(report),
    ];
    parts.join("\n") + "\n"
}

/// Current individual against ancestral opponents: a row per champion, a column per ancestor.
fn triangle(report: &HealthReport<'_>) -> String {
    let width = generation_width(report);
    let mut lines =
        vec!["Share of the points against each ancestor, the oldest on the left (CIAO)".to_owned()];
    for (row, generation) in report.generations.iter().enumerate() {
        let cells = (0..row).map(|column| shade(report.table.share(row, column)));
        let cells: String = cells.collect();
        lines.push(
            format!("g{generation:<width$} {cells}")
                .trim_end()
                .to_owned(),
        );
    }
    let legend = SHADES
        .iter()
        .zip(["0-20", "20-40", "40-60", "60-80", "80-100%"]);
    let legend: Vec<String> = legend
        .map(|(shade, range)| format!("{shade} {range}"))
        .collect();
    lines.push(legend.join("  "));
    lines.join("\n")
}

fn shade(share: f64) -> &'static str {
    let steps = SHADES.len();
    SHADES[((share * steps as f64) as usize).min(steps - 1)]
}

fn generation_width(report: &HealthReport<'_>) -> usize {
    let longest = report
        .generations
        .last()
        .map_or(0, |latest| latest.to_string().len());
    longest.max(3)
}

fn table(report: &HealthReport<'_>) -> String {
    let (ranks, nash) = (report.table.alpha_ranks(), report.table.nash_average());
    let cycles = cycles_of_each(&report.table);
    let width = generation_width(report) + 1;
    let mut lines = vec![format!(
        "{:<width$}  {:>6} {:>7}  {:<16} {:>7} {:>6} {:>7} {:>7}  {:>7}",
        "", "score", "elo", "95% CI", "α-rank", "nash", "skill", "cycles", "outside"
    )];
    for (at, generation) in report.generations.iter().enumerate() {
        let share = report.table.total(at).share().unwrap_or(f64::NAN);
        let (low, high) = report.results.ratings.interval(at);
        let outside = report
            .held_out
            .get(at)
            .map_or(String::new(), |share| percent(*share));
        let name = format!("g{generation}");
        let interval = format!("{low:.0} to {high:.0}");
        let line = format!(
            "{name:<width$}  {:>6} {:>7.0}  {interval:<16} {:>7} {:>6} {:>7.3} {:>7}  {outside:>7}",
            percent(share),
            report.results.ratings.elo[at],
            percent(ranks[at]),
            percent(nash.weights[at]),
            skill(nash.skill[at]),
            cycles[at],
        );
        lines.push(line.trim_end().to_owned());
    }
    lines.push(
        "score, outside: mean share of the points against champions and players outside of \
        the run; elo: Bradley-Terry model, mean 0"
            .to_owned(),
    );
    lines.push(
        "α-rank: limit of strong selection; nash: weight in the equilibrium of highest \
        entropy; skill: lead against it, at most 0"
            .to_owned(),
    );
    lines.join("\n")
}

/// A skill in three decimals, without the sign of a rounding error.
fn skill(lead: f64) -> f64 {
    if lead > -0.0005 { 0.0 } else { lead }
}

fn percent(share: f64) -> String {
    percentage(share, 1) + "%"
}

fn verdict(report: &HealthReport<'_>) -> String {
    let diagnosis = &report.diagnosis;
    let mut lines = vec![
        format!("verdict: {}", diagnosis.verdict.name()),
        diagnosis.meaning(),
    ];
    let evidence = diagnosis.evidence().into_iter();
    lines.extend(evidence.map(|sentence| format!("- {sentence}")));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_shaded_in_five_steps() {
        let shades = [0.0, 0.19, 0.5, 0.79, 0.8, 1.0].map(shade);
        assert_eq!(shades, ["..", "..", "▒▒", "▓▓", "██", "██"]);
    }
}
