//! The command line, as types.

mod catalog;
mod module;
mod registry;
mod replay;
mod serve;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub use catalog::Catalog;
pub use module::Module;
pub use registry::{Fetch, Publish};
pub use replay::Replay;
pub use serve::{Serve, Up};

/// A plugin-host engine for a hosted SEO action service.
#[derive(Parser, Debug)]
#[command(name = "espalier", version, about)]
pub struct Cli {
    /// Where and how.
    #[command(flatten)]
    pub place: Place,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Flags that every command understands. Flags win over `ESPALIER_*`, which win over `espalier.toml`.
#[derive(Args, Debug, Clone, Default)]
pub struct Place {
    /// The folder of the database, the keys and the compiled modules.
    #[arg(long, global = true, env = "ESPALIER_DATA_DIR")]
    pub data_dir: Option<PathBuf>,
    /// A database address instead of SQLite in the data folder: postgres://...
    #[arg(long, global = true, env = "ESPALIER_DATABASE", hide_env_values = true)]
    pub database: Option<String>,
    /// The configuration file.
    #[arg(long, global = true, env = "ESPALIER_CONFIG")]
    pub config: Option<PathBuf>,
    /// The key ring, where it is not the data folder's `keys.toml`: nodes share one. Its whole text can be given in
    /// the environment instead, as `ESPALIER_KEYS`.
    #[arg(long, global = true, env = "ESPALIER_KEY_RING")]
    pub key_ring: Option<PathBuf>,
    /// Print data as JSON.
    #[arg(long, global = true)]
    pub json: bool,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Try it: build the modules, make a demo customer, start the demo site, serve, and say what to paste where.
    Up(Up),
    /// As `up`, and every module that is saved is built and served within seconds, with all that it asks for.
    Dev(Serve),
    /// Serve REST, MCP, OAuth and the portal.
    Serve(Serve),
    /// Bring the database to this version.
    Migrate,
    /// Customers.
    #[command(subcommand)]
    Customer(Customer),
    /// Caps on what a customer spends.
    #[command(subcommand)]
    Budget(Budget),
    /// Bearer tokens.
    #[command(subcommand)]
    Token(Token),
    /// Orders of credits, which are paid outside.
    #[command(subcommand)]
    Order(Order),
    /// Modules.
    #[command(subcommand)]
    Module(Module),
    /// The reviewed catalog.
    #[command(subcommand)]
    Catalog(Catalog),
    /// Make a key to sign with: NAME.key for its owner alone, and NAME.pub. It is of minisign's form.
    Signer {
        /// Whose, or what for; also the name in `[[signer]]`.
        name: String,
        /// Protect the key with the password on standard input; without it the file alone is enough to sign.
        #[arg(long)]
        password_stdin: bool,
    },
    /// Sign components and revisions: a signature beside each.
    Sign {
        /// The secret key; one with a password asks for it.
        #[arg(long)]
        key: PathBuf,
        /// Read the key's password from standard input.
        #[arg(long)]
        password_stdin: bool,
        /// Components, and folders of revisions.
        #[arg(required = true)]
        what: Vec<PathBuf>,
    },
    /// Show what a component is, without running it.
    Inspect {
        /// The component.
        file: PathBuf,
    },
    /// Say what changed from one version to the next, as a reviewer decides about it. Each is a component, a
    /// revision's date, or the folder of one. Ends with 1 when somebody has to say yes to something, and names it.
    Review {
        /// The version before, or `none`.
        old: PathBuf,
        /// The version to review.
        new: PathBuf,
        /// Only this module.
        #[arg(long)]
        module: Option<String>,
        /// The folder of the revisions, where it is not this workspace's `catalog`.
        #[arg(long)]
        catalog: Option<PathBuf>,
    },
    /// Push what is shipped to servers, or one component, into an OCI registry, and print its digest.
    Publish(Publish),
    /// Fetch what was published by its digest, and put it in place when every signature in it counts here.
    Fetch(Fetch),
    /// Run a recorded run again, offline: the same component, what it was given then, and what the host told it then.
    /// Says by shape what happened, never what was said. Ends with 1 when it is not identical. Without a name, lists
    /// what is kept.
    Replay(Replay),
    /// Prove the sandbox: run the hostile guests against the configuration in force, on this machine, and print a
    /// report to keep. Ends with 1 when one of them gets through.
    Prove {
        /// These attempts alone, by name.
        #[arg(long, value_name = "ATTEMPT")]
        only: Vec<String>,
    },
    /// Write the bill of materials of this program, in CycloneDX, from the workspace that it is built from.
    Sbom {
        /// The file; without one it is printed.
        file: Option<PathBuf>,
    },
    /// The ledger.
    #[command(subcommand)]
    Ledger(Ledger),
    /// The audit trail.
    #[command(subcommand)]
    Audit(Audit),
    /// The key ring: the newest key seals, all of them open.
    #[command(subcommand)]
    Keys(Keys),
    /// Save the database and its keys in one file, while a host may be serving. Whoever has the file has everything:
    /// it is written for its owner alone (mode 0600); keep it like a password.
    Backup {
        /// The file to write; one that is there is replaced when the new one is whole.
        file: PathBuf,
    },
    /// Put a backup into a data folder that no host serves. The file and the ledger in it are checked first.
    Restore {
        /// The file that `backup` wrote.
        file: PathBuf,
        /// Even if the folder has a database: that one is put aside, into a folder beside it.
        #[arg(long)]
        force: bool,
    },
}

/// Commands about customers.
#[derive(Subcommand, Debug)]
pub enum Customer {
    /// Add one.
    Add {
        /// The address to sign in with.
        #[arg(long)]
        email: String,
        /// Read the password from standard input.
        #[arg(long)]
        password_stdin: bool,
        /// Credits to begin with.
        #[arg(long, default_value_t = 0)]
        credits: u64,
    },
    /// List them, in the order they came.
    List {
        /// Only those whose e-mail contains this.
        #[arg(long, default_value = "")]
        email: String,
        /// Only those who stand so: active, inactive, suspended or erased.
        #[arg(long)]
        state: Option<String>,
        /// How many, 1 to 1000.
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1000))]
        limit: u32,
        /// Go on after this customer.
        #[arg(long)]
        after: Option<String>,
    },
    /// Add credits.
    Credit {
        /// Whose.
        #[arg(long)]
        customer: String,
        /// How many.
        #[arg(long)]
        credits: u64,
        /// What it is for; the same reference never counts twice.
        #[arg(long)]
        reference: String,
    },
    /// Turn credits into points, 1,000 each.
    Points {
        /// Whose.
        #[arg(long)]
        customer: String,
        /// How many credits.
        #[arg(long)]
        credits: u64,
        /// What it is for; the same reference never counts twice.
        #[arg(long)]
        reference: String,
    },
    /// Put an archive of `account.export.create` back: its files with `manifest.json` in one folder. What is there
    /// already is left alone.
    Import {
        /// Whose.
        #[arg(long)]
        customer: String,
        /// The folder.
        folder: PathBuf,
        /// The folder of the components, with the catalog in it; without one, that of this workspace.
        #[arg(long)]
        modules: Option<PathBuf>,
    },
    /// Set a password, read from standard input.
    Password {
        /// Whose.
        #[arg(long)]
        customer: String,
    },
    /// Let a customer in, charging the activation if it was never charged.
    Activate {
        /// Whom.
        #[arg(long)]
        customer: String,
    },
    /// Shut a customer out.
    Deactivate {
        /// Whom.
        #[arg(long)]
        customer: String,
    },
    /// End all apps, tokens, portal sessions and public addresses of a customer at once, who may sign in again.
    LockOut {
        /// Whom.
        #[arg(long)]
        customer: String,
    },
    /// Forget a person and all they made, for good. The books and the trail stay whole and name nobody.
    Erase {
        /// Whom.
        #[arg(long)]
        customer: String,
        /// It cannot be taken back, so it has to be said.
        #[arg(long)]
        yes: bool,
    },
}

/// Commands about orders of credits.
#[derive(Subcommand, Debug)]
pub enum Order {
    /// Place one; its reference goes on the payment.
    Place {
        /// Whose.
        #[arg(long)]
        customer: String,
        /// How many credits.
        #[arg(long)]
        credits: u64,
    },
    /// List the latest.
    List {
        /// Only this customer's.
        #[arg(long)]
        customer: Option<String>,
        /// How many, 1 to 1000.
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1000))]
        limit: u32,
    },
    /// Say that one was paid: its credits are added, once.
    Paid {
        /// Its reference.
        reference: String,
    },
}

/// Commands about budgets.
#[derive(Subcommand, Debug)]
pub enum Budget {
    /// List a customer's budgets and what was counted for them.
    List {
        /// Whose.
        #[arg(long)]
        customer: String,
    },
    /// Set one; without --daily and --monthly it is taken away.
    Set {
        /// Whose.
        #[arg(long)]
        customer: String,
        /// workspace, module, site or client.
        #[arg(long)]
        scope: String,
        /// The name of the module, the id of the website or the grant; nothing for the workspace.
        #[arg(long, default_value = "")]
        target: String,
        /// points or credits.
        #[arg(long)]
        unit: String,
        /// At most this much in a UTC day.
        #[arg(long)]
        daily: Option<u64>,
        /// At most this much in a UTC month.
        #[arg(long)]
        monthly: Option<u64>,
    },
}

/// Commands about bearer tokens.
#[derive(Subcommand, Debug)]
pub enum Token {
    /// Make one; it is shown once. A first token activates the customer.
    Issue {
        /// Whose.
        #[arg(long)]
        customer: String,
        /// What it permits, space-separated.
        #[arg(long)]
        scopes: String,
        /// What it is called.
        #[arg(long, default_value = "command line")]
        name: String,
        /// Days until it expires.
        #[arg(long, default_value_t = 30)]
        days: u32,
    },
    /// List them, without their secrets.
    List {
        /// Whose.
        #[arg(long)]
        customer: String,
    },
    /// Stop one.
    Revoke {
        /// Its grant.
        #[arg(long)]
        grant: String,
    },
}

/// Commands about the ledger.
#[derive(Subcommand, Debug)]
pub enum Ledger {
    /// Check the invariants.
    Verify,
    /// What time it is here, and until when something was charged. A clock that is behind that charges nothing.
    Clock {
        /// Say that this time is right, after a clock had run ahead: charging goes on from now.
        #[arg(long)]
        accept: bool,
    },
}

/// Commands about the audit trail.
#[derive(Subcommand, Debug)]
pub enum Audit {
    /// Check every chain, every signed checkpoint, and the file of notes in the data folder.
    Verify {
        /// The key to check signatures with, as an earlier verification printed it; of `audit.key` otherwise.
        #[arg(long)]
        public_key: Option<String>,
    },
}

/// Commands about the key ring.
#[derive(Subcommand, Debug)]
pub enum Keys {
    /// List the keys: id, date and purpose, never the key itself.
    List,
    /// Add a key, which seals from now on; serving hosts take it within seconds. What was sealed before still opens.
    Rotate,
}
