//! `espalier module test`: the native tests, then every example of every contract in the real sandbox.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};
use model::refusal::Class;
use serde_json::{Map, Value, json};

use super::run::Spent;
use crate::commands::Say;
use crate::scratch::{Ran, Scratch};

/// Runs cargo's tests of the module; what they print goes where this command's own words go.
pub(super) fn native(root: &Path, name: &str) -> anyhow::Result<()> {
    let status = Command::new("cargo")
        .current_dir(root)
        .args(["test", "--quiet", "--package", name])
        .stdout(std::io::stderr())
        .status()
        .context("cargo cannot be started")?;
    if !status.success() {
        bail!("the native tests of {name} fail");
    }
    Ok(())
}

/// Calls each example once. A refusal is a fine answer where it speaks of what is not there; a trap, a limit or a
/// result that is not what the contract promises is not.
pub(super) async fn examples(scratch: &Scratch, say: Say) -> anyhow::Result<()> {
    let (mut rows, mut words, mut wrong) = (Vec::new(), Vec::new(), 0);
    // Reads come first: they meet an empty workspace, as a new customer's.
    let mut contracts: Vec<_> = scratch.contracts().iter().collect();
    contracts.sort_by_key(|contract| contract.kind.mutates());
    for contract in contracts {
        for (number, example) in contract.examples.iter().enumerate() {
            let arguments: Map<String, Value> = example.as_object().cloned().unwrap_or_default();
            let ran = scratch.call(&contract.id, arguments).await?;
            let (said, fine) = judged(&ran);
            let spent = Spent::of(&ran);
            wrong += usize::from(!fine);
            let mark = if fine { "ok   " } else { "FAILS" };
            words.push(format!(
                "{mark} {:<36} example {number}: {said}, {} points, {} fuel",
                contract.id, spent.points, spent.fuel
            ));
            rows.push(json!({
                "operation": contract.id, "example": number, "ok": fine, "ended": said, "points": spent.points, "fuel": spent.fuel,
            }));
        }
    }
    say.value(&Value::Array(rows), &words.join("\n"));
    if wrong > 0 {
        bail!("{wrong} examples do not run");
    }
    Ok(())
}

fn judged(ran: &Ran) -> (String, bool) {
    let refusal = match &ran.ended {
        Ok(_) => {
            let job = ran.job.as_ref().map(|job| job.view.state.as_str());
            return (job.map_or_else(|| "answered".to_owned(), |state| format!("job {state}")), job != Some("failed"));
        }
        Err(refusal) => refusal,
    };
    // A contract is judged by its own schema before: an example that it does not take is a promise broken.
    let fine = !matches!(refusal.class, Class::Internal) && refusal.code != "invalid_arguments";
    (format!("refused with {}", refusal.code), fine)
}
