//! The arguments of the commands that speak with an OCI registry.

use std::path::PathBuf;

use clap::Args;

/// What is pushed, and where to. A login comes from the environment (`ESPALIER_REGISTRY_USER`,
/// `ESPALIER_REGISTRY_PASSWORD`) or from Docker's `config.json`, never from the command line.
#[derive(Args, Debug, Clone)]
pub struct Publish {
    /// The folder that `serve --modules` takes, signed and approved, or one signed component.
    pub what: PathBuf,
    /// HOST/NAME:TAG.
    pub reference: String,
}

/// What is fetched, and where it is put. Only a digest says which bytes they are, so a tag alone is refused. The login
/// comes as for `publish`.
#[derive(Args, Debug, Clone)]
pub struct Fetch {
    /// HOST/NAME@sha256:..., as `publish` printed it.
    pub reference: String,
    /// The folder to make, such as the data folder's `modules`.
    pub folder: PathBuf,
    /// Even if the folder is there: that one is put aside, into a folder beside it.
    #[arg(long)]
    pub replace: bool,
}
