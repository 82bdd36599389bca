//! The text of a lock: in one order, so that a change of one thing is a change of one line.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::{Entry, Lock};
use crate::error::CatalogError;
use crate::line::{list, text};

impl Lock {
    /// The file's text.
    pub fn text(&self) -> String {
        let mut lines = vec![
            "# Written by `espalier catalog lock`, read by a reviewer.".to_owned(),
            "# By hand: reads, schedules, limits and may_remove; they are kept when the lock is written again."
                .to_owned(),
            format!("module = {}", text(&self.module)),
            format!("component = {}", text(&self.component)),
            format!("wit = {}", text(&self.wit)),
            format!("grants = {}", strings(&self.grants)),
            format!("reads = {}", strings(&self.reads)),
        ];
        if !self.schedules.is_empty() {
            lines.push(format!("schedules = {}", strings(&self.schedules)));
        }
        if !self.withheld.is_empty() {
            lines.push(format!("withheld = {}", strings(&self.withheld)));
        }
        if !self.limits.is_empty() {
            lines.extend(table("limits", self.limits.lines()));
        }
        if !self.may_remove.is_empty() {
            let reasons = self.may_remove.iter().map(|(name, reason)| format!("{} = {}", key(name), text(reason)));
            lines.extend(table("may_remove", reasons));
        }
        for (name, indexes) in &self.collections {
            let fields = indexes.iter().map(|(index, fields)| format!("{} = {}", key(index), strings(fields)));
            lines.extend(table(&format!("collections.{}", key(name)), fields));
        }
        if !self.forms.is_empty() {
            let forms = self.forms.iter().map(|(name, form)| format!("{} = {form}", key(name)));
            lines.extend(table("forms", forms));
        }
        for (kind, shapes) in &self.shapes {
            let schemas = shapes.iter().map(|(name, schema)| format!("{} = {}", key(name), text(schema)));
            lines.extend(table(&format!("shapes.{}", key(kind)), schemas));
        }
        if !self.steps.is_empty() {
            let exports = self.steps.iter().map(|(name, export)| format!("{} = {}", key(name), text(export)));
            lines.extend(table("steps", exports));
        }
        lines.extend(entries("routes", &self.routes));
        lines.extend(entries("operations", &self.operations));
        let mut whole = lines.join("\n");
        whole.push('\n');
        whole
    }

    /// Writes the file into a revision's folder.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), CatalogError> {
        let path = folder.join(format!("{}.toml", self.module));
        std::fs::write(&path, self.text()).map_err(CatalogError::file(path))
    }
}

fn entries(table_name: &str, entries: &BTreeMap<String, Entry>) -> Vec<String> {
    let entry = |(id, entry): (&String, &Entry)| {
        let mut lines = vec![
            format!("kind = {}", text(entry.kind.as_str())),
            format!("mode = {}", text(entry.mode.as_str())),
            format!("scopes = {}", list(entry.scopes.iter().map(model::scope::Scope::as_str))),
            format!("cost = {}", text(&entry.cost)),
        ];
        lines.extend(entry.price.as_ref().map(|price| format!("price = {}", text(price))));
        lines.push(format!("arguments = {}", text(&entry.arguments)));
        if !entry.needs.is_empty() {
            lines.push(format!("needs = {}", strings(&entry.needs)));
        }
        if !entry.outside.is_empty() {
            lines.push("outside = [".to_owned());
            lines.extend(entry.outside.iter().map(|line| format!("  {},", text(&line.to_string()))));
            lines.push("]".to_owned());
        }
        lines.extend(entry.web.as_ref().map(|web| format!("web = {{ {} }}", web.members().join(", "))));
        if !entry.may_remove.is_empty() {
            let reasons = entry.may_remove.iter();
            let reasons = reasons.map(|(line, reason)| format!("{} = {}", text(&line.to_string()), text(reason)));
            lines.push(format!("may_remove = {{ {} }}", reasons.collect::<Vec<_>>().join(", ")));
        }
        if !entry.limits.is_empty() {
            lines.push(format!("limits = {{ {} }}", entry.limits.lines().join(", ")));
        }
        lines.push(format!("contract = {}", text(&entry.contract)));
        table(&format!("{table_name}.{}", text(id)), lines)
    };
    entries.iter().flat_map(entry).collect()
}

fn table(name: &str, lines: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut header = String::new();
    write!(header, "\n[{name}]").expect("a string grows");
    std::iter::once(header).chain(lines).collect()
}

fn strings<'a>(items: impl IntoIterator<Item = &'a String>) -> String {
    list(items.into_iter().map(String::as_str))
}

fn key(name: &str) -> String {
    let bare =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    if bare { name.to_owned() } else { text(name) }
}
