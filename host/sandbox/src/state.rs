//! The host state of one run: rights, counters and the workspace. The guest sees none of it except through a
//! capability.

use std::sync::Arc;
use std::time::Duration;

use catalog::kinds;
use model::clock::{Moment, SeededEntropy};
use model::contract::Kind;
use model::edges::Edges;
use model::id::CustomerId;
use model::keys::KeyRing;
use model::limits::Limits;
use store::{RecordsError, Sends, Spent, Use, Workspace};

use crate::egress::{Decision, Guard, Lane, Manners};
use crate::limiter::Limiter;
use crate::module::{Granted, Module};
use crate::offer::Offer;
use crate::platform::Platform;
use crate::recorder::Recorder;
use crate::secrets::Secrets;
use crate::span::Span;
use crate::stop::{Denial, LimitKind, Stop};
use crate::tokens::Tokens;

/// Time of the run that waiting for a rate-limit slot leaves for the exchange itself.
const AFTERWARDS: Duration = Duration::from_secs(2);

// Prices of host work in units of fuel, of which a core does about a thousand million a second. `espalier prove`
// measures them.
const PER_CALL: u64 = 2_000;
const PER_ROW_READ: u64 = 2_000;
const PER_BYTE_READ: u64 = 10;
const PER_ROW_WRITTEN: u64 = 10_000;
/// Parsing and indexing a record, or compressing and hashing a blob.
const PER_BYTE_WRITTEN: u64 = 25;
/// Hashing what the guest passes, and copying what it gets.
const PER_BYTE_RECORDED: u64 = 5;
/// Parsing the terms of a quote, writing them in canonical form and hashing them with each key.
const PER_BYTE_SEALED: u64 = 100;
/// Hashing a passcode with argon2id.
const PER_PASSCODE: u64 = 40_000_000;

pub(crate) struct State {
    pub(crate) module: Arc<Module>,
    pub(crate) workspace: Workspace,
    pub(crate) rights: Rights,
    pub(crate) limits: Limits,
    pub(crate) used: Used,
    pub(crate) limiter: Limiter,
    pub(crate) now: Moment,
    pub(crate) seed: [u8; 32],
    pub(crate) entropy: SeededEntropy,
    pub(crate) customer: CustomerId,
    /// Whose slots of a host the run takes.
    pub(crate) lane: Lane,
    /// The host that the customer has proven to own, if the run is about it.
    pub(crate) owned: Option<Arc<str>>,
    pub(crate) keys: KeyRing,
    /// The journal of external changes, if the run may make any.
    pub(crate) sends: Option<Sends>,
    pub(crate) edges: Arc<Edges>,
    /// The service as its customer sees it; `None` if the run may not use it.
    pub(crate) platform: Option<Arc<dyn Platform>>,
    /// The revision that the run belongs to.
    pub(crate) offer: Option<Arc<dyn Offer>>,
    pub(crate) span: Span,
    pub(crate) guard: Arc<Guard>,
    pub(crate) tokens: Arc<Tokens>,
    pub(crate) decisions: Vec<Decision>,
    /// Requests to providers.
    pub(crate) uses: Vec<Use>,
    /// What the guest noted as spent at providers.
    pub(crate) spent: Vec<Spent>,
    pub(crate) secrets: Secrets,
    /// Created on first use by a component of another toolchain.
    pub(crate) wasi: Option<crate::wasi::Inert>,
    /// Records host calls, if a transcript was requested.
    pub(crate) recorder: Option<Recorder>,
    /// Why the run ends, once that is decided. The first reason wins.
    pub(crate) stop: Option<Stop>,
}

/// What the function may do.
#[derive(Clone, Debug)]
pub(crate) struct Rights {
    pub(crate) kind: Kind,
    pub(crate) queued: bool,
    /// The lock entry of the operation; for a step, of the operation that started its job.
    pub(crate) granted: Option<Arc<Granted>>,
}

impl Rights {
    /// Whether the lock file grants the operation an interface.
    pub(crate) fn needs(&self, interface: &str) -> bool {
        self.granted.as_ref().is_some_and(|granted| granted.needs.contains(interface))
    }

    /// Whether the operation needs connections of a kind.
    pub(crate) fn connects(&self, kind: &str) -> bool {
        self.granted.as_ref().is_some_and(|granted| kinds::is_needed(kind, &granted.needs))
    }

    /// The line of the lock file that would have to change, for the module's author.
    pub(crate) fn line(&self, module: &Module, key: &str) -> String {
        let table = self.granted.as_ref().map(|granted| granted.table.as_str());
        let line = module.lock.line_of(table, key);
        format!("{}:{line}: {}.{key}", module.lock.file(), table.unwrap_or(&module.name))
    }
}

/// The resources used so far, besides those that the workspace counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Used {
    pub(crate) host_calls: u64,
    pub(crate) requests: u64,
    pub(crate) log_lines: u64,
    pub(crate) random: u64,
    pub(crate) cache_bytes: u64,
    pub(crate) blob_written: u64,
    /// Bytes of the terms of quotes.
    pub(crate) sealed: u64,
    /// The last requested collection, index or blob that the lock file does not declare.
    pub(crate) undeclared: Option<String>,
    /// Passcodes hashed.
    pub(crate) passcodes: u64,
    /// Jobs started.
    pub(crate) jobs: usize,
    /// Notices told.
    pub(crate) notices: usize,
}

/// The error that ends a run by unwinding it. The reason is in the state.
#[derive(Debug, thiserror::Error)]
#[error("the run was stopped by the host")]
struct Stopped;

impl State {
    /// Ends the run: records the reason and returns the error that unwinds the guest.
    pub(crate) fn end(&mut self, stop: Stop) -> wasmtime::Error {
        self.stop.get_or_insert(stop);
        wasmtime::Error::new(Stopped)
    }

    /// Counts a host call. Must be the first line of every host function.
    pub(crate) fn enter(&mut self) -> wasmtime::Result<()> {
        self.used.host_calls += 1;
        if self.used.host_calls > self.limits.host_calls {
            return Err(self.end(Stop::Limit(LimitKind::HostCalls)));
        }
        self.weigh()
    }

    /// Counts what the host keeps and has done for the guest. Must follow everything that may have made either grow.
    fn weigh(&mut self) -> wasmtime::Result<()> {
        self.weigh_with(0)
    }

    /// As [`State::weigh`], before this many bytes are taken over from the guest.
    pub(crate) fn weigh_with(&mut self, coming: usize) -> wasmtime::Result<()> {
        let recorded = self.recorder.as_ref().map_or(0, Recorder::bytes);
        let kept = usize::try_from(self.workspace.kept()).unwrap_or(usize::MAX).saturating_add(recorded);
        // As they came, as they are kept, and as they will be stored.
        let kept = kept.saturating_add(coming.saturating_mul(3));
        if self.limiter.keep(kept).is_err() {
            return Err(self.end(Stop::Busy));
        }
        if self.host_fuel() > self.limits.fuel {
            return Err(self.end(Stop::Limit(LimitKind::Fuel)));
        }
        Ok(())
    }

    /// The work of the host for this run in units of fuel. It has a budget of its own, as large as the guest's. Counted
    /// from bytes and rows instead of measured, so that equal runs take equal fuel.
    pub(crate) fn host_fuel(&self) -> u64 {
        let tally = self.workspace.tally();
        let parts = [
            (self.used.host_calls, PER_CALL),
            (tally.rows_read, PER_ROW_READ),
            (tally.bytes_read, PER_BYTE_READ),
            (tally.rows_written, PER_ROW_WRITTEN),
            (tally.bytes_written.saturating_sub(self.used.cache_bytes), PER_BYTE_WRITTEN),
            (self.used.cache_bytes, PER_BYTE_READ),
            (self.used.sealed, PER_BYTE_SEALED),
            (self.used.passcodes, PER_PASSCODE),
            (self.recorder.as_ref().map_or(0, Recorder::work), PER_BYTE_RECORDED),
        ];
        parts.into_iter().map(|(count, price)| count.saturating_mul(price)).fold(0, u64::saturating_add)
    }

    /// As [`State::enter`], for a function that makes this many external requests. Requires that the lock file grants
    /// the interface.
    pub(crate) fn enter_outside(&mut self, interface: &str, denial: Denial, requests: u64) -> wasmtime::Result<()> {
        self.enter()?;
        if !self.rights.needs(interface) {
            return Err(self.end(Stop::Denied(denial)));
        }
        if self.used.requests.saturating_add(requests) > self.limits.requests {
            // Nothing of this call is sent, so count nothing.
            return Err(self.end(Stop::Limit(LimitKind::Requests)));
        }
        self.used.requests += requests;
        Ok(())
    }

    /// Rate limiting and caching for this run's requests. Leaves some of its time for what follows.
    pub(crate) fn manners(&self) -> Manners {
        let manners = Manners::new(self.workspace.store().clone(), self.span.deadline() - AFTERWARDS).along(self.lane);
        manners.of(self.customer.clone()).owning(self.owned.clone())
    }

    /// As [`State::enter`], for a function that changes something: it stops a `read`.
    pub(crate) fn enter_changing(&mut self) -> wasmtime::Result<()> {
        self.enter()?;
        match self.rights.kind {
            Kind::Read => Err(self.end(Stop::Denied(Denial::WriteInRead))),
            Kind::Write | Kind::Job | Kind::Destructive => Ok(()),
        }
    }

    /// As [`State::enter_changing`], for a function that deletes from a collection.
    pub(crate) fn enter_removing(&mut self, collection: &str) -> wasmtime::Result<()> {
        self.enter_changing()?;
        let permitted = match self.rights.kind {
            Kind::Destructive => true,
            Kind::Write | Kind::Job => self.module.lock.may_remove.contains_key(collection),
            Kind::Read => false,
        };
        if permitted { Ok(()) } else { Err(self.end(Stop::Denied(Denial::Remove))) }
    }

    /// Checks what the workspace counted against the limits. Must be the last line of every function over records.
    pub(crate) fn settle(&mut self) -> wasmtime::Result<()> {
        let (tally, used, limits) = (self.workspace.tally(), &self.used, &self.limits);
        // Blobs and the cache have their own limits. A `read` may write to its cache and to nothing else.
        let written = tally.bytes_written.saturating_sub(used.blob_written + used.cache_bytes);
        let bounds = [
            (tally.rows_read, limits.rows_read, LimitKind::RowsRead),
            (tally.bytes_read, limits.bytes_read, LimitKind::BytesRead),
            (tally.rows_written, limits.rows_written, LimitKind::RowsWritten),
            (written, limits.bytes_written, LimitKind::BytesWritten),
        ];
        match bounds.into_iter().find(|(used, most, _)| used > most) {
            Some((_, _, kind)) => Err(self.end(Stop::Limit(kind))),
            None => self.weigh(),
        }
    }

    /// The outcome of a store function. A failure of the store ends the run; any other error goes to the guest.
    pub(crate) fn known<T>(
        &mut self,
        outcome: Result<Result<T, RecordsError>, Stop>,
    ) -> wasmtime::Result<Result<T, RecordsError>> {
        match outcome {
            Ok(Err(RecordsError::Store(error))) => Err(self.end(Stop::Unavailable(error))),
            Ok(Err(RecordsError::Busy)) => Err(self.end(Stop::Busy)),
            Ok(Err(RecordsError::Preparing)) => Err(self.end(Stop::Preparing)),
            Ok(Err(RecordsError::TooManyJobs)) => Err(self.end(Stop::TooManyJobs)),
            Ok(Err(RecordsError::TooMuchRead)) => Err(self.end(Stop::Limit(LimitKind::BytesRead))),
            Ok(Err(RecordsError::TooMuchWritten)) => Err(self.end(Stop::Limit(LimitKind::RowsWritten))),
            Ok(known) => {
                if let Err(RecordsError::Undeclared(what)) = &known {
                    self.used.undeclared = Some(what.clone());
                }
                self.settle()?;
                Ok(known)
            }
            Err(stop) => Err(self.end(stop)),
        }
    }
}
