//! Signs the audit trail every minute, and keeps each signed note in a file that nobody reaches through the database.

use std::path::PathBuf;
use std::time::Duration;

use model::note::NoteSigner;
use store::{Notes, StoreError};
use tokio::io::AsyncWriteExt as _;
use tokio::sync::watch;

use crate::Core;

/// How often a node signs what is new. A line is sworn to after this long; with it its absence would show.
const EVERY: Duration = Duration::from_secs(60);
/// How often it is asked whether it is time.
const POLL: Duration = Duration::from_secs(1);

/// The name in the signatures.
pub const SIGNED_AS: &str = "espalier.audit";

/// With what the trail is signed, and where the notes go.
#[derive(Debug)]
pub struct Notary {
    /// Signs.
    pub signer: NoteSigner,
    /// The file of notes; only ever appended to.
    pub file: PathBuf,
}

/// Why a checkpoint was not made or not noted.
#[derive(Debug, thiserror::Error)]
pub enum NotNoted {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file.
    #[error("the file of notes: {0}")]
    File(#[from] std::io::Error),
}

/// How far this node has come.
#[derive(Debug, Default)]
struct Progress {
    /// The newest checkpoint that it knows of.
    known: Option<u64>,
    /// The newest note in the file; none: not looked yet.
    noted: Option<u64>,
}

/// Signs the audit trail as it stands.
#[derive(Clone)]
pub struct Checkpoints {
    pub(crate) core: Core,
}

impl Checkpoints {
    pub(crate) fn of(core: &Core) -> Self {
        Self { core: core.clone() }
    }

    /// Gives the service what it needs to sign its trail. Once; without it nothing is signed.
    pub fn appoint(&self, notary: Notary) {
        if self.core.0.notary.set(notary).is_err() {
            tracing::error!("a second notary was appointed; the first one stays");
        }
    }

    /// Signs until told to stop, and then once more, so that a host that ended well has left nothing unsigned.
    pub async fn keep_checkpoints(&self, mut stop: watch::Receiver<bool>) {
        let Some(notary) = self.core.0.notary.get() else { return };
        let mut progress = Progress::default();
        let mut tried = None;
        while !*stop.borrow() {
            let now = self.core.clock().now();
            if tried.is_none_or(|tried| now.since(tried) >= EVERY) {
                tried = Some(now);
                self.tick(notary, &mut progress).await;
            }
            tokio::select! {
                () = tokio::time::sleep(POLL) => {}
                _ = stop.changed() => {}
            }
        }
        progress.known = None;
        self.tick(notary, &mut progress).await;
    }

    /// Signs the trail now, if anything is new, and brings the file up to date.
    ///
    /// # Errors
    /// When the database or the file cannot be reached.
    pub async fn make_checkpoint(&self) -> Result<(), NotNoted> {
        match self.core.0.notary.get() {
            Some(notary) => self.swear(notary, &mut Progress::default()).await,
            None => Ok(()),
        }
    }

    async fn tick(&self, notary: &Notary, progress: &mut Progress) {
        if let Err(error) = self.swear(notary, progress).await {
            tracing::error!(error = %error, "the audit trail could not be signed");
        }
    }

    async fn swear(&self, notary: &Notary, progress: &mut Progress) -> Result<(), NotNoted> {
        let store = self.core.store();
        let newest = store.trail.last_checkpoint().await?;
        // Where another node has signed since this one last looked, it is about to do so again.
        if progress.known.is_none() || newest == progress.known {
            let made = store.trail.checkpoint(&notary.signer, self.core.clock().now()).await?;
            for broken in &made.breaks {
                tracing::error!(customer = %broken.customer, seq = broken.seq, what = broken.what, "the audit trail was changed");
            }
        }
        progress.known = store.trail.last_checkpoint().await?;
        catch_up(&self.core, notary, progress).await
    }
}

/// Appends the notes that the file does not hold yet, whichever node made them.
async fn catch_up(core: &Core, notary: &Notary, progress: &mut Progress) -> Result<(), NotNoted> {
    let mut noted = match progress.noted {
        Some(noted) => noted,
        None => match tokio::fs::read_to_string(&notary.file).await {
            Ok(text) => Notes::read(&text).last_whole(notary.signer.verifier()).unwrap_or(0),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error.into()),
        },
    };
    loop {
        let notes = core.store().trail.checkpoint_notes(noted).await?;
        let Some((last, _)) = notes.last() else { break };
        let text: String = notes.iter().map(|(_, note)| Notes::entry(note)).collect();
        let mut options = tokio::fs::OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        options.mode(0o600);
        let mut file = options.open(&notary.file).await?;
        file.write_all(text.as_bytes()).await?;
        file.sync_all().await?;
        noted = *last;
    }
    progress.noted = Some(noted);
    Ok(())
}
