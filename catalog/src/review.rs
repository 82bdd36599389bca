//! What changed from one version of a module to the next, as a reviewer decides about it: every power gained, every promise
//! broken, each with a name. The same two versions give the same report on every machine.

mod contract;
mod markdown;
mod power;
mod reason;
pub mod schema;
mod stored;
mod words;

use std::collections::BTreeSet;

use model::canonical;
use model::legible::escape;
use model::manifest::Manifest;
use serde::Serialize;

pub use self::reason::Reason;
use crate::built::Built;
use crate::lock::Lock;
use crate::revision::{Revision, Status};
use schema::Class;

/// Bytes of one text of a report; what is longer is cut there.
const LONGEST: usize = 16 * 1024;

/// One version of a module.
#[derive(Clone, Debug)]
pub struct Side {
    /// What of it may run.
    pub lock: Lock,
    /// Its contracts, where its component was read.
    pub manifest: Option<Manifest>,
    /// Host interfaces that its component imports, where it was read.
    pub imports: Option<BTreeSet<String>>,
    /// Bytes of the component, where it was read.
    pub size: Option<usize>,
    /// The revision that it stands in, by date, and whether that may still change; none of a component alone.
    pub revision: Option<(String, Status)>,
}

impl Side {
    /// A component as it was built, with everything that it asks for granted.
    pub fn of_component(built: &Built, size: usize) -> Self {
        Self::of_lock(Lock::of(built, None, |_| true)).with_component(built, size)
    }

    /// A lock; what its component says is not known.
    pub fn of_lock(lock: Lock) -> Self {
        Self { lock, manifest: None, imports: None, size: None, revision: None }
    }

    /// The same where it stands in this revision.
    #[must_use]
    pub fn within(self, revision: &Revision) -> Self {
        Self { revision: Some((revision.date.clone(), revision.status)), ..self }
    }

    /// The same with the component that belongs to it.
    #[must_use]
    pub fn with_component(self, built: &Built, size: usize) -> Self {
        let (manifest, imports) = (Some(built.manifest.clone()), Some(built.imports.clone()));
        Self { manifest, imports, size: Some(size), ..self }
    }
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Change {
    /// What it is about: an operation's id, or the module's name.
    pub subject: String,
    /// Its name.
    pub reason: Reason,
    /// Whether somebody has to say yes to it.
    pub stops: bool,
    /// How it treats those who call today.
    pub class: Class,
    /// Where in a schema, as a JSON pointer; empty elsewhere.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub pointer: String,
    /// What was.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub before: String,
    /// What is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub after: String,
}

/// A version as the report names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Version {
    /// `sha256:` and the hex of the component's bytes.
    pub component: String,
    /// Operations that it offers.
    pub operations: usize,
    /// Bytes of the component, where it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<usize>,
}

/// All that changed in one module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Its name.
    pub module: String,
    /// What it is compared with; absent for a new module.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Version>,
    /// What is reviewed; absent for a module that is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Version>,
    /// The differences: by subject, then by name.
    pub changes: Vec<Change>,
}

impl Report {
    /// Names of what somebody has to say yes to, each once.
    pub fn stops(&self) -> BTreeSet<&'static str> {
        self.changes.iter().filter(|change| change.stops).map(|change| change.reason.as_str()).collect()
    }

    /// How the whole treats those who call today: as its worst change does.
    pub fn class(&self) -> Class {
        self.changes.iter().map(|change| change.class).max().unwrap_or(Class::Compatible)
    }

    /// `sha256:` and the hex of the report's canonical JSON: what an approval speaks of.
    pub fn digest(&self) -> String {
        canonical::digest(self)
    }

    /// The report for a person.
    pub fn markdown(&self) -> String {
        markdown::write(self)
    }
}

/// Compares two versions of a module; one of them may not be there.
pub fn review(old: Option<&Side>, new: Option<&Side>) -> Option<Report> {
    let module = new.or(old)?.lock.module.clone();
    let mut found = Found { changes: Vec::new() };
    match (old, new) {
        (Some(old), Some(new)) => {
            power::compare(&mut found, old, new);
            stored::compare(&mut found, &old.lock, &new.lock);
            contract::compare(&mut found, old, new);
            words::compare(&mut found, Some(old), new);
        }
        (None, Some(new)) => {
            power::introduce(&mut found, new);
            words::compare(&mut found, None, new);
        }
        (Some(old), None) => found.add(&module, Reason::ModuleRemoved, "", &counted(old), ""),
        (None, None) => {}
    }
    let mut changes = found.changes;
    changes.sort();
    changes.dedup();
    let module = escape(&module, LONGEST);
    Some(Report { module, old: old.map(version), new: new.map(version), changes })
}

fn version(side: &Side) -> Version {
    Version {
        component: escape(&side.lock.component, LONGEST),
        operations: side.lock.operations.len(),
        size: side.size,
    }
}

fn counted(side: &Side) -> String {
    format!("{} operations", side.lock.operations.len())
}

/// Differences as they are found.
struct Found {
    changes: Vec<Change>,
}

impl Found {
    /// The one way into a report. What the versions say is on one line, and hides and draws nothing.
    fn add(&mut self, subject: &str, reason: Reason, pointer: &str, before: &str, after: &str) {
        let (stops, class) = (reason.stops(), reason.class());
        let [subject, pointer, before, after] = [subject, pointer, before, after].map(|it| escape(it, LONGEST));
        self.changes.push(Change { subject, reason, stops, class, pointer, before, after });
    }

    /// Names that came, and names that went.
    fn names<'a>(
        &mut self,
        subject: &str,
        (gained, lost): (Reason, Reason),
        old: impl IntoIterator<Item = &'a String>,
        new: impl IntoIterator<Item = &'a String>,
    ) {
        let (old, new): (BTreeSet<_>, BTreeSet<_>) = (old.into_iter().collect(), new.into_iter().collect());
        new.difference(&old).for_each(|name| self.add(subject, gained, "", "", name));
        old.difference(&new).for_each(|name| self.add(subject, lost, "", name, ""));
    }
}

#[cfg(test)]
mod tests;
