//! Arguments of `espalier catalog`.

use std::path::PathBuf;

use clap::Subcommand;

/// Commands about the catalog.
#[derive(Subcommand, Debug)]
pub enum Catalog {
    /// What can run in the revision in force.
    List {
        /// A revision's date.
        #[arg(long)]
        revision: Option<String>,
        /// The folder with the built components, where it is not the data folder's `modules`.
        #[arg(long, env = "ESPALIER_MODULES")]
        modules: Option<PathBuf>,
    },
    /// Begin a revision: a draft with the locks of the newest one, under a later date.
    Cut {
        /// Its date, as 2026-11-23.
        date: String,
    },
    /// Write the lock files of the newest revision, a draft, from the built components.
    Lock {
        /// Of the draft of this date instead.
        revision: Option<String>,
        /// Of every draft; a final revision is left as it is.
        #[arg(long, conflicts_with = "revision")]
        all: bool,
    },
    /// Compare the built components with the lock files.
    Check,
    /// Show what one revision changes in another, as `review` does; of this workspace's catalog.
    Diff {
        /// The revision before, by date.
        old: PathBuf,
        /// The revision after.
        new: PathBuf,
    },
    /// Say yes to the step from one revision to the next: a signature over the digest of its report, which `espalier
    /// review OLD NEW` prints.
    Approve {
        /// The revision before, by date, or `none`.
        old: String,
        /// The revision to approve, by date.
        new: String,
        /// The digest of the report that was read.
        #[arg(long)]
        report: String,
        /// The reviewer's secret key; one with a password asks for it.
        #[arg(long)]
        key: PathBuf,
        /// Read the key's password from standard input.
        #[arg(long)]
        password_stdin: bool,
        /// The folder with the built components, where it is not the data folder's `modules`.
        #[arg(long, env = "ESPALIER_MODULES")]
        modules: Option<PathBuf>,
    },
    /// Serve again what was in force before the last activation. One step back is kept: after it, `activate` goes on.
    Rollback {
        /// Go back even where records were written since in a form that the earlier revision cannot read: it fails on them.
        #[arg(long)]
        strand: bool,
        /// The folder with the built components, where it is not the data folder's `modules`.
        #[arg(long, env = "ESPALIER_MODULES")]
        modules: Option<PathBuf>,
    },
    /// Serve a revision on every host that is not pinned to one. Calls in flight finish on the one they began with. Of
    /// what was shipped, the step from what is in force has to be approved.
    Activate {
        /// The revision's date.
        revision: String,
        /// Activate it even where records are stored in a form that it cannot read: it fails on them.
        #[arg(long)]
        strand: bool,
        /// The folder with the built components, where it is not the data folder's `modules`.
        #[arg(long, env = "ESPALIER_MODULES")]
        modules: Option<PathBuf>,
    },
}
