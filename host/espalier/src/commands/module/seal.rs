//! `espalier module seal`: a component of any toolchain becomes a module, and is looked at as a host would.

use std::path::Path;

use anyhow::{Context as _, bail};
use catalog::compare::{self, Digest};
use catalog::lock::Lock;
use sandbox::{inspect, seal};
use serde_json::json;

use crate::commands::Say;

/// Writes the module unless a host would refuse it whatever its lock says.
pub(super) fn run(
    component: &Path,
    contracts: &Path,
    without: &[String],
    out: Option<&Path>,
    say: Say,
) -> anyhow::Result<()> {
    let read = |path: &Path| {
        catalog::files::read(path, catalog::files::COMPONENT)
            .with_context(|| format!("{} cannot be read", path.display()))
    };
    let sealed = seal::seal(&read(component)?, &read(contracts)?, without)
        .with_context(|| format!("{} with {}", component.display(), contracts.display()))?;
    let shown = inspect::inspect(&sealed).with_context(|| component.display().to_string())?.built;
    let differences = compare::differences(&shown, &Lock::of(&shown, None, |_| true), Digest::Free);
    if !differences.is_empty() {
        let mut why: Vec<String> = differences.into_iter().map(|it| it.message).collect();
        if shown.exports.others.iter().any(|export| export.starts_with('#')) {
            why.push("`--without FUNCTION` takes out what a toolchain left behind".to_owned());
        }
        bail!("no host loads it:\n  {}", why.join("\n  "));
    }
    let out = out.unwrap_or(component);
    std::fs::write(out, &sealed).with_context(|| format!("{} cannot be written", out.display()))?;
    let manifest = &shown.manifest;
    let asks: Vec<&str> = shown.imports.iter().map(String::as_str).collect();
    let words = format!(
        "{} is the module {} with {} operations; it asks for {}. Next:\n  espalier module check {0}\n  espalier module test {0}",
        out.display(),
        manifest.module,
        manifest.operations.len(),
        if asks.is_empty() { "nothing".to_owned() } else { asks.join(", ") },
    );
    say.value(&json!({ "module": manifest.module, "file": out, "bytes": sealed.len(), "grants": asks }), &words);
    Ok(())
}
