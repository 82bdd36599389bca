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
    /// Another component of the module: say how it behaves over the runs that were kept, before it is let in. What it asks
    /// and answers otherwise is told by functions, hosts and places, and nothing that stood in a run.
    #[arg(long, value_name = "COMPONENT", conflicts_with_all = ["run", "write", "emit_test", "component"])]
    pub against: Option<PathBuf>,
    /// The folder with the built components, where it is not the data folder's `modules`.
    #[arg(long, env = "ESPALIER_MODULES")]
    pub modules: Option<PathBuf>,
}
