//! The input and output of one run.

use std::sync::Arc;
use std::time::Duration;

use model::clock::Moment;
use model::contract::Kind;
use model::edges::Edges;
use model::id::CustomerId;
use model::keys::KeyRing;
use model::limits::Limits;
use store::{Sends, Spent, Use, Workspace};

use crate::cancel::Cancel;
use crate::egress::Decision;
use crate::export::{Answer, Export};
use crate::memory::Held;
use crate::module::Module;
use crate::offer::Offer;
use crate::platform::Platform;
use crate::secrets::Secrets;
use crate::slot::Slot;
use crate::stop::Stop;
use crate::transcript::Recording;

/// Everything that one run may know and use.
#[derive(Debug)]
pub struct Invocation {
    /// The module.
    pub module: Arc<Module>,
    /// The function.
    pub export: Export,
    /// For a step: the operation that started its job. The step has the grants of that operation.
    pub started_by: Option<String>,
    /// What the function may do, enforced in each host function. A step has the kind of the operation that started its
    /// job.
    pub kind: Kind,
    /// Whether the run may enqueue jobs: an operation of mode `queued`.
    pub queued: bool,
    /// The limits of the run; `Module::limits` returns those of the lock file.
    pub limits: Limits,
    /// The arguments: a JSON object that is valid against the contract.
    pub arguments: String,
    /// The customer's data of this module, and nothing else.
    pub workspace: Workspace,
    /// The current time that the guest sees.
    pub now: Moment,
    /// The seed of the randomness that the guest sees.
    pub seed: [u8; 32],
    /// The customer, for admission and for seals. Never reaches the guest.
    pub customer: CustomerId,
    /// The host that the customer has proven to own, if the run is about it: requests of a job there come before those of
    /// strangers.
    pub owned: Option<Arc<str>>,
    /// The keys that seal quotes. Never reach the guest.
    pub keys: KeyRing,
    /// The journal of external changes. `None` if the run may make none.
    pub sends: Option<Sends>,
    /// The addresses and limits of the public endpoints.
    pub edges: Arc<Edges>,
    /// The service as its customer sees it, for a module with the grant `platform`.
    pub platform: Option<Arc<dyn Platform>>,
    /// The revision that the run belongs to; without one, nothing is served.
    pub offer: Option<Arc<dyn Offer>>,
    /// The arguments that the contract marks secret, by the handles that replace them.
    pub secrets: Secrets,
    /// The slot that the run computes in, for a step: given back while the run waits for the outside.
    pub slot: Option<Slot>,
    /// Whether to record a transcript for a replay.
    pub record: bool,
    /// Cancels the run.
    pub cancel: Cancel,
}

/// The result of a run.
#[derive(Debug)]
pub struct Run {
    /// The answer, or why there is none.
    pub outcome: Result<Answer, Stop>,
    /// The workspace with the collected changes. Commit them only after an answer.
    pub workspace: Workspace,
    /// The resources used.
    pub receipt: Receipt,
    /// The transcript, if one was requested and the guest was started.
    pub recording: Option<Recording>,
    /// The memory that the run holds until its changes are committed.
    pub(crate) _held: Held,
}

impl Run {
    /// A run that was not started.
    pub(crate) fn refused(stop: Stop, workspace: Workspace) -> Self {
        let (receipt, recording, _held) = (Receipt::default(), None, Held::default());
        Self { outcome: Err(stop), workspace, receipt, recording, _held }
    }
}

/// The resources that a run used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    /// Fuel, about one unit per guest instruction. Equal runs take equal fuel.
    pub fuel: u64,
    /// Work of the host for the guest, in units of fuel: see [`crate::Sandbox`]'s limits.
    pub host_fuel: u64,
    /// Peak bytes of linear memory.
    pub peak_memory: usize,
    /// The number of host calls.
    pub host_calls: u64,
    /// The number of external requests.
    pub requests: u64,
    /// The number of log lines.
    pub log_lines: u64,
    /// From start to end, without the time in the queue.
    pub wall: Duration,
    /// The guard's decision on each requested address.
    pub egress: Vec<Decision>,
    /// The requests to providers.
    pub uses: Vec<Use>,
    /// What the guest noted as spent at providers.
    pub spent: Vec<Spent>,
    /// What its journal is found under, if it has one.
    pub journal: Option<String>,
    /// The last collection, index or blob that the guest requested without its lock file declaring it, in the words
    /// that the guest got.
    pub undeclared: Option<String>,
}
