//! Draws the help of the selected parameter beside the list.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format::{parameter, whole};
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::text::put_all;
use crate::widgets::truncate::{shortened, truncate, wrap};
use finches_engine::params::Param;
use finches_engine::preset::Intervention;

use super::words::{unit, valid_values, value_with_unit};
use super::{ParametersScreen, value};

impl ParametersScreen {
    pub(super) fn view_help(
        &self,
        (param, changes): (Option<&Param>, &[Intervention]),
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) {
        let frame = Frame::titled("Why change this?");
        let inner = frame.pane(Focus::Elsewhere, theme, area, buf);
        let Some(param) = param else { return };
        let now = value(&self.now, &param.key).unwrap_or_default();
        let is_roomy = inner.height > 8;
        let width = usize::from(inner.width);
        let mut lines = Vec::new();
        if is_roomy {
            lines.push(Line::styled(param.label(), theme.accent));
            lines.push(Line::default());
        }
        let help = wrap(&param.help, width);
        let room = usize::from(inner.height).saturating_sub(if is_roomy { 9 } else { 2 });
        lines.extend(
            shortened(help, room.max(1), width)
                .into_iter()
                .map(|line| Line::styled(line, theme.text)),
        );
        let fact = |name: &'static str, value: String| {
            Line::from(vec![
                Span::styled(format!("{name:<9}"), theme.dim),
                Span::styled(truncate(&value, width.saturating_sub(9)), theme.text),
            ])
        };
        let with_unit = |value: &str| value_with_unit(param, value);
        let preset = with_unit(&self.initial_value(param));
        let default = with_unit(&param.default);
        let range = format!("{} {}", valid_values(param), unit(param));
        let mut now = with_unit(&now);
        let origin = self.origin(param, changes);
        if let Some(origin) = &origin {
            let bare = value(&self.now, &param.key).unwrap_or_default();
            now = format!("{} {origin}", parameter(&bare));
        }
        if is_roomy {
            lines.push(Line::default());
            lines.push(fact("now", now));
            lines.push(fact("next", with_unit(&param.value)));
            lines.push(fact("preset", preset));
            lines.push(fact("default", default));
            lines.push(fact("range", range));
            lines.push(fact("key", param.key.clone()));
        } else {
            lines.push(match origin {
                Some(_) => fact("now", now),
                None => fact("preset", format!("{preset} (engine's default {default})")),
            });
            lines.push(fact("range", range));
        }
        put_all(buf, inner, lines);
    }

    /// Where the value in force comes from, if a run has changed it: `from g46, by schedule`.
    fn origin(&self, param: &Param, changes: &[Intervention]) -> Option<String> {
        let latest = changes.iter().rev().find(|it| it.key == param.key)?;
        let is_scheduled = self
            .initial
            .scheduled()
            .is_ok_and(|all| all.contains(latest));
        let by = if is_scheduled { "schedule" } else { "hand" };
        Some(format!("from g{}, by {by}", whole(latest.generation)))
    }
}
