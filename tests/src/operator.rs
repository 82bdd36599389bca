//! The operator's commands, beside a host or without one.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Runs an operator's command on a data folder.
///
/// # Panics
/// When it does not start.
pub fn operate(data: &Path, arguments: &[&str]) -> std::process::Output {
    node(data).args(arguments).output().expect("the command starts")
}

/// Begins an operator's command on a data folder; whoever has it may end it in the middle.
///
/// # Panics
/// When it does not start.
pub fn begin(data: &Path, arguments: &[&str]) -> Child {
    let mut command = node(data);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the command starts")
}

/// As [`operate`], with these in its environment.
///
/// # Panics
/// When it does not start.
pub fn operate_as(data: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> std::process::Output {
    node(data).args(arguments).envs(environment.iter().copied()).output().expect("the command starts")
}

/// As [`operate`], with this on its standard input.
///
/// # Panics
/// When it does not start.
pub fn operate_with(data: &Path, arguments: &[&str], input: &str) -> std::process::Output {
    let mut command = node(data);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("written");
    child.wait_with_output().expect("the command ends")
}

/// The product's binary, built beside the tests.
pub(crate) fn node(data: &Path) -> Command {
    let tests = std::env::current_exe().expect("this program");
    // Tests stand in a folder below the programs; the programs here stand beside it.
    let built = tests.ancestors().skip(1).map(|folder| folder.join("node")).find(|node| node.is_file());
    let built = built.expect("cargo build -p tests --bins makes it");
    let mut command = Command::new(built);
    command.arg("--data-dir").arg(data).arg("--json");
    let config = data.join("espalier.toml");
    if config.is_file() {
        command.arg("--config").arg(config);
    }
    if let Some(url) = crate::database::of(data) {
        command.arg("--database").arg(url);
    }
    command
}
