//! The operation `local_grid.run.stop`.

use sdk::prelude::*;

use crate::given;
use crate::run::current;
use crate::stored::{Run, State, Stop};

#[args]
pub(crate) struct StopArgs {
    /// The scan.
    run_ref: Id<Run>,
}

/// A scan that is being ended.
#[value]
pub(crate) struct Stopping {
    /// Where it stands now; `local_grid.run.get` says `cancelled` once it has ended.
    state: State,
    /// Pins finished so far; they are kept.
    pins_done: u32,
    /// What these cost, in credits; the rest of what was set aside comes back.
    charge: f64,
}

/// Stops a running scan, keeps finished pins and settles the charge for them only.
///
/// The scan ends at its next step. Tasks that the provider has taken already are paid there and not collected.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = write,
    needs = ["store", "jobs", "credits"],
    side_effects = ["the scan cannot be taken up again"],
    phrasings = ["stop the running map scan", "cancel my local grid scan and keep what is done", "abort the geo grid check"],
    examples = [{ "run_ref": "run_01" }]
)]
pub(crate) fn stop(cx: &Cx, args: StopArgs) -> Result<Stopping> {
    let run = cx.records::<Run>().get(&args.run_ref).map_err(|fault| fault.at("/run_ref"))?;
    let state = current(cx, &run);
    if !state.moves() {
        return Err(Fault::conflict("scan_ended", "this scan has ended already").at("/run_ref"));
    }
    let (id, wish): (Id<Stop>, _) = (run.id.cast(), Stop { asked_ms: cx.now().millis() });
    match cx.records::<Stop>().find(&id) {
        Some(known) => drop(cx.records::<Stop>().save(Stored { it: wish, ..known })?),
        None => drop(cx.records::<Stop>().insert_as(id, wish)?),
    }
    let pins_done = run.figures.pins_done;
    Ok(Stopping { state, pins_done, charge: given::credits(pins_done) })
}
