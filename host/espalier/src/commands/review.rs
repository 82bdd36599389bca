//! `espalier review`: what changed between two versions, for who decides.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, bail};
use catalog::approval::{self, Reviewed};
use catalog::review::{Report, Side};
use catalog::revision::Revision;
use sandbox::inspect;
use serde_json::{Value, json};

use super::Say;
use crate::modules;

pub(super) fn run(
    old: &Path,
    new: &Path,
    module: Option<&str>,
    catalog: Option<&Path>,
    say: Say,
) -> anyhow::Result<()> {
    let stops = show(old, new, module, catalog, say)?;
    if !stops.is_empty() {
        bail!("somebody has to say yes to this: {}", stops.into_iter().collect::<Vec<_>>().join(", "));
    }
    Ok(())
}

/// Prints the report; what it gives back is what somebody has to say yes to.
pub(super) fn show(
    old: &Path,
    new: &Path,
    module: Option<&str>,
    catalog: Option<&Path>,
    say: Say,
) -> anyhow::Result<BTreeSet<&'static str>> {
    let files = (old.is_file(), new.is_file());
    let (mut old, mut new) = (sides(old, catalog)?, sides(new, catalog)?);
    // A component beside a revision is one of its modules; the others are not what is asked about.
    let only = match files {
        (true, false) => old.keys().next().cloned(),
        (false, true) => new.keys().next().cloned(),
        (true, true) | (false, false) => None,
    };
    if let Some(module) = module.or(only.as_deref()) {
        let known: BTreeSet<String> = old.keys().chain(new.keys()).cloned().collect();
        old.retain(|name, _| name == module);
        new.retain(|name, _| name == module);
        if old.is_empty() && new.is_empty() {
            let known = known.into_iter().collect::<Vec<_>>().join(", ");
            bail!("there is nothing to compare; the versions have {known}");
        }
    }
    let reviewed = Reviewed::of(&old, &new);
    let values = reviewed.reports.iter().map(shown).collect::<anyhow::Result<Vec<_>>>()?;
    let stops = reviewed.stops();
    let value = json!({ "digest": reviewed.digest(), "stops": stops, "reports": values });
    let changed = reviewed.reports.iter().filter(|it| reviewed.reports.len() == 1 || !it.changes.is_empty());
    let words: Vec<String> = changed.map(Report::markdown).collect();
    let words = if words.is_empty() { "Nothing changed.".to_owned() } else { words.join("\n") };
    say.value(&value, &format!("{}\n\nReport of the whole: `{}`", words.trim_end(), reviewed.digest()));
    Ok(stops)
}

fn shown(report: &Report) -> anyhow::Result<Value> {
    let mut value = serde_json::to_value(report)?;
    value["digest"] = report.digest().into();
    value["class"] = serde_json::to_value(report.class())?;
    value["stops"] = json!(report.stops());
    Ok(value)
}

/// The modules of a version: of one component, of a revision's locks, or of nothing.
fn sides(version: &Path, catalog: Option<&Path>) -> anyhow::Result<BTreeMap<String, Side>> {
    if version.as_os_str() == "none" {
        return Ok(BTreeMap::new());
    }
    if version.is_file() {
        let bytes = catalog::files::read(version, catalog::files::COMPONENT)
            .with_context(|| format!("{} cannot be read", version.display()))?;
        let shown = inspect::inspect(&bytes).with_context(|| version.display().to_string())?;
        return Ok([(shown.built.manifest.module.clone(), Side::of_component(&shown.built, shown.size))].into());
    }
    let date = version.file_name().context("name a component, a revision or its folder")?.to_string_lossy();
    let catalog = match (catalog, version.parent().filter(|_| version.is_dir())) {
        (_, Some(folder)) => folder.to_path_buf(),
        (Some(catalog), None) => catalog.to_path_buf(),
        (None, None) => modules::workspace()?.join("catalog"),
    };
    let dates = Revision::dates(&catalog)?;
    if !dates.iter().any(|known| *known == date) {
        bail!("{} is no component and no revision; there are {}", version.display(), dates.join(", "));
    }
    Ok(approval::sides(&Revision::read(&catalog, &date)?)?)
}
