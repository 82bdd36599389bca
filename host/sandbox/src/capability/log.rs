//! `log`: bounded and escaped lines for the operator's log.

use model::legible::escape;

use crate::bindings::log;
use crate::state::State;
use crate::stop::{LimitKind, Stop};

/// Bytes of one line; a longer line is truncated.
const MAX_LINE: usize = 1024;

impl log::Host for State {
    fn write(&mut self, level: log::Level, message: String) -> wasmtime::Result<()> {
        self.enter()?;
        self.used.log_lines += 1;
        if self.used.log_lines > self.limits.log_lines {
            return Err(self.end(Stop::Limit(LimitKind::LogLines)));
        }
        let (module, line) = (&*self.module.name, escape(&message, MAX_LINE));
        match level {
            log::Level::Debug => tracing::debug!(target: "guest", module, line),
            log::Level::Info => tracing::info!(target: "guest", module, line),
            log::Level::Warn => tracing::warn!(target: "guest", module, line),
            log::Level::Error => tracing::error!(target: "guest", module, line),
        }
        Ok(())
    }
}
