//! Changes of structure in a fork of a run: how members play, whom they meet, and what their
//! results are worth. Genomes and columns of the run fit before and after.

use std::sync::Arc;

use crate::params::ParamError;
use crate::play::Arena;
use crate::preset::Preset;
use crate::rng::{Purpose, stream};

use super::{Session, measures, missing_oracle, opponents};

/// Changes a live parameter, or a part of the structure or one of its parameters. Returns the full
/// key.
///
/// # Errors
///
/// Why the run can't go on with it, and what to do.
pub fn change_in_fork(preset: &mut Preset, key: &str, text: &str) -> Result<String, ParamError> {
    let key = preset.full_key(key)?;
    if !is_structural(preset, &key) {
        return preset.change_live(&key, text);
    }
    let changed = preset.changed(&key, text)?;
    check(preset, &changed).map_err(|reason| {
        let message = format!("{reason}; start a new run to change it");
        ParamError::new(key.clone(), message)
    })?;
    *preset = changed;
    Ok(key)
}

/// Whether only a fork can make a change.
pub(super) fn is_structural(preset: &Preset, key: &str) -> bool {
    !preset.param(key).is_some_and(|param| param.live) && preset.structure(key).is_some()
}

/// Why a run can't go on with another structure, if it can't.
fn check(before: &Preset, after: &Preset) -> Result<(), String> {
    let arena = |preset: &Preset| preset.arena().map_err(|error| error.to_string());
    let (old, new) = (arena(before)?, arena(after)?);
    missing_oracle(after, new.as_ref()).map_or(Ok(()), |problem| Err(problem.to_string()))?;
    let made = |preset: &Preset, arena: &Arc<dyn Arena>| {
        let mut rng = stream(0, Purpose::Initialization, 0, 0);
        preset.genome.random(arena.io_spec(), &mut rng)
    };
    let (was, is) = (made(before, &old), made(after, &new));
    let fits = after.genome.validate(&was, new.io_spec());
    fits.map_err(|error| format!("does not fit the genomes of the run: {error}"))?;
    if was.topology() != is.topology() {
        return Err("makes genomes of another size than those of the run".to_owned());
    }
    let columns = |preset: &Preset, arena: &Arc<dyn Arena>| {
        let references = measures::references(arena.as_ref());
        measures::columns(preset, arena.as_ref(), &references)
    };
    let (old, new) = (columns(before, &old), columns(after, &new));
    if !old.names().eq(new.names()) {
        return Err("gives the run other columns".to_owned());
    }
    Ok(())
}

/// Makes again what was made of the structure, which has changed. No team knows the new one.
pub(super) fn rebuild(session: &mut Session) {
    let preset = &session.preset;
    let arena = preset.arena().expect("the structure was checked");
    session.opponents = opponents(preset, arena.as_ref());
    session.past.archived.clear();
    session.arena = arena;
    session.grow_players();
    session.team = None;
    session.changes.is_restructured = true;
}
