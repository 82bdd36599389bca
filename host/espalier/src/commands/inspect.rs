//! `espalier inspect`: what a component is, without running it.

use std::path::Path;

use anyhow::Context as _;
use sandbox::inspect;
use serde_json::json;

use super::Say;

pub(super) fn run(file: &Path, say: Say) -> anyhow::Result<()> {
    let bytes = std::fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let shown = inspect::inspect(&bytes)?;
    let manifest = &shown.built.manifest;
    let mut words = format!(
        "module   {}\ndigest   {}\nsize     {} bytes\n\nimports\n",
        manifest.module, shown.built.component, shown.size
    );
    for import in &shown.imports {
        words += &format!("  {import}\n");
    }
    words += "\nexports\n";
    for export in &shown.exports {
        words += &format!("  {export}\n");
    }
    words += "\noperations\n";
    for contract in &manifest.operations {
        words += &format!(
            "  {:<36} {:<12} {:<10} {}\n",
            contract.id,
            contract.kind.as_str(),
            contract.mode.as_str(),
            contract.scopes
        );
    }
    let value = json!({
        "module": manifest.module,
        "wit": manifest.wit,
        "imports": shown.imports,
        "exports": shown.exports,
        "contracts": manifest.operations,
        "routes": manifest.routes,
        "steps": manifest.steps,
        "collections": manifest.collections,
        "digest": shown.built.component,
        "size": shown.size,
        "producers": shown.producers,
    });
    say.value(&value, words.trim_end());
    Ok(())
}
