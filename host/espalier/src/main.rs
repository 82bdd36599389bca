//! `espalier`: reads the command line and runs one command.

use clap::Parser;

fn main() -> std::process::ExitCode {
    let cli = espalier::cli::Cli::parse();
    match espalier::commands::run(cli) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            espalier::commands::say_error(&error);
            std::process::ExitCode::FAILURE
        }
    }
}
