//! Puts a changed key ring in force without a restart.

use std::path::Path;
use std::time::Duration;

use model::keys::Keys;

use super::Source;

/// How often a serving host looks whether the file has changed.
const EVERY: Duration = Duration::from_secs(2);

impl Source {
    /// Puts a changed file in force, for as long as somebody uses `keys`: within seconds, or at once on a hang-up.
    pub fn watch(self, keys: &Keys) {
        let Some(path) = self.path() else { return };
        let keys = keys.downgrade();
        tokio::spawn(async move {
            let mut seen = None;
            let mut hang_up = HangUp::listen();
            loop {
                let told = tokio::select! {
                    () = tokio::time::sleep(EVERY) => false,
                    () = hang_up.heard() => true,
                };
                let Some(keys) = keys.upgrade() else { return };
                let there = Some(stamp(&path));
                if !told && there == seen {
                    continue;
                }
                seen = there;
                match self.read() {
                    Ok(ring) if ring == keys.current() => {}
                    Ok(ring) => {
                        tracing::info!(key.id = %ring.newest().id, keys = ring.keys().len(), "another key ring is in force");
                        keys.replace(ring);
                    }
                    Err(error) => {
                        tracing::error!(error = %format_args!("{error:#}"), "the key ring stays as it was");
                    }
                }
            }
        });
    }
}

/// What changes when a file is written, replaced, or given other rights.
fn stamp(path: &Path) -> Option<(u64, i64, i64)> {
    let there = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        Some((there.ino(), there.ctime(), there.ctime_nsec()))
    }
    #[cfg(not(unix))]
    {
        let changed = there.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some((there.len(), changed.as_secs().try_into().ok()?, changed.subsec_nanos().into()))
    }
}

/// The signal by which an operator says that settings have changed.
struct HangUp {
    #[cfg(unix)]
    signal: Option<tokio::signal::unix::Signal>,
}

impl HangUp {
    fn listen() -> Self {
        Self {
            #[cfg(unix)]
            signal: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup()).ok(),
        }
    }

    async fn heard(&mut self) {
        #[cfg(unix)]
        if let Some(signal) = &mut self.signal
            && signal.recv().await.is_some()
        {
            return;
        }
        std::future::pending().await
    }
}
