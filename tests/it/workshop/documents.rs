//! Markdown that stays true: the paths and commands it names exist.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::CommandFactory as _;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").to_path_buf()
}

/// Every Markdown file of the repository, by its path from the root.
fn documents() -> Vec<(PathBuf, String)> {
    let output = Command::new("git").args(["ls-files", "*.md"]).current_dir(root()).output().expect("git");
    let listed = String::from_utf8(output.stdout).expect("UTF-8");
    let documents: Vec<_> = listed
        .lines()
        .map(|path| (PathBuf::from(path), std::fs::read_to_string(root().join(path)).expect("a listed file")))
        .collect();
    assert!(documents.iter().any(|(path, _)| path == Path::new("README.md")), "git lists no README.md");
    documents
}

/// The code of a document: inline spans, and the lines of fenced blocks.
fn code(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            found.push(line);
        } else {
            found.extend(line.split('`').skip(1).step_by(2));
        }
    }
    found
}

/// Whether a span reads as a path of this repository: a known folder or `../` first, and no placeholder in it.
fn is_path(span: &str) -> bool {
    const FOLDERS: [&str; 18] = [
        "host/",
        "modules/",
        "catalog/",
        "wit/",
        "tests/",
        "migrations/",
        ".ci/",
        ".cargo/",
        "model/",
        "store/",
        "sandbox/",
        "service/",
        "web/",
        "espalier/",
        "sdk/",
        "kit/",
        "lib/",
        "../",
    ];
    let plain = |it: char| it.is_ascii_alphanumeric() || "._-/".contains(it);
    FOLDERS.iter().any(|folder| span.starts_with(folder)) && span.chars().all(plain)
}

/// Whether a named path exists, seen from the document, the root, `host/`, `modules/lib/` or a crate's sources.
fn exists(document: &Path, span: &str) -> bool {
    let root = root();
    let folder = root.join(document).parent().expect("a folder").to_path_buf();
    let (first, rest) = span.split_once('/').unwrap_or((span, ""));
    let places = [
        folder.join(span),
        folder.join("src").join(span),
        root.join(span),
        root.join("host").join(span),
        root.join("host").join(first).join("src").join(rest),
        root.join("modules/lib").join(span),
    ];
    places.iter().any(|place| place.exists())
}

#[test]
fn every_path_that_a_document_names_exists() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for (document, text) in documents() {
        let inline = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
        for span in inline.filter(|span| is_path(span)) {
            checked += 1;
            if !exists(&document, span) {
                wrong.push(format!("{}: {span}", document.display()));
            }
        }
    }
    assert!(checked > 60, "only {checked} paths were found");
    assert!(wrong.is_empty(), "these paths do not exist:\n{}", wrong.join("\n"));
}

/// The command words after `espalier` in a line of code: flags and placeholders are passed over.
fn words(line: &str) -> Option<Vec<&str>> {
    let (before, after) = line.split_once("espalier ")?;
    if !(before.is_empty() || before.ends_with([' ', '/', '$'])) || before.ends_with("-p ") {
        return None;
    }
    let word =
        |it: &&str| it.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-') && !it.starts_with('-');
    Some(after.split_whitespace().filter(word).take(2).collect())
}

#[test]
fn every_command_that_a_document_names_exists() {
    let program = espalier::cli::Cli::command();
    let mut wrong = Vec::new();
    let mut checked = 0;
    for (document, text) in documents() {
        for line in code(&text) {
            let Some(words) = words(line) else { continue };
            let Some(first) = words.first() else { continue };
            checked += 1;
            let Some(command) = program.find_subcommand(first) else {
                wrong.push(format!("{}: {line}", document.display()));
                continue;
            };
            let grouped = command.has_subcommands();
            if grouped && words.get(1).is_some_and(|second| command.find_subcommand(second).is_none()) {
                wrong.push(format!("{}: {line}", document.display()));
            }
        }
    }
    assert!(checked > 30, "only {checked} commands were found");
    assert!(wrong.is_empty(), "these commands do not exist:\n{}", wrong.join("\n"));
}
