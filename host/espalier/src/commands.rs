//! The commands: each reads its arguments, calls the service, and prints.

mod audit;
mod backup;
mod budget;
mod catalog;
mod customer;
mod dev;
mod fetch;
mod import;
mod inspect;
mod keys;
mod ledger;
mod module;
mod order;
mod prove;
mod publish;
mod replay;
mod restore;
mod review;
mod sbom;
mod serve;
mod sign;
mod token;
mod up;

use std::io::{ErrorKind, IsTerminal as _, Write as _};

use model::legible::{printable, printable_json};
use serde_json::Value;

use crate::cli::{Cli, Command};
use crate::settings::Settings;

/// Runs the command of the command line.
///
/// # Errors
/// What went wrong, in words that say what to do.
pub fn run(cli: Cli) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let say = Say { json: cli.place.json };
    runtime.block_on(async {
        match cli.command {
            Command::Up(options) => {
                up::run(&cli.place, &options.serve, up::Sight::Fixed, options.credentials, say).await
            }
            Command::Dev(options) => up::run(&cli.place, &options, up::Sight::Watching, false, say).await,
            Command::Serve(options) => serve::run(&cli.place, &options, say).await,
            Command::Migrate => {
                crate::assembly::store(&Settings::read(&cli.place)?).await?;
                say.value(&serde_json::json!({ "migrated": true }), "the database is at this version");
                Ok(())
            }
            Command::Customer(command) => customer::run(&cli.place, command, say).await,
            Command::Order(command) => order::run(&cli.place, command, say).await,
            Command::Budget(command) => budget::run(&cli.place, command, say).await,
            Command::Token(command) => token::run(&cli.place, command, say).await,
            Command::Module(command) => module::run(&cli.place, command, say).await,
            Command::Catalog(command) => catalog::run(&cli.place, command, say).await,
            Command::Inspect { file } => inspect::run(&cli.place, &file, say),
            Command::Review { old, new, module, catalog } => {
                review::run(&old, &new, module.as_deref(), catalog.as_deref(), say)
            }
            Command::Signer { name, password_stdin } => sign::make(&name, password_stdin, say),
            Command::Sign { key, password_stdin, what } => sign::sign(&key, password_stdin, &what, say),
            Command::Publish(options) => publish::run(&options, say).await,
            Command::Fetch(options) => fetch::run(&cli.place, &options, say).await,
            Command::Replay(wanted) => replay::run(&cli.place, &wanted, say).await,
            Command::Sbom { file } => sbom::run(file.as_ref(), say),
            Command::Prove { only } => prove::run(&cli.place, &only, say).await,
            Command::Ledger(command) => ledger::run(&cli.place, &command, say).await,
            Command::Audit(command) => audit::run(&cli.place, &command, say).await,
            Command::Keys(command) => keys::run(&cli.place, &command, say),
            Command::Backup { file } => backup::run(&cli.place, &file, say).await,
            Command::Restore { file, force } => restore::run(&cli.place, &file, force, say).await,
        }
    })
}

/// Prints for a person or for a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Say {
    json: bool,
}

impl Say {
    /// One value: a line of JSON, or the words. Whoever reads them may have seen enough before the end, as `head` has.
    pub(crate) fn value(self, value: &Value, words: &str) {
        let mut out = std::io::stdout().lock();
        // What a component says may stand in either: nothing of it draws on the terminal.
        let written = if self.json {
            writeln!(out, "{}", printable_json(&value.to_string()))
        } else {
            writeln!(out, "{}", printable(words))
        };
        if let Err(error) = written.and_then(|()| out.flush()) {
            assert!(error.kind() == ErrorKind::BrokenPipe, "standard output takes nothing: {error}");
        }
    }
}

/// A line beside what is printed, for a person who waits.
#[expect(clippy::print_stderr, reason = "it is no log, and no part of what is printed for a program")]
pub(crate) fn aside(words: &str) {
    eprintln!("espalier: {}", printable(words));
}

/// Says an error and its causes, each once: some say their cause themselves.
#[expect(clippy::print_stderr, reason = "the command's failure, for a person")]
pub fn say_error(error: &anyhow::Error) {
    let mut said = String::from("espalier");
    for cause in error.chain().map(ToString::to_string) {
        if !said.ends_with(&cause) {
            said = format!("{said}: {cause}");
        }
    }
    eprintln!("{}", printable(&said));
}

/// Logs to standard error; `RUST_LOG` chooses what.
pub(crate) fn start_log(json: bool) {
    use tracing_subscriber::EnvFilter;
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A file and a pipe show colours as escape sequences.
    let log = if std::io::stderr().is_terminal() { log } else { log.with_ansi(false) };
    // A second start in one process, as tests do it, keeps the first log.
    let _ = if json { log.json().try_init() } else { log.try_init() };
}
