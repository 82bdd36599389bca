//! `log`: bounded and escaped lines for the operator's log.

use crate::bindings::log;
use crate::state::State;
use crate::stop::{LimitKind, Stop};

/// Bytes of one line; a longer line is truncated.
const MOST_LINE: usize = 1024;

impl log::Host for State {
    fn write(&mut self, level: log::Level, message: String) -> wasmtime::Result<()> {
        self.enter()?;
        self.used.log_lines += 1;
        if self.used.log_lines > self.limits.log_lines {
            return Err(self.end(Stop::Limit(LimitKind::LogLines)));
        }
        let (module, line) = (&*self.module.name, harmless(&message));
        match level {
            log::Level::Debug => tracing::debug!(target: "guest", module, line),
            log::Level::Info => tracing::info!(target: "guest", module, line),
            log::Level::Warn => tracing::warn!(target: "guest", module, line),
            log::Level::Error => tracing::error!(target: "guest", module, line),
        }
        Ok(())
    }
}

/// Truncates to [`MOST_LINE`] and escapes control, bidirectional and invisible characters. A message can neither forge
/// another line nor colour a terminal nor hide a part of itself.
pub(crate) fn harmless(message: &str) -> String {
    let mut line = String::with_capacity(message.len().min(MOST_LINE));
    for character in message.chars() {
        let hidden = character.is_control()
            || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
        let before = line.len();
        if hidden {
            line.extend(character.escape_unicode());
        } else {
            line.push(character);
        }
        if line.len() > MOST_LINE {
            line.truncate(before);
            break;
        }
    }
    line
}
