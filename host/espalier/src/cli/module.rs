//! Arguments of `espalier module`.

use std::path::PathBuf;

use clap::Subcommand;

/// Commands about modules.
#[derive(Subcommand, Debug)]
pub enum Module {
    /// Build a module's folder into a component with its contracts.
    Build {
        /// The folder, such as `modules/authors`; all of `modules/` when none is given.
        folder: Option<PathBuf>,
        /// Where the components go.
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Make a module of a component that another toolchain built: write its contracts into it, and see whether a host
    /// would load it.
    Seal {
        /// The component.
        component: PathBuf,
        /// Its contracts, a JSON file; `wit/contracts.md` has every member.
        #[arg(long)]
        contracts: PathBuf,
        /// Take this function out, which the toolchain left among the exports. May be given more than once.
        #[arg(long, value_name = "FUNCTION")]
        without: Vec<String>,
        /// Where the module goes; in the component's place when none is given.
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Check what a module promises: names, verbs, schemas, examples, and its lock in the newest revision. Ends with 1
    /// when something is to be mended, and says where.
    Check {
        /// The folder, such as `modules/authors`, or a component; all of `modules/` when none is given.
        folder: Option<PathBuf>,
    },
    /// Make a module with two operations, tests and a README, which builds and runs at once.
    New {
        /// Its name: the first part of each operation's id.
        name: String,
        /// A folder of its own outside `modules/`, with a manifest of its own.
        #[arg(long)]
        at: Option<PathBuf>,
    },
    /// Run a module's native tests, then every example of its contracts in the real sandbox.
    Test {
        /// The folder, such as `modules/authors`, or a component, which has no native tests.
        folder: PathBuf,
    },
    /// Call an operation against a scratch customer, and show the answer, what it changed, and what it took: points,
    /// fuel, memory, calls to the host. Nothing of it stays.
    Run {
        /// The operation, such as `authors.create`.
        operation: String,
        /// The folder of its module, or the component; `modules/` and the operation's first part when none is given.
        folder: Option<PathBuf>,
        /// The arguments, a JSON object.
        #[arg(long, default_value = "{}")]
        args: String,
    },
}
