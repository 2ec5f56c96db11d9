//! Draws the help of the selected parameter beside the list.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::text::inset;
use crate::widgets::truncate::{truncate, wrap};
use finches_engine::params::Param;

use super::words::{unit, valid_values, value_with_unit};
use super::{ParametersScreen, value};

impl ParametersScreen {
    pub(super) fn view_help(
        &self,
        param: Option<&Param>,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) {
        let frame = Frame::titled("Why change this?");
        let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
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
            help.into_iter()
                .take(room.max(1))
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
        if is_roomy {
            lines.push(Line::default());
            lines.push(fact("now", with_unit(&now)));
            lines.push(fact("next", with_unit(&param.value)));
            lines.push(fact("preset", preset));
            lines.push(fact("default", default));
            lines.push(fact("range", range));
            lines.push(fact("key", param.key.clone()));
        } else {
            let engine = format!("{preset} (engine's default {default})");
            lines.push(fact("preset", engine));
            lines.push(fact("range", range));
        }
        Paragraph::new(lines).render(inner, buf);
    }
}
