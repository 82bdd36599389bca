//! What undoes an operation, found by the names of the catalog: `authors.create` by `authors.delete`, `crawl.run.start`
//! by `crawl.run.stop`. The verbs are those of `modules/README.md`; an operation that no other undoes says so.

use model::contract::{Contract, Kind, Mode};
use serde_json::{Value, json};

use crate::generation::Generation;

/// What a verb does, and the verbs of its noun that take it back, the nearest first.
const PAIRS: &[(&[&str], &[&str])] = &[
    (&["create", "add", "register", "import", "save", "upload", "upsert"], &["delete", "remove", "revoke", "erase"]),
    (&["start", "run", "launch", "resume"], &["stop", "cancel"]),
    (&["publish", "push"], &["unpublish", "delete", "trash"]),
    (&["deploy", "apply"], &["rollback"]),
    (&["connect"], &["disconnect", "remove"]),
];
/// Verbs that are taken back by the same operation with what stood there before.
const AGAIN: &[&str] =
    &["set", "update", "edit", "configure", "change", "pause", "assign", "map", "decide", "suppress", "upsert"];
/// Stops any job that still runs.
const CANCEL: &str = "account.job.cancel";

/// What takes the operation back; none for one that only reads.
pub(super) fn undo(contract: &Contract, generation: &Generation) -> Option<Value> {
    if contract.kind == Kind::Read {
        return None;
    }
    let (noun, verb) = contract.id.rsplit_once('.')?;
    let named = PAIRS
        .iter()
        .filter(|(does, _)| does.contains(&verb))
        .flat_map(|(_, undoes)| undoes.iter())
        .flat_map(|undoes| [format!("{noun}.{undoes}"), format!("{noun}.{verb}ment.{undoes}")])
        .find(|id| generation.operation(id).is_some());
    if let Some(id) = named {
        return Some(json!({ "operation_id": id }));
    }
    if contract.mode == Mode::Queued && generation.operation(CANCEL).is_some() {
        return Some(json!({ "operation_id": CANCEL, "words": "while it runs; what is done stays" }));
    }
    if contract.kind != Kind::Destructive && AGAIN.contains(&verb) {
        return Some(json!({ "operation_id": contract.id, "words": "call it again with what stood there before" }));
    }
    Some(json!({ "words": "no operation undoes this" }))
}
