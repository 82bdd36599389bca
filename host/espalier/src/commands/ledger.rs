//! `espalier ledger`: whether the books are right.

use std::sync::Arc;

use anyhow::bail;
use model::clock::SystemClock;
use serde_json::json;

use super::Say;
use crate::assembly;
use crate::cli::{Ledger, Place};
use crate::settings::Settings;

pub(super) async fn run(place: &Place, command: &Ledger, say: Say) -> anyhow::Result<()> {
    let Ledger::Verify = command;
    let store = assembly::open_store(&Settings::read(place)?, Arc::new(SystemClock)).await?;
    let violations = store.verify_ledger().await?;
    if !violations.is_empty() {
        let words: Vec<String> = violations.iter().map(|violation| format!("{violation:?}")).collect();
        bail!("{} violations:\n{}", violations.len(), words.join("\n"));
    }
    say.value(&json!({ "violations": [] }), "the ledger is right");
    Ok(())
}
