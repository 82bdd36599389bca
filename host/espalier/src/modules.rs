//! Builds module folders into components: cargo makes the component, the contract section is added after it.

use std::io::IsTerminal as _;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context as _, bail};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::packages::{self, Kind};

/// The target of the product's modules: no WASI, so that the imports are the host's interfaces and nothing else.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// How a module is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// As it ships: link-time optimisation, one codegen unit.
    Component,
    /// For a host that runs in the workspace: the same shape, without the long link, which would be most of the wait.
    Tried,
    /// For tests, which start with debug builds of the host: what is a module's own is optimised only where pages and logs
    /// are read by it.
    Test,
    /// For an author who waits for each save: what did not change is not compiled again.
    Saved,
}

impl Profile {
    /// What is measured: what ships, and in a debug build, whose figures say nothing, what is there for the tests.
    pub fn measured() -> Self {
        if cfg!(debug_assertions) { Profile::Test } else { Profile::Component }
    }

    /// What a host serves that runs in the workspace: a debug build of it is one of the tests'.
    pub fn served() -> Self {
        if cfg!(debug_assertions) { Profile::Test } else { Profile::Tried }
    }

    /// The profile's name in the workspace's manifest.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Component => "component",
            Profile::Tried => "component-tried",
            Profile::Test => "component-test",
            Profile::Saved => "component-saved",
        }
    }
}

/// A built component.
#[derive(Clone, Debug)]
pub struct Built {
    /// The module's name.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
}

/// The workspace that holds `modules/`, looked for from here upwards, and from the `sdk` of a module in a folder of its own.
///
/// # Errors
/// When there is none.
pub fn workspace() -> anyhow::Result<PathBuf> {
    let here = std::env::current_dir().context("the current folder cannot be read")?;
    above(&here).or_else(|| above(&sdk_of(&here)?)).context(
        "no workspace with modules/ and wit/ here or above; run this inside the project, or in a module's own folder",
    )
}

/// The workspace that a folder is in.
fn above(folder: &Path) -> Option<PathBuf> {
    let is_one = |folder: &&Path| folder.join("modules").is_dir() && folder.join("wit/v1").is_dir();
    folder.ancestors().find(is_one).map(Path::to_path_buf)
}

/// Where the manifest in a folder says that the SDK is.
fn sdk_of(folder: &Path) -> Option<PathBuf> {
    let manifest: toml::Table = std::fs::read_to_string(folder.join("Cargo.toml")).ok()?.parse().ok()?;
    let path = manifest.get("dependencies")?.get("sdk")?.get("path")?.as_str()?;
    folder.join(path).canonicalize().ok()
}

/// The names of the modules in a workspace: what links into a component.
///
/// # Errors
/// When cargo cannot read the workspace.
pub fn names(workspace: &Path) -> anyhow::Result<Vec<String>> {
    let packages = packages::all(workspace)?.into_iter();
    Ok(packages.filter(|it| it.kind == Kind::Module).map(|it| it.name).collect())
}

/// Where finished components of a workspace are, by how they were compiled.
pub fn components(workspace: &Path, profile: Profile) -> PathBuf {
    workspace.join("target/components").join(profile.name())
}

/// Where the components are kept that a revision of a workspace locks.
pub fn locked(workspace: &Path, date: &str) -> PathBuf {
    workspace.join("target/components/locked").join(date)
}

/// Builds these modules and puts the finished components into `out`.
///
/// # Errors
/// When the target cannot be added, a module does not compile, or its contracts cannot be read.
pub fn build(workspace: &Path, names: &[String], profile: Profile, out: &Path) -> anyhow::Result<Vec<Built>> {
    let new = names.iter().filter(|name| !out.join(format!("{name}.wasm")).is_file()).count();
    if new > 1 {
        eprintln_line(&format!("building {new} modules as {}; the first time takes minutes", profile.name()));
    }
    let raw = compile(workspace, names, profile)?;
    // Each is asked for its contracts by an interpreter, which takes seconds in a debug build.
    names.par_iter().map(|name| finish(name, &raw, out)).collect()
}

/// The first half of [`build`]: has cargo compile the modules, and returns the folder of the components, which have no
/// contracts yet.
///
/// The libraries are named as well: which features a dependency has depends on who else is built, and so a module built
/// alone has the digest that it has beside others. That needs all modules to be `cdylib` and nothing else, too: one that
/// is a library as well changes how cargo compiles what all of them stand on.
///
/// # Errors
/// When the target cannot be added, or a module does not compile.
pub(crate) fn compile(workspace: &Path, names: &[String], profile: Profile) -> anyhow::Result<PathBuf> {
    ensure_target(workspace)?;
    let target = workspace.join("target/modules");
    let mut cargo = Command::new("cargo");
    cargo.current_dir(workspace).args(["build", "--lib", "--target", TARGET, "--profile", profile.name()]);
    // Who waits for minutes sees cargo's own progress; a saved file takes seconds, and a log has no use for bars.
    if names.len() < 2 || !std::io::stderr().is_terminal() {
        cargo.arg("--quiet");
    }
    cargo.arg("--target-dir").arg(&target);
    let libraries = packages::all(workspace)?.into_iter().filter(|it| it.kind == Kind::Library);
    for library in libraries {
        cargo.args(["--package", &library.name]);
        if profile == Profile::Saved {
            // Compiled once and optimised, unlike the module that is saved over and over.
            cargo.arg("--config").arg(format!("profile.{}.package.{}.opt-level=1", profile.name(), library.name));
        }
    }
    for name in names {
        cargo.args(["--package", name]);
    }
    // A build started by cargo inherits what cargo told its own children; none of it is meant for this one. Neither is
    // a program in the compiler's place: what ships comes from the compiler itself.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text == "CARGO_MANIFEST_DIR" || text == "RUSTC_WORKSPACE_WRAPPER" {
            cargo.env_remove(&name);
        }
    }
    let status = cargo.status().context("cargo cannot be started")?;
    if !status.success() {
        bail!("the modules do not compile; cargo's message is above");
    }
    Ok(target.join(TARGET).join(profile.name()))
}

/// Where the compiled component of a module is, in the folder that [`compile`] gave.
pub(crate) fn raw(name: &str, from: &Path) -> PathBuf {
    from.join(format!("{}.wasm", name.replace('-', "_")))
}

/// The other half of [`build`]: adds the contract section; leaves a file that was made of this very component alone, so
/// that its time says when it changed.
///
/// # Errors
/// When the contracts cannot be read, or nothing can be written.
pub(crate) fn finish(name: &str, from: &Path, out: &Path) -> anyhow::Result<Built> {
    std::fs::create_dir_all(out).with_context(|| format!("{} cannot be made", out.display()))?;
    let source = raw(name, from);
    let path = out.join(format!("{name}.wasm"));
    let component = catalog::files::read(&source, catalog::files::COMPONENT)
        .with_context(|| format!("{} is not there", source.display()))?;
    let newer = |a: &Path, b: &Path| Some(a.metadata().ok()?.modified().ok()? > b.metadata().ok()?.modified().ok()?);
    let of_it = || {
        catalog::files::read(&path, catalog::files::COMPONENT)
            .is_ok_and(|it| it.len() > component.len() && it.starts_with(&component))
    };
    if newer(&path, &source) == Some(true) && of_it() {
        return Ok(Built { name: name.to_owned(), path });
    }
    let finished =
        sandbox::build::finish(&component).with_context(|| format!("{name}: the contracts cannot be read"))?;
    // Written beside and renamed, so that a reader never sees half a component.
    let readable = std::fs::Permissions::from_mode(0o666);
    let mut partial = tempfile::Builder::new()
        .permissions(readable)
        .tempfile_in(out)
        .with_context(|| format!("{} is read-only", out.display()))?;
    partial.write_all(&finished).with_context(|| format!("{} cannot be written", partial.path().display()))?;
    partial.persist(&path)?;
    Ok(Built { name: name.to_owned(), path })
}

/// Adds the target when the toolchain lacks it, and says so. Asked once: an author who saves does not wait for it.
fn ensure_target(workspace: &Path) -> anyhow::Result<()> {
    static THERE: OnceLock<()> = OnceLock::new();
    if THERE.get().is_none() {
        find_target(workspace)?;
        let _ = THERE.set(());
    }
    Ok(())
}

fn find_target(workspace: &Path) -> anyhow::Result<()> {
    let sysroot = Command::new("rustc")
        .current_dir(workspace)
        .args(["--print", "sysroot"])
        .output()
        .context("rustc cannot be started")?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&sysroot.stdout).trim());
    if sysroot.join("lib/rustlib").join(TARGET).join("lib").is_dir() {
        return Ok(());
    }
    eprintln_line(&format!("adding the target {TARGET} with rustup, once"));
    let added = Command::new("rustup").current_dir(workspace).args(["target", "add", TARGET]).status();
    if !added.is_ok_and(|status| status.success()) {
        bail!("the target {TARGET} is missing and could not be added; run: rustup target add {TARGET}");
    }
    Ok(())
}

#[expect(clippy::print_stderr, reason = "a person waits for this line; it is not a log")]
fn eprintln_line(line: &str) {
    eprintln!("espalier: {line}");
}
