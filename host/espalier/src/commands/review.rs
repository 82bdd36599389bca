//! `espalier review`: what changed between two versions, for who decides.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, bail};
use catalog::review::{Report, Side, review};
use catalog::revision::{Revision, Status};
use sandbox::inspect;
use serde_json::{Value, json};

use super::Say;
use crate::modules;

pub(super) fn run(old: &Path, new: &Path, module: Option<&str>, say: Say) -> anyhow::Result<()> {
    let (old, new) = (sides(old)?, sides(new)?);
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let chosen = names.iter().filter(|name| module.is_none_or(|module| module == name.as_str()));
    let reports: Vec<Report> = chosen.filter_map(|name| review(old.get(*name), new.get(*name))).collect();
    if reports.is_empty() {
        let known = names.into_iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        bail!("there is nothing to compare; the versions have {known}");
    }
    let shown = |report: &Report| -> anyhow::Result<Value> {
        let mut value = serde_json::to_value(report)?;
        value["digest"] = report.digest().into();
        value["class"] = serde_json::to_value(report.class())?;
        value["stops"] = json!(report.stops());
        Ok(value)
    };
    let values = reports.iter().map(shown).collect::<anyhow::Result<Vec<_>>>()?;
    let words: Vec<String> =
        reports.iter().filter(|it| reports.len() == 1 || !it.changes.is_empty()).map(Report::markdown).collect();
    let words = if words.is_empty() { "Nothing changed.".to_owned() } else { words.join("\n") };
    say.value(&Value::Array(values), words.trim_end());
    let stops: BTreeSet<&str> = reports.iter().flat_map(Report::stops).collect();
    if !stops.is_empty() {
        bail!("somebody has to say yes to this: {}", stops.into_iter().collect::<Vec<_>>().join(", "));
    }
    Ok(())
}

/// The modules of a version: of one component, or of a revision's locks.
fn sides(version: &Path) -> anyhow::Result<BTreeMap<String, Side>> {
    if version.is_file() {
        let bytes = std::fs::read(version).with_context(|| format!("{} cannot be read", version.display()))?;
        let shown = inspect::inspect(&bytes).with_context(|| version.display().to_string())?;
        return Ok([(shown.built.manifest.module.clone(), Side::of_component(&shown.built, shown.size))].into());
    }
    let date = version.file_name().context("name a component, a revision or its folder")?.to_string_lossy();
    let catalog = match version.parent().filter(|_| version.is_dir()) {
        Some(folder) => folder.to_path_buf(),
        None => modules::workspace()?.join("catalog"),
    };
    let dates = Revision::dates(&catalog)?;
    if !dates.iter().any(|known| *known == date) {
        bail!("{} is no component and no revision; there are {}", version.display(), dates.join(", "));
    }
    let revision = Revision::read(&catalog, &date)?;
    let sealed = revision.status == Status::Final;
    Ok(revision.locks.into_iter().map(|(name, lock)| (name, Side::of_lock(lock, sealed))).collect())
}
