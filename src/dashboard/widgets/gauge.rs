//! A progress bar.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::theme::Theme;

/// A bar of `width` columns, filled by `share` (0..=1).
pub fn gauge<'a>(share: f64, width: u16, filled: Style, theme: &Theme) -> Line<'a> {
    let share = if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        0.0
    };
    if theme.ascii {
        let inside = width.saturating_sub(2) as usize;
        if inside == 0 {
            return Line::default();
        }
        let full = (share * inside as f64) as usize;
        return Line::from(vec![
            Span::styled("[", theme.dim),
            Span::styled("#".repeat(full), filled),
            Span::styled("-".repeat(inside - full), theme.border),
            Span::styled("]", theme.dim),
        ]);
    }
    let halves = (share * f64::from(width) * 2.0) as usize;
    let (full, half) = (halves / 2, halves % 2);
    let rest = width as usize - full - half;
    Line::from(vec![
        Span::styled("━".repeat(full), filled),
        Span::styled("╸".repeat(half), filled),
        Span::styled("─".repeat(rest), theme.border),
    ])
}
