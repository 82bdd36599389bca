//! `espalier module check`: each promise that is not kept, and what is no longer as it was locked, by how it treats those
//! who call.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, bail};
use catalog::compare::{self, Difference, Digest};
use catalog::contracts;
use catalog::lock::Lock;
use catalog::review::schema::Class;
use catalog::review::{Change, Side, review};
use catalog::revision::{Revision, Status};
use catalog::table;
use sandbox::inspect::{self, Inspection};
use serde_json::{Value, json};
use service::promise;

use crate::catalogs::drafts;
use crate::commands::Say;
use crate::modules::Built;

/// Ends badly when something is to be mended, or a lock is not of what was built.
pub(super) fn run(built: &[Built], workspace: &Path, say: Say) -> anyhow::Result<()> {
    let catalog = workspace.join("catalog");
    let newest = Revision::dates(&catalog)?.pop().context("the catalog has no revision")?;
    let revision = Revision::standing(&catalog, &newest)?;
    let (mut rows, mut words, mut to_mend, mut moved) = (Vec::new(), Vec::new(), 0, false);
    for module in built {
        let shown = inspect::inspect(&catalog::files::read(&module.path, catalog::files::COMPONENT)?)
            .with_context(|| module.name.clone())?;
        let found = Found::of(&shown, &revision, |lock| drafts::kept(workspace, &newest, lock));
        to_mend += found.mend.len();
        moved |= !found.lines.is_empty();
        words.push(found.words(&module.name, shown.built.manifest.operations.len(), &revision));
        rows.push(found.row(&module.name, shown.built.manifest.operations.len(), &revision)?);
    }
    say.value(&Value::Array(rows), &words.join("\n"));
    match (to_mend, moved) {
        (0, false) => Ok(()),
        (0, true) => bail!("what was built is not what revision {newest} locks; the next command is above"),
        (1, _) => bail!("1 thing is to be mended"),
        (count, _) => bail!("{count} things are to be mended"),
    }
}

/// What is to be said of one module.
struct Found {
    locked: bool,
    /// What no lock makes right.
    mend: Vec<String>,
    /// What changed since it was locked.
    changes: Vec<Change>,
    /// Lines of the lock that are no longer true.
    lines: Vec<String>,
}

impl Found {
    /// `kept` gives the component of a lock, where it is here.
    fn of(shown: &Inspection, revision: &Revision, kept: impl FnOnce(&Lock) -> Option<Inspection>) -> Self {
        let built = &shown.built;
        let lock = revision.locks.get(&built.manifest.module);
        let anew = Lock::of(built, lock, |id| table::offers(&revision.date, id));
        let broken = promise::broken(&built.manifest);
        let mut mend: Vec<String> =
            broken.iter().map(|it| format!("{}: {}: {}", it.operation, it.pointer, it.message)).collect();
        let stays = compare::differences(built, &anew, Digest::Free);
        let moved = lock.map(|lock| compare::differences(built, lock, Digest::Free)).unwrap_or_default();
        let is_same = |one: &Difference, other: &Difference| (&one.key, &one.message) == (&other.key, &other.message);
        // A line of the lock that a person wrote is named where it stands.
        for difference in &stays {
            let there = moved.iter().find(|it| is_same(it, difference));
            mend.push(there.map_or_else(|| format!("{}: {}", difference.key, difference.message), in_catalog));
        }
        mend.extend(anew.unneeded().into_iter().map(unneeded));
        let lines = moved.iter().filter(|it| !stays.iter().any(|other| is_same(it, other))).map(in_catalog).collect();
        let changes = lock.map(|lock| changes(shown, (lock, anew), revision, kept(lock))).unwrap_or_default();
        Self { locked: lock.is_some(), mend, changes, lines }
    }

    fn classes(&self) -> BTreeSet<Class> {
        // A line that no change speaks of, such as one about an operation that is withheld, harms nobody.
        let unnamed = (self.changes.is_empty() && !self.lines.is_empty()).then_some(Class::Compatible);
        self.changes.iter().map(|change| change.class).chain(unnamed).collect()
    }

    fn words(&self, module: &str, operations: usize, revision: &Revision) -> String {
        let mut words = format!("{module}: {operations} operations, {} to mend", self.mend.len());
        if !self.locked {
            words += &format!("; no lock in {} yet: {}", revision.date, cut_and_lock());
        }
        self.mend.iter().for_each(|it| words += &format!("\n  {it}"));
        for class in self.classes() {
            words += &format!("\n  {} since it was locked; next: {}", name(class), next(class, revision));
            for change in self.changes.iter().filter(|change| change.class == class) {
                words += &format!("\n    {} {change}", change.reason.as_str());
            }
        }
        if !self.lines.is_empty() {
            words += "\n  lines that are no longer true";
        }
        self.lines.iter().for_each(|it| words += &format!("\n    {it}"));
        words
    }

    fn row(&self, module: &str, operations: usize, revision: &Revision) -> anyhow::Result<Value> {
        let changes = self.changes.iter().map(|change| {
            let mut value = serde_json::to_value(change)?;
            value["next"] = next(change.class, revision).into();
            Ok(value)
        });
        Ok(json!({
            "module": module, "operations": operations, "locked": self.locked, "to_mend": self.mend,
            "changes": changes.collect::<anyhow::Result<Vec<_>>>()?, "lines": self.lines,
        }))
    }
}

/// What a reviewer would read: contract by contract where the locked component was kept here, else by the lock's lines.
fn changes(
    shown: &Inspection,
    (lock, anew): (&Lock, Lock),
    revision: &Revision,
    kept: Option<Inspection>,
) -> Vec<Change> {
    let old = Side::of_lock(lock.clone()).within(revision);
    let old = match kept {
        Some(kept) => old.with_component(&kept.built, kept.size),
        // Contracts that are not the locked ones are no help; the lock's lines are compared.
        None => {
            let folder = revision.folder.as_deref();
            let manifest = folder.and_then(|folder| contracts::read(folder, lock).ok().flatten());
            Side { manifest, ..old }
        }
    };
    let new = Side::of_lock(anew).within(revision).with_component(&shown.built, shown.size);
    review(Some(&old), Some(&new)).map(|report| report.changes).unwrap_or_default()
}

fn in_catalog(difference: &Difference) -> String {
    format!("catalog/{difference}")
}

fn unneeded(import: &str) -> String {
    let need = match import {
        "connections" | "mail" => "connection:KIND",
        other => other,
    };
    format!(
        "grants: the component imports {import}, and no operation needs it: `needs = [\"{need}\"]` belongs to the \
         operation that asks, or the call comes out"
    )
}

fn name(class: Class) -> &'static str {
    match class {
        Class::Compatible => "compatible",
        Class::Widening => "widening",
        Class::Breaking => "breaking",
    }
}

/// What an author does about a change of this class.
fn next(class: Class, revision: &Revision) -> String {
    let date = &revision.date;
    match (revision.status, class) {
        (Status::Final, _) => format!("{date} is final, so {}", cut_and_lock()),
        (Status::Draft, Class::Compatible | Class::Widening) => format!("`espalier catalog lock {date}`"),
        (Status::Draft, Class::Breaking) => {
            format!(
                "{}, and a person who approves; where nobody calls {date} yet, `espalier catalog lock {date}`",
                cut_and_lock()
            )
        }
    }
}

fn cut_and_lock() -> &'static str {
    "`espalier catalog cut DATE`, then `espalier catalog lock`"
}

#[cfg(test)]
mod tests;
