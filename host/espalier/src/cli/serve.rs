//! The arguments of `up`, `dev` and `serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

/// How to try it out.
#[derive(Args, Debug, Clone)]
pub struct Up {
    /// How to serve.
    #[command(flatten)]
    pub serve: Serve,
    /// Print the made-up credentials of all simulated providers as well.
    #[arg(long)]
    pub credentials: bool,
}

/// How to serve.
#[derive(Args, Debug, Clone)]
pub struct Serve {
    /// The address to listen on; port 0 picks a free one.
    #[arg(long, env = "ESPALIER_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// The address clients use, when it is another one. All links and metadata come from it.
    #[arg(long, env = "ESPALIER_PUBLIC_URL")]
    pub public_url: Option<String>,
    /// The catalog revision to serve, by date, whatever is activated; otherwise the activated one, or the newest.
    #[arg(long, env = "ESPALIER_REVISION")]
    pub revision: Option<String>,
    /// Seconds to go on after SIGTERM, answering but not ready, before the listener closes.
    #[arg(long, env = "ESPALIER_DRAIN_SECONDS", default_value_t = 5)]
    pub drain_seconds: u64,
    /// A file with the OAuth clients by which customers connect their accounts at providers; RUNNING.md has its form.
    #[arg(long, env = "ESPALIER_CONNECT_CLIENTS")]
    pub connect_clients: Option<PathBuf>,
    /// The folder with the built components; `up` builds them itself.
    #[arg(long, env = "ESPALIER_MODULES")]
    pub modules: Option<PathBuf>,
}
