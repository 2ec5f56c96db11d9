//! One step up or down from a value.

use crate::params::{Kind, Param};

/// Which way a setting is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nudge {
    Down,
    Up,
}

impl Nudge {
    fn sign(self) -> f64 {
        match self {
            Self::Down => -1.0,
            Self::Up => 1.0,
        }
    }
}

/// The value `times` steps on, within the limits, in the notation of preset files; `None` for what can only be typed.
pub(super) fn nudged(param: &Param, direction: Nudge, times: f64) -> Option<String> {
    let number = param.value.parse::<f64>();
    match param.kind {
        Kind::Integer => {
            let value = number.ok()?;
            let far = value + direction.sign() * whole_step(value) * times;
            Some(format!("{}", clamped(param, far).round()))
        }
        Kind::Real => {
            let far = stepped(param, number.ok()?, direction, times);
            Some(clamped(param, far).to_string())
        }
        Kind::OptionalReal => Some(optional(param, direction, times)),
        Kind::Switch => Some((param.value != "true").to_string()),
        Kind::Choice(names) => {
            let place = names.iter().position(|&name| name == param.value)?;
            let next = match direction {
                Nudge::Down => place + names.len() - 1,
                Nudge::Up => place + 1,
            };
            Some(names[next % names.len()].to_owned())
        }
        Kind::List | Kind::Reals | Kind::Text => None,
    }
}

fn clamped(param: &Param, value: f64) -> f64 {
    let (low, high) = param.limits.unwrap_or((f64::MIN, f64::MAX));
    value.clamp(low, high)
}

/// 1 up to a thousand, then a hundredth of the leading digit's place.
fn whole_step(value: f64) -> f64 {
    if value < 1000.0 {
        1.0
    } else {
        10f64.powf(value.log10().floor() - 2.0)
    }
}

/// A real one step on: 0.05 for shares, else about a tenth of the value, always a number that is easy to read.
fn stepped(param: &Param, value: f64, direction: Nudge, times: f64) -> f64 {
    let is_share = param.limits == Some((0.0, 1.0));
    let step = if is_share {
        0.05
    } else {
        // A hair below the value, so that the way down from 1 goes by the steps of the way up to it.
        let tenth = match direction {
            Nudge::Down => value.abs() * 0.0999,
            Nudge::Up => value.abs() * 0.1,
        };
        round_step(tenth).max(0.01)
    };
    let places = (value / step).round() + direction.sign() * times;
    // Whole numbers of steps, without the dust of binary fractions.
    let exact = places * step;
    (exact * 1e6).round() / 1e6
}

/// The largest of 1, 2, 5, 10, 20, ... and their fractions that is at most `size`.
fn round_step(size: f64) -> f64 {
    if size <= 0.0 {
        return 0.1;
    }
    let decade = 10f64.powf(size.log10().floor());
    let lead = [5.0, 2.0]
        .into_iter()
        .find(|lead| lead * decade <= size * (1.0 + 1e-9));
    decade * lead.unwrap_or(1.0)
}

/// `None` lies beyond both limits.
fn optional(param: &Param, direction: Nudge, times: f64) -> String {
    let bare = |text: &str| {
        let inside = text
            .strip_prefix("Some(")
            .and_then(|text| text.strip_suffix(')'));
        inside.unwrap_or(text).parse::<f64>().ok()
    };
    let Some(value) = bare(&param.value) else {
        let low = param.limits.map_or(1.0, |(low, _)| low);
        return bare(&param.default).unwrap_or(low).to_string();
    };
    let (low, high) = param.limits.unwrap_or((f64::MIN, f64::MAX));
    let at_the_end = match direction {
        Nudge::Down => value <= low,
        Nudge::Up => value >= high,
    };
    if at_the_end {
        "None".to_owned()
    } else {
        clamped(param, stepped(param, value, direction, times)).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn param(kind: Kind, value: &str, limits: Option<(f64, f64)>) -> Param {
        Param {
            key: "group.name".to_owned(),
            help: String::new(),
            unit: "",
            live: true,
            kind,
            limits,
            value: value.to_owned(),
            default: "2".to_owned(),
            fault: None,
        }
    }

    fn check(kind: Kind, limits: (f64, f64), value: &str, down: &str, up: &str) {
        let param = param(kind, value, Some(limits));
        let step = |direction| nudged(&param, direction, 1.0).expect("it can be nudged");
        assert_eq!(
            (step(Nudge::Down).as_str(), step(Nudge::Up).as_str()),
            (down, up),
            "{value}"
        );
    }

    #[test]
    fn a_step_is_of_a_sensible_size() {
        check(Kind::Integer, (0.0, 9e9), "50", "49", "51");
        check(Kind::Integer, (0.0, 9e9), "1000", "990", "1010");
        check(Kind::Real, (0.0, 1000.0), "1.0", "0.95", "1.1");
        check(Kind::Real, (0.0, 1000.0), "8.0", "7.5", "8.5");
        check(Kind::Real, (0.0, 1000.0), "0.01", "0", "0.02");
        check(Kind::Real, (0.0, 1000.0), "0.0", "0", "0.1");
        check(Kind::Real, (0.0, 1.0), "0.1", "0.05", "0.15");
        check(Kind::Switch, (0.0, 1.0), "true", "false", "false");
        check(Kind::Choice(&["a", "b", "c"]), (0.0, 1.0), "a", "c", "b");
        check(Kind::OptionalReal, (0.0, 9.0), "None", "2", "2");
        check(Kind::OptionalReal, (0.0, 9.0), "Some(0.0)", "None", "0.1");
        check(Kind::OptionalReal, (0.0, 9.0), "Some(9.0)", "8.5", "None");
    }

    #[test]
    fn nudges_stay_within_the_limits() {
        for kind in [Kind::Integer, Kind::Real] {
            for start in ["1", "3", "9"] {
                for direction in [Nudge::Down, Nudge::Up] {
                    let mut knob = param(kind.clone(), start, Some((1.0, 9.0)));
                    for _ in 0..50 {
                        knob.value = nudged(&knob, direction, 10.0).expect("it can be nudged");
                        let value: f64 = knob.value.parse().expect("it is a number");
                        assert!((1.0..=9.0).contains(&value), "{value}");
                    }
                    let end = if direction == Nudge::Up { "9" } else { "1" };
                    assert_eq!(knob.value, end);
                }
            }
        }
    }

    #[test]
    fn lists_and_texts_can_only_be_typed() {
        for kind in [Kind::List, Kind::Reals, Kind::Text] {
            assert_eq!(nudged(&param(kind, "[2]", None), Nudge::Up, 1.0), None);
        }
    }
}
