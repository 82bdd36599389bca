//! Every way in which a run can end without an answer, each with a stable code for the audit trail.

use serde::{Deserialize, Serialize};
use store::StoreError;

/// Why a run has no answer. In every case its changes are discarded.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    /// The guest refused with a handled failure.
    #[error("the guest refused: {}", .0.code)]
    Fault(Fault),
    /// The guest reached a limit.
    #[error("the {} limit was reached", .0.as_str())]
    Limit(LimitKind),
    /// The guest tried something that its kind, mode or lock file does not permit.
    #[error("the guest tried what it may not: {0}")]
    Denied(Denial),
    /// The guest failed: a panic, an unreachable instruction, an answer that is not JSON.
    #[error("the guest broke: {0}")]
    Trap(Trap),
    /// The queue is full, or the memory of all runs together has no room.
    #[error("too many runs wait or hold memory already")]
    Busy,
    /// The machine had too little processor time for the run.
    #[error("the machine had no processor for the run in several times its limit")]
    Starved,
    /// What is stored is being indexed anew for a revision, and the run asks for it by an index that is not ready.
    #[error("what is stored is being indexed, and is asked for by an index that is not ready")]
    Preparing,
    /// The export is suspended after repeated failures. Nothing was started.
    #[error("the operation keeps breaking and rests for {retry_after} seconds")]
    Paused {
        /// Seconds until the suspension ends.
        retry_after: u64,
    },
    /// The customer has as many open jobs as one may have, and the guest would start another.
    #[error("the customer has too many open jobs")]
    TooManyJobs,
    /// The caller cancelled the run.
    #[error("the run was cancelled")]
    Cancelled,
    /// The key that seals a connection's secret is not in the key ring.
    #[error("the key {key}, under which a secret is sealed, is not in the key ring")]
    Locked {
        /// The id of the key.
        key: String,
    },
    /// The database failed in a host function.
    #[error("a host function could not reach the store")]
    Unavailable(#[source] StoreError),
}

impl Stop {
    /// The machine-readable code. Stable: it never changes its meaning.
    pub fn code(&self) -> &'static str {
        match self {
            Stop::Fault(_) => "guest.fault",
            Stop::Limit(kind) => kind.code(),
            Stop::Denied(denial) => denial.code(),
            Stop::Trap(trap) => trap.code(),
            Stop::Busy => "sandbox.busy",
            Stop::Starved => "sandbox.starved",
            Stop::Preparing => "sandbox.preparing",
            Stop::Paused { .. } => "sandbox.paused",
            Stop::TooManyJobs => "sandbox.too_many_jobs",
            Stop::Cancelled => "sandbox.cancelled",
            Stop::Locked { .. } => "sandbox.locked",
            Stop::Unavailable(_) => "sandbox.unavailable",
        }
    }

    /// Whether the run's transcript is kept: the host ended the run, or the guest failed. A refusal of the guest counts
    /// as an answer, and a run that was cancelled or never started says nothing about the module.
    pub fn is_fault(&self) -> bool {
        match self {
            Stop::Limit(_) | Stop::Denied(_) | Stop::Trap(_) | Stop::Locked { .. } | Stop::Unavailable(_) => true,
            Stop::Fault(_)
            | Stop::Busy
            | Stop::Starved
            | Stop::Preparing
            | Stop::Paused { .. }
            | Stop::TooManyJobs
            | Stop::Cancelled => false,
        }
    }

    /// Whether the module is at fault. Such endings count towards the suspension of the export.
    pub fn blames_module(&self) -> bool {
        match self {
            Stop::Limit(_) | Stop::Denied(_) | Stop::Trap(_) => true,
            Stop::Fault(_)
            | Stop::Busy
            | Stop::Starved
            | Stop::Preparing
            | Stop::Paused { .. }
            | Stop::TooManyJobs
            | Stop::Cancelled
            | Stop::Locked { .. }
            | Stop::Unavailable(_) => false,
        }
    }
}

/// A guest's refusal, bounded by the host. The same shape as `fault` in `wit/v1/types.wit`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The class, which determines the status.
    pub kind: FaultKind,
    /// snake_case, at most 64 characters.
    pub code: String,
    /// One sentence, at most 500 characters, without control characters.
    pub message: String,
    /// The JSON pointer of the argument at fault.
    pub pointer: Option<String>,
    /// A JSON object with details, at most 64 KiB.
    pub detail: Option<String>,
}

/// The class of a guest's refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// 404.
    NotFound,
    /// 422.
    Invalid,
    /// 409.
    Conflict,
    /// 403.
    Refused,
    /// 503; nothing is charged.
    Unavailable,
}

macro_rules! coded {
    ($($(#[$doc:meta])* $name:ident { $($(#[$line:meta])* $variant:ident = $text:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$line])* $variant,)* }

        impl $name {
            /// All variants.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The last part of the code.
            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )*};
}

coded! {
    /// The limit that was reached.
    LimitKind {
        /// The CPU budget.
        Fuel = "fuel",
        /// The time from start to end.
        Wall = "wall",
        /// Bytes of linear memory, all memories together.
        Memory = "memory",
        /// Elements of all tables together.
        Table = "table",
        /// The depth of the guest's call stack.
        Stack = "stack",
        /// Bytes of arguments.
        Arguments = "arguments",
        /// Bytes of the answer.
        Answer = "answer",
        /// Nesting of the answer.
        Depth = "depth",
        /// The number of host calls.
        HostCalls = "host_calls",
        /// Bytes passed in one host call.
        Transfer = "transfer",
        /// Rows read.
        RowsRead = "rows_read",
        /// Bytes of rows and blobs read.
        BytesRead = "bytes_read",
        /// Rows written.
        RowsWritten = "rows_written",
        /// Bytes of rows and blobs written.
        BytesWritten = "bytes_written",
        /// Bytes written to the cache.
        CacheBytes = "cache_bytes",
        /// External requests.
        Requests = "requests",
        /// Log lines.
        LogLines = "log_lines",
        /// Random bytes requested.
        Random = "random",
        /// Jobs started.
        Jobs = "jobs",
    }

    /// What the guest may not do.
    Denial {
        /// A `read` called a function that changes something.
        WriteInRead = "write_in_read",
        /// A deletion that the kind or the collection does not allow.
        Remove = "remove",
        /// An operation that is not queued enqueued a job.
        Enqueue = "enqueue",
        /// An external request by an export whose contract does not need `web`.
        Web = "web",
        /// As `web`, for DNS.
        Dns = "dns",
        /// As `web`, for TLS inspection.
        Tls = "tls",
        /// A use of `platform` by a run that has no access to it.
        Platform = "platform",
        /// The module has no such export.
        Export = "export",
    }

    /// How the guest failed.
    Trap {
        /// A panic, an unreachable instruction, an out-of-bounds memory access or another wasm trap.
        Wasm = "wasm",
        /// The answer is not a JSON object.
        Answer = "answer",
        /// A value at the boundary did not match the WIT.
        Boundary = "boundary",
        /// The host itself panicked in a host function. Logged with its cause.
        Host = "host",
    }
}

impl LimitKind {
    /// Whether the run reaches it again with the same input. Only time depends on more than that.
    pub fn is_deterministic(self) -> bool {
        self != LimitKind::Wall
    }

    /// What it bounds, for whoever made the call.
    pub fn words(self) -> &'static str {
        match self {
            LimitKind::Fuel => "computation",
            LimitKind::Wall => "time",
            LimitKind::Memory => "memory",
            LimitKind::Answer => "the answer's length",
            LimitKind::HostCalls => "steps",
            LimitKind::Transfer | LimitKind::BytesRead => "bytes read",
            LimitKind::RowsRead => "rows read",
            LimitKind::RowsWritten => "rows written",
            LimitKind::BytesWritten | LimitKind::CacheBytes => "bytes written",
            LimitKind::Requests => "requests",
            _ => "the sandbox",
        }
    }

    /// Whether it bounds what a run reads and makes of its input, so that a smaller input stays below it.
    pub fn follows_from_input(self) -> bool {
        match self {
            LimitKind::Fuel
            | LimitKind::Memory
            | LimitKind::Answer
            | LimitKind::HostCalls
            | LimitKind::Transfer
            | LimitKind::RowsRead
            | LimitKind::BytesRead
            | LimitKind::RowsWritten
            | LimitKind::BytesWritten
            | LimitKind::CacheBytes
            | LimitKind::Requests => true,
            LimitKind::Wall
            | LimitKind::Table
            | LimitKind::Stack
            | LimitKind::Arguments
            | LimitKind::Depth
            | LimitKind::LogLines
            | LimitKind::Random
            | LimitKind::Jobs => false,
        }
    }

    /// `limit.` and the name of the limit.
    pub fn code(self) -> &'static str {
        match self {
            LimitKind::Fuel => "limit.fuel",
            LimitKind::Wall => "limit.wall",
            LimitKind::Memory => "limit.memory",
            LimitKind::Table => "limit.table",
            LimitKind::Stack => "limit.stack",
            LimitKind::Arguments => "limit.arguments",
            LimitKind::Answer => "limit.answer",
            LimitKind::Depth => "limit.depth",
            LimitKind::HostCalls => "limit.host_calls",
            LimitKind::Transfer => "limit.transfer",
            LimitKind::RowsRead => "limit.rows_read",
            LimitKind::BytesRead => "limit.bytes_read",
            LimitKind::RowsWritten => "limit.rows_written",
            LimitKind::BytesWritten => "limit.bytes_written",
            LimitKind::CacheBytes => "limit.cache_bytes",
            LimitKind::Requests => "limit.requests",
            LimitKind::LogLines => "limit.log_lines",
            LimitKind::Random => "limit.random",
            LimitKind::Jobs => "limit.jobs",
        }
    }
}

impl Denial {
    /// `denied.` and the name of the denial.
    pub fn code(self) -> &'static str {
        match self {
            Denial::WriteInRead => "denied.write_in_read",
            Denial::Remove => "denied.remove",
            Denial::Enqueue => "denied.enqueue",
            Denial::Web => "denied.web",
            Denial::Dns => "denied.dns",
            Denial::Tls => "denied.tls",
            Denial::Platform => "denied.platform",
            Denial::Export => "denied.export",
        }
    }
}

impl Trap {
    /// `trap.` and the name of the trap.
    pub fn code(self) -> &'static str {
        match self {
            Trap::Wasm => "trap.wasm",
            Trap::Answer => "trap.answer",
            Trap::Boundary => "trap.boundary",
            Trap::Host => "trap.host",
        }
    }
}
