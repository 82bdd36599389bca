//! Every way a run can end without an answer, each with a stable code for the audit trail.

use serde::{Deserialize, Serialize};
use store::StoreError;

/// Why a run has no answer. Whatever it is, the run's changes are dropped.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    /// The guest refused, in its own words: a handled failure.
    #[error("the guest refused: {}", .0.code)]
    Fault(Fault),
    /// The guest reached a bound.
    #[error("the {} limit was reached", .0.as_str())]
    Limit(LimitKind),
    /// The guest tried what its kind, mode or lock does not permit.
    #[error("the guest tried what it may not: {0}")]
    Denied(Denial),
    /// The guest broke: a panic, an unreachable instruction, an answer that is not JSON.
    #[error("the guest broke: {0}")]
    Trap(Trap),
    /// Too many runs wait already; nothing was started.
    #[error("too many runs wait already")]
    Busy,
    /// This export kept breaking and rests for a while; nothing was started.
    #[error("the operation keeps breaking and rests for {retry_after} seconds")]
    Paused {
        /// Seconds until it is tried again.
        retry_after: u64,
    },
    /// The caller cancelled the run.
    #[error("the run was cancelled")]
    Cancelled,
    /// The key that a connection's secret is sealed under is not in the ring.
    #[error("the key {key}, under which a secret is sealed, is not in the key ring")]
    Locked {
        /// Which key.
        key: String,
    },
    /// The database failed under a host function.
    #[error("a host function could not reach the store")]
    Unavailable(#[source] StoreError),
}

impl Stop {
    /// Stable and machine-readable; never changes its meaning.
    pub fn code(&self) -> &'static str {
        match self {
            Stop::Fault(_) => "guest.fault",
            Stop::Limit(kind) => kind.code(),
            Stop::Denied(denial) => denial.code(),
            Stop::Trap(trap) => trap.code(),
            Stop::Busy => "sandbox.busy",
            Stop::Paused { .. } => "sandbox.paused",
            Stop::Cancelled => "sandbox.cancelled",
            Stop::Locked { .. } => "sandbox.locked",
            Stop::Unavailable(_) => "sandbox.unavailable",
        }
    }

    /// Whether it is kept how the run came to this: where the host ended it or it broke. What the guest refuses in its
    /// own words is an answer; a run that was cancelled or never began says nothing of the module.
    pub fn is_fault(&self) -> bool {
        match self {
            Stop::Limit(_) | Stop::Denied(_) | Stop::Trap(_) | Stop::Locked { .. } | Stop::Unavailable(_) => true,
            Stop::Fault(_) | Stop::Busy | Stop::Paused { .. } | Stop::Cancelled => false,
        }
    }

    /// Whether the module is to blame: such endings count towards the pause of its export.
    pub fn blames_module(&self) -> bool {
        match self {
            Stop::Limit(_) | Stop::Denied(_) | Stop::Trap(_) => true,
            Stop::Fault(_)
            | Stop::Busy
            | Stop::Paused { .. }
            | Stop::Cancelled
            | Stop::Locked { .. }
            | Stop::Unavailable(_) => false,
        }
    }
}

/// A refusal in the guest's words, bounded by the host; the shape of `fault` in `wit/v1/types.wit`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Its class; decides the status.
    pub kind: FaultKind,
    /// snake_case, at most 64 characters.
    pub code: String,
    /// One sentence, at most 500 characters, without control characters.
    pub message: String,
    /// The JSON pointer of the argument at fault.
    pub pointer: Option<String>,
    /// A JSON object with more, at most 64 KiB.
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
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The code's last part.
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
    /// Which bound was reached.
    LimitKind {
        /// The CPU budget.
        Fuel = "fuel",
        /// The time from start to end.
        Wall = "wall",
        /// Bytes of linear memory, all memories together.
        Memory = "memory",
        /// Elements of all tables together.
        Table = "table",
        /// Depth of the guest's own calls.
        Stack = "stack",
        /// Bytes of arguments.
        Arguments = "arguments",
        /// Bytes of the answer.
        Answer = "answer",
        /// Nesting of the answer.
        Depth = "depth",
        /// Number of host calls.
        HostCalls = "host_calls",
        /// Bytes that one crossing of the boundary may carry.
        Transfer = "transfer",
        /// Rows read.
        RowsRead = "rows_read",
        /// Bytes of rows and blobs read.
        BytesRead = "bytes_read",
        /// Rows written.
        RowsWritten = "rows_written",
        /// Bytes of rows and blobs written.
        BytesWritten = "bytes_written",
        /// Bytes put into the cache.
        CacheBytes = "cache_bytes",
        /// Requests to the outside.
        Requests = "requests",
        /// Lines of log.
        LogLines = "log_lines",
        /// Random bytes asked for.
        Random = "random",
    }

    /// What the guest may not do.
    Denial {
        /// A `read` called a function that changes something.
        WriteInRead = "write_in_read",
        /// Something was removed by a kind, or from a collection, that may not.
        Remove = "remove",
        /// Work was started by an operation that is not queued.
        Enqueue = "enqueue",
        /// The outside was asked by an export whose contract does not need `web`.
        Web = "web",
        /// As `web`, of the name system.
        Dns = "dns",
        /// As `web`, of a host's secure side.
        Tls = "tls",
        /// The service was asked by a run that it does not answer.
        Platform = "platform",
        /// The named export does not exist in the module.
        Export = "export",
    }

    /// How the guest broke.
    Trap {
        /// A panic, an unreachable instruction, a memory access out of bounds and their kin.
        Wasm = "wasm",
        /// The answer is not a JSON object.
        Answer = "answer",
        /// A value at the boundary was not what the WIT says.
        Boundary = "boundary",
        /// The host itself broke while it served the guest; logged with its cause.
        Host = "host",
    }
}

impl LimitKind {
    /// `limit.` and the bound's name.
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
        }
    }
}

impl Denial {
    /// `denied.` and what was tried.
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
    /// `trap.` and how.
    pub fn code(self) -> &'static str {
        match self {
            Trap::Wasm => "trap.wasm",
            Trap::Answer => "trap.answer",
            Trap::Boundary => "trap.boundary",
            Trap::Host => "trap.host",
        }
    }
}
