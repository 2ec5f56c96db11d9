//! The next value one step up or down.

use finches_engine::params::{Param, ParamKind};

/// The direction of a step.
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

/// The value `times` steps away, within the range, in the notation of preset files. `None` for
/// kinds that can only be typed.
pub(super) fn nudged(param: &Param, direction: Nudge, times: f64) -> Option<String> {
    let number = param.value.parse::<f64>();
    match param.kind {
        ParamKind::Integer => {
            let value = number.ok()?;
            let far = value + direction.sign() * whole_step(value) * times;
            Some(format!("{}", clamped(param, far).round()))
        }
        ParamKind::Real => {
            let far = stepped(param, number.ok()?, direction, times);
            Some(clamped(param, far).to_string())
        }
        ParamKind::OptionalReal => Some(optional(param, direction, times)),
        ParamKind::Boolean => Some((param.value != "true").to_string()),
        ParamKind::Choice(names) => {
            let place = names.iter().position(|&name| name == param.value)?;
            let next = match direction {
                Nudge::Down => place + names.len() - 1,
                Nudge::Up => place + 1,
            };
            Some(names[next % names.len()].to_owned())
        }
        ParamKind::IntegerList
        | ParamKind::RealList
        | ParamKind::ChoiceList(_)
        | ParamKind::Text
        | ParamKind::TextList => None,
    }
}

fn clamped(param: &Param, value: f64) -> f64 {
    let (low, high) = param.limits.unwrap_or((f64::MIN, f64::MAX));
    value.clamp(low, high)
}

/// 1 below a thousand, otherwise a hundredth of the value's power of ten.
fn whole_step(value: f64) -> f64 {
    if value < 1000.0 {
        1.0
    } else {
        10f64.powf(value.log10().floor() - 2.0)
    }
}

/// A real number `times` steps away. The step is 0.05 for shares and about a tenth of the value
/// otherwise, rounded.
fn stepped(param: &Param, value: f64, direction: Nudge, times: f64) -> f64 {
    let is_share = param.limits == Some((0.0, 1.0));
    let step = if is_share {
        0.05
    } else {
        // Slightly less than a tenth, so that the step down from 1 equals the last step up to it.
        let tenth = match direction {
            Nudge::Down => value.abs() * 0.0999,
            Nudge::Up => value.abs() * 0.1,
        };
        round_step(tenth).max(0.01)
    };
    let places = (value / step).round() + direction.sign() * times;
    // Round away the errors of binary fractions.
    let exact = places * step;
    (exact * 1e6).round() / 1e6
}

/// The largest of 1, 2, 5, 10, 20, ... (and 0.5, 0.2, 0.1, ...) that is at most `size`.
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

/// Steps an optional real; `None` follows both the lowest and the highest value.
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

    fn param(kind: ParamKind, value: &str, limits: Option<(f64, f64)>) -> Param {
        Param {
            key: "group.name".to_owned(),
            help: String::new(),
            unit: "",
            live: true,
            is_input: false,
            kind,
            limits,
            value: value.to_owned(),
            default: "2".to_owned(),
            problem: None,
        }
    }

    fn check(kind: ParamKind, limits: (f64, f64), value: &str, down: &str, up: &str) {
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
        check(ParamKind::Integer, (0.0, 9e9), "50", "49", "51");
        check(ParamKind::Integer, (0.0, 9e9), "1000", "990", "1010");
        check(ParamKind::Real, (0.0, 1000.0), "1.0", "0.95", "1.1");
        check(ParamKind::Real, (0.0, 1000.0), "8.0", "7.5", "8.5");
        check(ParamKind::Real, (0.0, 1000.0), "0.01", "0", "0.02");
        check(ParamKind::Real, (0.0, 1000.0), "0.0", "0", "0.1");
        check(ParamKind::Real, (0.0, 1.0), "0.1", "0.05", "0.15");
        check(ParamKind::Boolean, (0.0, 1.0), "true", "false", "false");
        check(
            ParamKind::Choice(&["a", "b", "c"]),
            (0.0, 1.0),
            "a",
            "c",
            "b",
        );
        check(ParamKind::OptionalReal, (0.0, 9.0), "None", "2", "2");
        check(
            ParamKind::OptionalReal,
            (0.0, 9.0),
            "Some(0.0)",
            "None",
            "0.1",
        );
        check(
            ParamKind::OptionalReal,
            (0.0, 9.0),
            "Some(9.0)",
            "8.5",
            "None",
        );
    }

    #[test]
    fn nudges_stay_within_the_limits() {
        for kind in [ParamKind::Integer, ParamKind::Real] {
            for start in ["1", "3", "9"] {
                for direction in [Nudge::Down, Nudge::Up] {
                    let mut param = param(kind.clone(), start, Some((1.0, 9.0)));
                    for _ in 0..50 {
                        param.value = nudged(&param, direction, 10.0).expect("it can be nudged");
                        let value: f64 = param.value.parse().expect("it is a number");
                        assert!((1.0..=9.0).contains(&value), "{value}");
                    }
                    let end = if direction == Nudge::Up { "9" } else { "1" };
                    assert_eq!(param.value, end);
                }
            }
        }
    }

    #[test]
    fn lists_and_texts_can_only_be_typed() {
        for kind in [
            ParamKind::IntegerList,
            ParamKind::RealList,
            ParamKind::ChoiceList(&["sum"]),
            ParamKind::Text,
            ParamKind::TextList,
        ] {
            assert_eq!(nudged(&param(kind, "[2]", None), Nudge::Up, 1.0), None);
        }
    }
}
