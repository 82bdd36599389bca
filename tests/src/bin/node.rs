//! The product's binary under another name, so that the tests can start it, kill it and start it again.

use clap::Parser;

fn main() -> std::process::ExitCode {
    match espalier::commands::run(espalier::cli::Cli::parse()) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            espalier::commands::say_error(&error);
            std::process::ExitCode::FAILURE
        }
    }
}
