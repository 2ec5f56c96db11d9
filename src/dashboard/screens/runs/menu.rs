//! Saved views: a menu in place of the list of runs, in which the present view is saved, and a
//! saved one is shown or deleted.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::jobs::JobError;
use crate::keymap::{self, Action};
use crate::mouse::Regions;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::key_label::key_label;
use crate::widgets::list::ScrollList;
use crate::widgets::plot::AxisScale;
use crate::widgets::truncate::truncate;
use finches_engine::text::counted;
use finches_runs::storage::StorageError;
use finches_runs::storage::saves::Saves;
use finches_runs::storage::views::{self, ComparisonView, ComparisonViews, VIEWS_FILE};

use super::actions::PAGE;
use super::list::ListFilter;
use super::screen::RunsAction;
use super::work::{RunsAnswer, RunsTask};
use super::{RunsScreen, RunsTarget};

/// The saved views and the menu of them.
#[derive(Default)]
pub(super) struct ViewMenu {
    views: ComparisonViews,
    is_open: bool,
    /// The row under the cursor. The first one saves the present view.
    cursor: usize,
    /// The view that is deleted if the key is pressed again.
    asked: Option<String>,
    /// The view that was last shown or saved.
    last: String,
}

impl ViewMenu {
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    pub(super) fn close(&mut self) {
        (self.is_open, self.asked) = (false, None);
    }

    /// Replaces the views, which have been read or written.
    pub(super) fn set(&mut self, views: ComparisonViews) {
        self.cursor = self.cursor.min(views.len());
        self.views = views;
    }

    /// Whether there is a view of that name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.views.contains_key(name)
    }

    /// The view under the cursor, if it is not on the row that saves.
    pub(super) fn current(&self) -> Option<(&String, &ComparisonView)> {
        self.views.iter().nth(self.cursor.checked_sub(1)?)
    }
}

impl RunsScreen {
    /// Opens or closes the menu.
    pub(super) fn show_or_hide_views(&mut self) {
        if self.menu.is_open {
            self.menu.close();
        } else if !self.list().is_listed() {
            "reading the saved runs".clone_into(&mut self.message);
        } else if self.saves().is_none() {
            "views are kept with saved runs, but runs are not saved".clone_into(&mut self.message);
        } else {
            self.show_list();
            self.menu.is_open = true;
            let last = self
                .menu
                .views
                .keys()
                .position(|name| *name == self.menu.last);
            self.menu.cursor = last.map_or(0, |place| place + 1);
        }
    }

    /// Reads the saved views.
    pub(super) fn read_views(&mut self) {
        self.ask_for_views(String::new(), views::all);
    }

    /// Saves the present view under a name.
    pub(super) fn save_view(&mut self, name: String) {
        let view = ComparisonView {
            filter: self.list().filter().text().to_owned(),
            grouping: self.list().grouping().clone(),
            column: self.options.column.clone(),
            x_axis: self.options.charts.x_unit,
            is_logarithmic: self.options.charts.scale() == AxisScale::Logarithmic,
            view: self.view,
            pair: self.options.pair.clone(),
            selected: self.list().names_of(self.list().selected()),
            pinned: self.list().names_of(self.list().pinned()),
        };
        self.menu.last.clone_from(&name);
        self.menu.close();
        let done = format!("view {name} is saved");
        self.ask_for_views(done, move |saves| views::save(saves, &name, view));
    }

    /// Reads or writes the file of views in the background. What has been done is said when it is.
    fn ask_for_views(
        &mut self,
        done: String,
        work: impl FnOnce(&Saves) -> Result<ComparisonViews, StorageError> + Send + 'static,
    ) {
        let Some(saves) = self.saves().cloned() else {
            return;
        };
        self.jobs.ask(RunsTask::Views, move |_| {
            let views = work(&saves);
            let views = views.map_err(|error| JobError::Failed(without_folder(&error)))?;
            Ok(RunsAnswer::Views(views, done))
        });
    }

    /// Handles an action in the menu. Returns it if it is not one of the menu.
    pub(super) fn handle_in_menu(&mut self, action: Action) -> Option<Action> {
        let asked = self.menu.asked.take();
        if let Some(rows) = action.rows(PAGE) {
            let moved = self.menu.cursor.saturating_add_signed(rows as isize);
            self.menu.cursor = moved.min(self.menu.views.len());
            return None;
        }
        match action {
            Action::Back => self.menu.close(),
            Action::Enter => self.save_or_show(),
            other if RunsAction::of(other) == Some(RunsAction::DeleteView) => {
                self.delete_view(asked.as_ref());
            }
            other => {
                if other == Action::Zoom {
                    self.menu.close();
                }
                return Some(other);
            }
        }
        None
    }

    /// Shows the view under the cursor, or asks for a name to save the present one.
    fn save_or_show(&mut self) {
        if let Some((name, view)) = self.menu.current() {
            let (name, view) = (name.clone(), view.clone());
            self.show_view(name, &view);
        } else {
            let last = self.menu.last.clone();
            self.ask_for_view_name(&last);
        }
    }

    /// Deletes the view under the cursor, if that has been asked about.
    fn delete_view(&mut self, asked: Option<&String>) {
        let Some((name, _)) = self.menu.current() else {
            return;
        };
        let name = name.clone();
        if asked == Some(&name) {
            let done = format!("view {name} is deleted");
            self.ask_for_views(done, move |saves| views::delete(saves, &name));
        } else {
            let key = keymap::label(self.scope(), RunsAction::DeleteView.action());
            self.message = format!("Delete the view {name}? {key}: yes");
            self.menu.asked = Some(name);
        }
    }

    /// Shows a view, without the runs that no longer exist.
    fn show_view(&mut self, name: String, view: &ComparisonView) {
        self.menu.close();
        let mut problems = Vec::new();
        let gone = self.list_mut().choose(&view.selected, &view.pinned);
        if !gone.is_empty() {
            problems.push(describe_gone(&gone));
        }
        if let Err(error) = self.list_mut().set_filter(&view.filter) {
            self.list_mut().replace_filter(ListFilter::default());
            problems.push(format!("its filter is left out: {error}"));
        }
        self.view = view.view;
        self.options.pair.clone_from(&view.pair);
        self.options.column.clone_from(&view.column);
        self.list_mut().set_grouping(view.grouping.clone());
        let charts = &mut self.options.charts;
        if charts.x_unit != view.x_axis {
            charts.x_unit = view.x_axis;
            charts.crosshair.move_to_end();
        }
        if (charts.scale() == AxisScale::Logarithmic) != view.is_logarithmic {
            charts.toggle_scale();
        }
        self.message = match &problems[..] {
            [] => format!("view {name}"),
            problems => format!("view {name}: {}", problems.join("; ")),
        };
        self.menu.last = name;
    }

    /// Draws the menu and returns the region of each row.
    pub(super) fn draw_menu(
        &self,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<RunsTarget> {
        let views: Vec<_> = self.menu.views.iter().collect();
        let key = key_label(self.scope(), &[RunsAction::Views.action()], theme);
        let frame = Frame {
            title: Line::from("Views"),
            bottom_right: Line::from(vec![key, Span::styled(" list of runs", theme.dim)]),
            ..Frame::default()
        };
        let inner = frame.draw(Focus::Here, theme, area, buf);
        let rows = ScrollList::selecting(views.len() + 1, self.menu.cursor);
        let width = usize::from(inner.width.saturating_sub(2));
        rows.draw(theme, inner, buf, |row| {
            let Some((name, view)) = row.checked_sub(1).map(|index| views[index]) else {
                return Line::styled(truncate(" save this view", width), theme.accent);
            };
            let name = truncate(name, width);
            let about = format!("  {}", describe_view(view));
            let room = width.saturating_sub(Span::raw(&name).width());
            Line::from(vec![
                Span::styled(format!(" {name}"), theme.text),
                Span::styled(truncate(&about, room), theme.dim),
            ])
        });
        rows.scrollbar(theme, inner.height, area, buf);
        rows.regions(inner, RunsTarget::View)
    }

    /// Acts on a row of the menu that was clicked.
    pub(super) fn click_view(&mut self, row: usize) {
        self.menu.cursor = row.min(self.menu.views.len());
        self.handle_in_menu(Action::Enter);
    }
}

/// An error about the file of views, without the folder.
fn without_folder(error: &StorageError) -> String {
    let error = error.to_string();
    let start = error.find(VIEWS_FILE).unwrap_or(0);
    error[start..].to_owned()
}

/// The runs and the filter of a view in a few words.
fn describe_view(view: &ComparisonView) -> String {
    let selected = view.selected.iter();
    let selected = selected.filter(|name| !view.pinned.contains(name)).count();
    let runs = counted(view.pinned.len() + selected, "run");
    match view.filter.as_str() {
        "" => runs,
        filter => format!("{runs} · {filter}"),
    }
}

/// What is said of runs that no longer exist.
pub(super) fn describe_gone(names: &[String]) -> String {
    match names {
        [name] => format!("the run {name} is gone"),
        names => format!("{} runs are gone: {}", names.len(), names.join(", ")),
    }
}
