//! The operation `local_grid.run.delete`.

use sdk::json;
use sdk::prelude::*;

use crate::run::current;
use crate::stored::{Pin, Place, Run, Stop, Tally};

#[args]
pub(crate) struct Delete {
    /// The scan.
    run_ref: Id<Run>,
}

/// What went.
#[value]
pub(crate) struct Deleted {
    /// Whether nothing of the scan is left.
    deleted: bool,
    /// Pins that went with it.
    pins: u64,
}

/// Deletes a scan; refused while a signals campaign uses it as evidence.
///
/// Its pins and what they showed go with it. A scan that is running is stopped first, with `local_grid.run.stop`.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = write,
    needs = ["store"],
    side_effects = ["removes the scan and its pins for good"],
    phrasings = ["delete an old map scan", "remove this local grid run", "throw away a geo grid result"],
    examples = [{ "run_ref": "run_01" }]
)]
pub(crate) fn delete(cx: &Cx, args: Delete) -> Result<Deleted> {
    let run = cx.records::<Run>().get(&args.run_ref).map_err(|fault| fault.at("/run_ref"))?;
    if current(cx, &run).moves() {
        return Err(Fault::conflict("scan_running", "this scan has not ended; stop it first")
            .at("/run_ref")
            .detail(json!({ "operation_id": "local_grid.run.stop", "arguments": { "run_ref": run.id } })));
    }
    crate::gmb_signals::evidence::unused(cx, &run)?;
    let pins = cx.records::<Pin>().by("run_keyword_number").equals(&run.id).remove();
    cx.records::<Place>().by("run_number").equals(&run.id).remove();
    cx.records::<Tally>().by("run_number").equals(&run.id).remove();
    if let Some(stop) = cx.records::<Stop>().find(&run.id.cast()) {
        cx.records::<Stop>().remove(&stop)?;
    }
    cx.records::<Run>().remove(&run)?;
    Ok(Deleted { deleted: true, pins })
}
