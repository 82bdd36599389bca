//! One run: what goes in and what comes out.

use std::sync::Arc;
use std::time::Duration;

use model::clock::Moment;
use model::contract::Kind;
use model::edges::Edges;
use model::id::CustomerId;
use model::keys::KeyRing;
use model::limits::Limits;
use serde::{Deserialize, Serialize};
use store::{Sends, Use, Workspace};

use crate::cancel::Cancel;
use crate::egress::Decision;
use crate::module::Module;
use crate::platform::Platform;
use crate::secrets::Secrets;
use crate::stop::Stop;
use crate::transcript::Recording;

/// A function of a module, by what a catalog calls it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Export {
    /// An operation, by its id: `authors.list`.
    Operation(String),
    /// What a fixed route shows, by its id: `websites.list`.
    Route(String),
    /// One step of a job, by its name as enqueued.
    Step(String),
}

impl Export {
    /// The id or name.
    pub fn name(&self) -> &str {
        match self {
            Export::Operation(name) | Export::Route(name) | Export::Step(name) => name,
        }
    }
}

/// Everything one run may know and use.
#[derive(Debug)]
pub struct Invocation {
    /// Which module.
    pub module: Arc<Module>,
    /// Which of its functions.
    pub export: Export,
    /// For a step: the operation that started its job. What the lock lets that one ask outside, the step may ask.
    pub started_by: Option<String>,
    /// What the function may do; enforced at each host function. A step has the kind of the operation
    /// that started its job.
    pub kind: Kind,
    /// Whether it may start work: an operation of mode `queued`.
    pub queued: bool,
    /// How much it may use; `Module::limits` gives the lock's.
    pub limits: Limits,
    /// The arguments: a JSON object that satisfies the contract.
    pub arguments: String,
    /// The customer's rows of this module, and nobody else's.
    pub workspace: Workspace,
    /// The moment the guest sees.
    pub now: Moment,
    /// The chance the guest sees.
    pub seed: [u8; 32],
    /// Whose run: for the share of the machine and for seals. Never enters the guest.
    pub customer: CustomerId,
    /// The keys under which quotes are sealed. They never enter the guest.
    pub keys: KeyRing,
    /// The journal of what the run changes outside. None: it may change nothing there.
    pub sends: Option<Sends>,
    /// Where the public edges are and how much they take.
    pub edges: Arc<Edges>,
    /// The service as its customer sees it, for a module that was granted `platform`.
    pub platform: Option<Arc<dyn Platform>>,
    /// The arguments that the contract marks secret, by the handles that stand in their place.
    pub secrets: Secrets,
    /// Whether a transcript is kept, by which the run can be had again.
    pub record: bool,
    /// Stops the run from outside.
    pub cancel: Cancel,
}

/// What a run came to.
#[derive(Debug)]
pub struct Run {
    /// The answer, or why there is none.
    pub outcome: Result<Answer, Stop>,
    /// The workspace with the collected changes; to be committed only after an answer.
    pub workspace: Workspace,
    /// What was used.
    pub receipt: Receipt,
    /// The transcript, where one was asked for and the guest was reached.
    pub recording: Option<Recording>,
}

/// What a successful run gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// A JSON object as the guest wrote it: within the size and depth limits, not yet compared with its schema.
    pub data: String,
    /// Work done, as the guest reports it.
    pub units: u64,
}

/// What a run used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    /// Fuel, about one a guest instruction; equal for equal runs.
    pub fuel: u64,
    /// The most bytes of linear memory held at once.
    pub peak_memory: usize,
    /// Host functions called.
    pub host_calls: u64,
    /// Requests made to the outside.
    pub requests: u64,
    /// Lines logged.
    pub log_lines: u64,
    /// From start to end, without the time in the queue.
    pub wall: Duration,
    /// What the guard decided on each address asked for.
    pub egress: Vec<Decision>,
    /// The requests to providers.
    pub uses: Vec<Use>,
    /// What the guest last asked of the store that its lock does not let it see, as the guest was told.
    pub undeclared: Option<String>,
}
