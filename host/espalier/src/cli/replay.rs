//! Arguments of `espalier replay`.

use std::path::PathBuf;

use clap::Args;

/// A run to be had again.
#[derive(Args, Debug, Clone)]
pub struct Replay {
    /// The request of a call, as its answer's `meta.request_id` names it; of a job's step JOB:STEP:ATTEMPT; or a file
    /// of `--write`.
    pub run: Option<String>,
    /// Write the run to this file, sealed under the key ring, and do not run it.
    #[arg(long, requires = "run", conflicts_with = "emit_test")]
    pub write: Option<PathBuf>,
    /// The component that ran, where it is not among those that are served here.
    #[arg(long)]
    pub component: Option<PathBuf>,
    /// Write a fixture for a native test: each call, arguments and answer by shape, and nothing of the customer.
    #[arg(long, requires = "run")]
    pub emit_test: Option<PathBuf>,
    /// The folder with the built components, where it is not the data folder's `modules`.
    #[arg(long, env = "ESPALIER_MODULES")]
    pub modules: Option<PathBuf>,
}
