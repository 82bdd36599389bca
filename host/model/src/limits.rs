//! How much one run may use: the table of the design, the only one.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::contract::Kind;

/// Bounds of one run. A catalog lock may lower any of them, and raise any with a reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Units of wasmtime fuel, about one an instruction.
    pub fuel: u64,
    /// From start to end, waiting included; not the time in which the machine had no processor for it.
    pub wall: Duration,
    /// Bytes of linear memory, all memories together.
    pub memory: usize,
    /// Bytes of arguments.
    pub arguments: usize,
    /// Bytes of the answer.
    pub answer: usize,
    /// Rows read.
    pub rows_read: u64,
    /// Bytes of rows read.
    pub bytes_read: u64,
    /// Rows written.
    pub rows_written: u64,
    /// Bytes of rows written.
    pub bytes_written: u64,
    /// Calls of host functions.
    pub host_calls: u64,
    /// Requests to the outside.
    pub requests: u64,
    /// Lines of log, each at most 1 KiB.
    pub log_lines: u64,
}

const KIB: usize = 1024;
const MIB: usize = 1024 * 1024;

impl Limits {
    /// The bounds of a call of this kind.
    pub fn of(kind: Kind) -> Self {
        match kind {
            Kind::Read => Self {
                fuel: 250_000_000,
                wall: Duration::from_secs(10),
                memory: 64 * MIB,
                arguments: 256 * KIB,
                answer: MIB,
                rows_read: 10_000,
                bytes_read: 16 * MIB as u64,
                rows_written: 0,
                bytes_written: 0,
                host_calls: 1_000,
                requests: 8,
                log_lines: 200,
            },
            Kind::Write | Kind::Job | Kind::Destructive => Self {
                fuel: 500_000_000,
                wall: Duration::from_secs(15),
                memory: 64 * MIB,
                arguments: 256 * KIB,
                answer: 256 * KIB,
                rows_read: 2_000,
                bytes_read: 16 * MIB as u64,
                rows_written: 1_000,
                bytes_written: 4 * MIB as u64,
                host_calls: 1_000,
                requests: 8,
                log_lines: 200,
            },
        }
    }

    /// The bounds of one step of a job.
    pub fn step() -> Self {
        Self {
            fuel: 5_000_000_000,
            wall: Duration::from_secs(60),
            memory: 256 * MIB,
            // What a step is given is what the step before it answered, and its payload.
            arguments: 4 * MIB + 256 * KIB,
            answer: 4 * MIB,
            rows_read: 100_000,
            bytes_read: 64 * MIB as u64,
            rows_written: 20_000,
            bytes_written: 64 * MIB as u64,
            host_calls: 10_000,
            requests: 64,
            log_lines: 1_000,
        }
    }
}

/// Depth of JSON that is accepted from anybody.
pub const JSON_DEPTH: usize = 64;
