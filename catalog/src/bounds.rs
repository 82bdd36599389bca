//! The limits of a lock: lower than the design's table freely, higher only with a reason.

use std::time::Duration;

use model::limits::Limits;
use serde::{Deserialize, Serialize};

/// Limits that differ from the table. Absent means as in the table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// Why a limit is raised; needed for that and for nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Units of fuel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fuel: Option<u64>,
    /// Milliseconds from start to end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_ms: Option<u64>,
    /// MiB of linear memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
    /// KiB of the arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments_kib: Option<u64>,
    /// KiB of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_kib: Option<u64>,
    /// Rows read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows_read: Option<u64>,
    /// MiB of records and blobs read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_read_mib: Option<u64>,
    /// Rows written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows_written: Option<u64>,
    /// Calls of host functions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_calls: Option<u64>,
    /// Requests to the outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests: Option<u64>,
    /// Lines of log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_lines: Option<u64>,
}

/// Memory that a pool slot has; no lock can raise beyond it.
pub const MOST_MEMORY_MIB: u64 = 256;

/// Larger input comes as an upload.
pub const MAX_ARGUMENTS_KIB: u64 = 12 * 1024;

/// Half of a run's memory: what is read passes through it in parts.
pub const MAX_BYTES_READ_MIB: u64 = 128;

/// An hour: longer work is cut into steps.
pub const MOST_WALL_MS: u64 = 3_600_000;

impl Bounds {
    /// Whether nothing differs from the table.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The table's limits with these differences.
    pub fn apply(&self, table: Limits) -> Limits {
        let bytes = |count: u64, unit: u64| usize::try_from(count.saturating_mul(unit)).unwrap_or(usize::MAX);
        Limits {
            fuel: self.fuel.unwrap_or(table.fuel),
            wall: self.wall_ms.map_or(table.wall, |wall| Duration::from_millis(wall.min(MOST_WALL_MS))),
            memory: self.memory_mib.map_or(table.memory, |mib| bytes(mib.min(MOST_MEMORY_MIB), 1 << 20)),
            arguments: self.arguments_kib.map_or(table.arguments, |kib| bytes(kib.min(MAX_ARGUMENTS_KIB), 1 << 10)),
            answer: self.answer_kib.map_or(table.answer, |kib| bytes(kib, 1 << 10)),
            rows_read: self.rows_read.unwrap_or(table.rows_read),
            bytes_read: self.bytes_read_mib.map_or(table.bytes_read, |mib| mib.min(MAX_BYTES_READ_MIB) << 20),
            rows_written: self.rows_written.unwrap_or(table.rows_written),
            host_calls: self.host_calls.unwrap_or(table.host_calls),
            requests: self.requests.unwrap_or(table.requests),
            log_lines: self.log_lines.unwrap_or(table.log_lines),
            ..table
        }
    }

    /// Names of the limits that these raise above the table.
    pub fn raised(&self, table: &Limits) -> Vec<&'static str> {
        let applied = self.apply(table.clone());
        [
            ("fuel", applied.fuel > table.fuel),
            ("wall_ms", applied.wall > table.wall),
            ("memory_mib", applied.memory > table.memory),
            ("arguments_kib", applied.arguments > table.arguments),
            ("answer_kib", applied.answer > table.answer),
            ("rows_read", applied.rows_read > table.rows_read),
            ("bytes_read_mib", applied.bytes_read > table.bytes_read),
            ("rows_written", applied.rows_written > table.rows_written),
            ("host_calls", applied.host_calls > table.host_calls),
            ("requests", applied.requests > table.requests),
            ("log_lines", applied.log_lines > table.log_lines),
        ]
        .into_iter()
        .filter_map(|(name, raised)| raised.then_some(name))
        .collect()
    }

    /// The lines of a lock's table, each `name = value`.
    pub(crate) fn lines(&self) -> Vec<String> {
        let numbers = [
            ("fuel", self.fuel),
            ("wall_ms", self.wall_ms),
            ("memory_mib", self.memory_mib),
            ("arguments_kib", self.arguments_kib),
            ("answer_kib", self.answer_kib),
            ("rows_read", self.rows_read),
            ("bytes_read_mib", self.bytes_read_mib),
            ("rows_written", self.rows_written),
            ("host_calls", self.host_calls),
            ("requests", self.requests),
            ("log_lines", self.log_lines),
        ];
        let mut lines: Vec<String> =
            numbers.into_iter().filter_map(|(name, value)| Some(format!("{name} = {}", value?))).collect();
        lines.extend(self.reason.as_ref().map(|reason| format!("reason = {}", crate::line::text(reason))));
        lines
    }
}

#[cfg(test)]
mod tests {
    use model::contract::Kind;

    use super::*;

    #[test]
    fn arguments_and_bytes_read_are_raised_by_name_and_no_further_than_the_host_bears() {
        let table = Limits::of(Kind::Read);
        let bounds = Bounds { arguments_kib: Some(2_048), bytes_read_mib: Some(96), ..Bounds::default() };
        let applied = bounds.apply(table.clone());
        assert_eq!((applied.arguments, applied.bytes_read), (2 << 20, 96 << 20));
        assert_eq!(bounds.raised(&table), ["arguments_kib", "bytes_read_mib"]);
        assert_eq!(bounds.lines(), ["arguments_kib = 2048", "bytes_read_mib = 96"]);
        let beyond = Bounds { arguments_kib: Some(u64::MAX), bytes_read_mib: Some(u64::MAX), ..Bounds::default() };
        let applied = beyond.apply(table);
        assert_eq!((applied.arguments, applied.bytes_read), (12 << 20, 128 << 20));
    }
}
