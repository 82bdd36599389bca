//! Offline replay of a run: the same component with the recorded input and the recorded answers of the host.
//!
//! If a limit of the host or a trap ended the run, the guest or the tape ends the replay at the same place. If the
//! clock ended a guest that was computing, the guest does not determine where. The replay then gets the fuel that the
//! run had taken, and ends when it is used up.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
use model::contract::Contract;
use model::manifest::UPGRADE;
use wasmtime::Store;

use crate::Sandbox;
use crate::artefact;
use crate::behaviour::Behaviour;
use crate::export::{Answer, Export};
use crate::inspect::{self, InspectError, Inspection};
use crate::load::{exported, typed};
use crate::perform::{Piece, broken, perform};
use crate::stage::Stage;
use crate::stop::{LimitKind, Stop, Trap};
pub use crate::tape::Divergence;
use crate::tape::{Ended, Tape};
use crate::tier::Tier;
use crate::transcript::{Ending, Transcript};

/// How much longer than the run's limit a replay may take, since the machine may be slower. Only a guest that sleeps in
/// the inert WASI reaches this; a computing guest runs out of fuel.
const SLOWER: u32 = 10;

/// Why a transcript cannot be replayed with a component.
#[derive(Debug, thiserror::Error)]
pub enum NotReplayed {
    /// The transcript is of another component.
    #[error("the run was of component {recorded}, and this one is {given}")]
    Digest {
        /// The digest in the transcript.
        recorded: String,
        /// The digest of the given bytes.
        given: String,
    },
    /// The component cannot be read.
    #[error(transparent)]
    Inspect(#[from] InspectError),
    /// The component cannot be prepared. If the digest matches, the engines differ.
    #[error("the engine refuses the component: {0}")]
    Engine(String),
}

/// The result of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// How the replay ended.
    pub ending: Ending,
    /// The fuel taken.
    pub fuel: u64,
    /// The number of host calls answered from the transcript.
    pub calls: usize,
    /// The engine of the replay.
    pub engine: String,
    /// Where the replay diverged; `None` if it was identical.
    pub divergence: Option<Divergence>,
    /// Every member name in the component's contracts. These contain nothing of a customer.
    pub names: BTreeSet<String>,
}

/// What became of a component over a tape.
struct Played {
    outcome: Result<Answer, Stop>,
    tape: Box<Tape>,
    fuel: u64,
}

impl Sandbox {
    /// Replays a recorded run. Accesses nothing but the two arguments.
    ///
    /// # Errors
    /// The component is not the recorded one.
    pub async fn replay(&self, component: &[u8], transcript: &Transcript) -> Result<Replayed, NotReplayed> {
        let inspection = inspect::declared(component)?;
        if *inspection.built.component != *transcript.digest {
            let (recorded, given) = (transcript.digest.to_string(), inspection.built.component);
            return Err(NotReplayed::Digest { recorded, given });
        }
        let tier = self.tier_of(transcript);
        let fuel = if by_the_clock(transcript) { transcript.fuel } else { transcript.limits.fuel };
        let Played { outcome, mut tape, fuel: taken } =
            self.play(tier, (component, &inspection), transcript, (Tape::of(transcript), fuel)).await?;
        let ended = tape.ended.take();
        let as_then = match &ended {
            Some(Ended::AsRecorded) => true,
            Some(Ended::Diverged(_)) => false,
            None => by_the_clock(transcript) && matches!(outcome, Err(Stop::Limit(LimitKind::Fuel))),
        };
        let ending = if as_then { transcript.ending.clone() } else { Ending::of(&outcome) };
        let divergence = match ended {
            Some(Ended::Diverged(divergence)) => Some(divergence),
            _ => difference(transcript, &ending, taken, tape.made),
        };
        let names = names(&inspection);
        Ok(Replayed { ending, fuel: taken, calls: tape.made, engine: tier.name.clone(), divergence, names })
    }

    /// How another component behaves where this run was recorded. Accesses nothing but the two arguments.
    ///
    /// # Errors
    /// The component cannot be read or prepared, or does not have the function.
    pub async fn behaviour(&self, component: &[u8], transcript: &Transcript) -> Result<Behaviour, NotReplayed> {
        let inspection = inspect::declared(component)?;
        let tape = (Tape::for_another(transcript), transcript.limits.fuel);
        let played = self.play(self.tier(), (component, &inspection), transcript, tape).await?;
        let ended = played.tape.ended.as_ref();
        let ending = match ended {
            Some(Ended::AsRecorded) => transcript.ending.clone(),
            Some(Ended::Diverged(_)) | None => Ending::of(&played.outcome),
        };
        let cut = matches!(ended, Some(Ended::Diverged(_)));
        let missing = if cut { BTreeMap::new() } else { played.tape.missing() };
        let added = played.tape.other.map(|other| other.added).unwrap_or_default();
        Ok(Behaviour::of(transcript, &ending, played.fuel, (added, missing, cut)))
    }

    /// Runs the function of a transcript in a component over a tape.
    async fn play(
        &self,
        tier: &Tier,
        (component, inspection): (&[u8], &Inspection),
        transcript: &Transcript,
        (tape, fuel): (Tape, u64),
    ) -> Result<Played, NotReplayed> {
        let refuse = |error: wasmtime::Error| NotReplayed::Engine(format!("{error:#}"));
        let digest = &inspection.built.component;
        let compiled = artefact::component(&tier.engine, self.artefacts(), component, digest).map_err(refuse)?;
        let pre = tier.link(&compiled, transcript.inert).map_err(refuse)?;
        let (interface, function) = place(inspection, &transcript.export)
            .ok_or_else(|| NotReplayed::Engine(format!("it exports no {}", transcript.export.name())))?;
        let index = exported(inspection, interface, function)
            .and_then(|full| typed(&compiled, &pre, &inspection.built.manifest.module, (full, function)))
            .map_err(|error| NotReplayed::Engine(error.to_string()))?;
        let limits = &transcript.limits;
        let piece = Piece { pre: &pre, index: &index, kind: transcript.kind, limits, fuel };
        let mut store = Store::new(&tier.engine, Stage::Replay(Box::new(tape)));
        let performed = {
            let performed = perform(&mut store, &piece, transcript.arguments.clone());
            tokio::time::timeout(limits.wall * SLOWER, AssertUnwindSafe(performed).catch_unwind()).await
        };
        let taken = fuel.saturating_sub(store.get_fuel().unwrap_or(0));
        let Stage::Replay(tape) = store.into_data() else { unreachable!("a replay is one from its start") };
        let outcome = match performed {
            Ok(Ok(Ok(outcome))) => outcome,
            Ok(Ok(Err(error))) => Err(broken(&error, tape.limiter.passed)),
            Ok(Err(_panic)) => Err(Stop::Trap(Trap::Host)),
            Err(_elapsed) => Err(Stop::Limit(LimitKind::Wall)),
        };
        Ok(Played { outcome, tape, fuel: taken })
    }
}

impl Sandbox {
    /// The compiler that the run's code came from, if it is here; otherwise this sandbox's own.
    fn tier_of(&self, transcript: &Transcript) -> &Tier {
        let own = self.tier();
        if own.name == transcript.engine {
            return own;
        }
        self.0.behind.baseline().filter(|baseline| baseline.name == transcript.engine).unwrap_or(own)
    }
}

/// Whether the clock, a cancellation or a machine without processors ended a guest that was computing.
fn by_the_clock(transcript: &Transcript) -> bool {
    let ended = [LimitKind::Wall.code(), Stop::Cancelled.code(), Stop::Starved.code()];
    let ended = ended.contains(&transcript.ending.word());
    ended && transcript.exchanges.last().is_none_or(|exchange| exchange.told.is_some())
}

/// The interface and function of an export, as the component's contracts name them.
fn place<'a>(inspection: &'a Inspection, export: &Export) -> Option<(&'static str, &'a str)> {
    let manifest = &inspection.built.manifest;
    let of = |contracts: &'a [Contract], id: &String| Some(&*contracts.iter().find(|it| it.id == *id)?.export);
    match export {
        Export::Operation(id) => Some(("operations", of(&manifest.operations, id)?)),
        Export::Route(id) => Some(("routes", of(&manifest.routes, id)?)),
        Export::Step(name) => Some(("steps", &*manifest.steps.iter().find(|it| it.name == *name)?.export)),
        Export::Upgrade => Some(("upgrades", UPGRADE)),
    }
}

fn difference(transcript: &Transcript, ending: &Ending, taken: u64, made: usize) -> Option<Divergence> {
    let (ended, recorded) = (ending.word(), transcript.ending.word());
    if ended != recorded {
        return Some(Divergence::Ending { ended: ended.to_owned(), recorded: recorded.to_owned() });
    }
    if let Some(exchange) = transcript.exchanges.get(made) {
        return Some(Divergence::Unasked { number: made + 1, recorded: exchange.function.clone().into_owned() });
    }
    if *ending != transcript.ending {
        return Some(Divergence::Result);
    }
    (taken != transcript.fuel).then_some(Divergence::Fuel { taken, recorded: transcript.fuel })
}

/// The member names of all schemas and indexes.
fn names(inspection: &Inspection) -> BTreeSet<String> {
    let manifest = &inspection.built.manifest;
    let mut names = BTreeSet::new();
    for contract in manifest.operations.iter().chain(&manifest.routes) {
        crate::shape::members(&contract.arguments, &mut names);
        crate::shape::members(&contract.result, &mut names);
    }
    names.extend(manifest.collections.iter().flat_map(|it| &it.indexes).flat_map(|it| it.fields.clone()));
    names
}
