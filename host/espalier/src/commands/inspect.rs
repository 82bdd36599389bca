//! `espalier inspect`: what a component is, without running it.

use std::path::Path;

use anyhow::Context as _;
use catalog::trust::{self, Power};
use model::contract::Contract;
use model::legible::escape;
use model::limits::Limits;
use sandbox::inspect::{self, Inspection};
use serde_json::{Value, json};

use super::Say;
use crate::cli::Place;
use crate::settings::File;

pub(super) fn run(place: &Place, file: &Path, say: Say) -> anyhow::Result<()> {
    let bytes = catalog::files::read(file, catalog::files::COMPONENT)
        .with_context(|| format!("{} cannot be read", file.display()))?;
    let shown = inspect::inspect(&bytes)?;
    let manifest = &shown.built.manifest;
    let signer = signer(place, file, &manifest.module, &bytes)?;
    let value = json!({
        "module": manifest.module,
        "wit": manifest.wit,
        "imports": shown.imports,
        "grants": shown.built.imports,
        "exports": shown.exports,
        "contracts": manifest.operations,
        "routes": manifest.routes,
        "steps": manifest.steps,
        "collections": manifest.collections,
        "limits": manifest.operations.iter().map(|it| (it.id.clone(), limits(it))).collect::<serde_json::Map<_, _>>(),
        "digest": shown.built.component,
        "size": shown.size,
        "signer": signer.as_ref().ok(),
        "signature": signer.as_ref().err(),
        "producers": shown.producers,
    });
    let signed = signer.unwrap_or_else(|why| why);
    say.value(&value, words(&shown, &signed).trim_end());
    Ok(())
}

/// Who has signed it, or why nobody who counts has.
fn signer(place: &Place, file: &Path, module: &str, bytes: &[u8]) -> anyhow::Result<Result<String, String>> {
    let trust = File::read(place)?.trust()?;
    let signature = trust::beside(file)?;
    let verified = trust.verify(Power::Modules, Some(module), &trust::called(file), bytes, signature.as_deref());
    Ok(verified.map(str::to_owned).map_err(|error| error.to_string()))
}

/// What one call may use, before any lock.
fn limits(contract: &Contract) -> Value {
    let limits = Limits::of(contract.kind);
    json!({
        "fuel": limits.fuel,
        "wall_ms": limits.wall.as_millis(),
        "memory": limits.memory,
        "answer": limits.answer,
        "rows_read": limits.rows_read,
        "rows_written": limits.rows_written,
        "host_calls": limits.host_calls,
        "requests": limits.requests,
    })
}

/// Bytes of one text of the component that a line shows.
const SHOWN: usize = 400;

fn words(shown: &Inspection, signed: &str) -> String {
    let manifest = &shown.built.manifest;
    let own = |text: &str| escape(text, SHOWN);
    let mut words = format!(
        "module   {}\ndigest   {}\nsize     {} bytes\nsigned   {}\n",
        own(&manifest.module),
        shown.built.component,
        shown.size,
        own(signed)
    );
    for (field, name, version) in &shown.producers {
        words += &format!("made by  {}: {} {}\n", own(field), own(name), own(version));
    }
    let lists = [("imports", &shown.imports), ("exports", &shown.exports)];
    for (title, lines) in lists {
        words += &format!("\n{title}\n");
        lines.iter().for_each(|line| words += &format!("  {}\n", own(line)));
    }
    words += "\noperations\n";
    for contract in &manifest.operations {
        let limits = Limits::of(contract.kind);
        words += &format!(
            "  {:<36} {:<12} {:<10} {:<28} {} M fuel, {} s, {} MiB, {} requests\n",
            own(&contract.id),
            contract.kind.as_str(),
            contract.mode.as_str(),
            own(&contract.scopes.to_string()),
            limits.fuel / 1_000_000,
            limits.wall.as_secs(),
            limits.memory >> 20,
            limits.requests,
        );
        for line in &contract.outside {
            words += &format!("      may ask {}\n", own(&line.to_string()));
        }
    }
    words
}
