//! `espalier ledger`: whether the books are right, and whether they believe the clock.

use anyhow::bail;
use serde_json::json;

use super::Say;
use crate::assembly;
use crate::cli::{Ledger, Place};
use crate::settings::Settings;

pub(super) async fn run(place: &Place, command: &Ledger, say: Say) -> anyhow::Result<()> {
    let (store, clock) = assembly::store(&Settings::read(place)?).await?;
    match command {
        Ledger::Verify => {
            let violations = store.money.verify_ledger().await?;
            if !violations.is_empty() {
                let words: Vec<String> = violations.iter().map(|violation| format!("{violation:?}")).collect();
                bail!("{} violations:\n{}", violations.len(), words.join("\n"));
            }
            say.value(&json!({ "violations": [] }), "the ledger is right");
        }
        Ledger::Clock { accept } => {
            let now = clock.now();
            if *accept {
                store.calls.set_clock_mark(now).await?;
            }
            let mark = store.calls.clock_mark().await?;
            let seen = mark.map(|mark| mark.rfc3339());
            let value = json!({ "now": now.rfc3339(), "last_charged": seen, "accepted": accept });
            let words = match &seen {
                None => format!("it is {}; nothing was charged yet", now.rfc3339()),
                Some(seen) => {
                    format!("it is {}; something was charged at {seen} or up to a minute later", now.rfc3339())
                }
            };
            say.value(&value, &words);
        }
    }
    Ok(())
}
