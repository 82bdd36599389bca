//! Where a module's author or its reviewer would permit what the host has stopped: the file and its line.

use std::path::{Path, PathBuf};

use catalog::revision::Revision;

/// A module's folder, and the catalog that locks it.
pub(super) struct Places<'a> {
    pub(super) folder: &'a Path,
    pub(super) catalog: &'a Path,
}

impl Places<'_> {
    /// Where what ended so would be permitted, if it should be. None: nowhere, or it is for the message to say.
    pub(super) fn of(&self, outcome: &str, operation: &str) -> Option<String> {
        let attribute = |words: &str| match self.attribute(operation) {
            Some(place) => format!("{place}: {words}"),
            None => words.to_owned(),
        };
        Some(match outcome {
            "denied.write_in_read" => {
                attribute("a read changes nothing; `#[operation(write, …)]` says that it is no read")
            }
            "denied.remove" => {
                attribute("`#[operation(destructive, …)]`, or the lock's `may_remove` with the collection and a reason")
            }
            "denied.enqueue" => attribute("`#[operation(job, queued(step = \"…\"), …)]` starts work"),
            "denied.web" => attribute("`needs = [\"web\"]` in this `#[operation(…)]`"),
            "denied.dns" => attribute("`needs = [\"dns\"]` in this `#[operation(…)]`"),
            "denied.tls" => attribute("`needs = [\"tls\"]` in this `#[operation(…)]`"),
            it if it.starts_with("limit.") => {
                let words = "`limits` of the operation, with a reason where it is raised";
                format!("{}: {words}", self.lock(operation, Some(&format!("operations.\"{operation}\"")), "limits"))
            }
            _ => return None,
        })
    }

    /// Where what the store did not show would be named, and where the module asks for it.
    pub(super) fn of_unseen(&self, what: &str, operation: &str) -> String {
        let name = what.rsplit(' ').next().unwrap_or(what);
        let asked = self.naming(&format!("\"{name}\"")).map_or(String::new(), |place| format!("{place} asks for it; "));
        if name.contains('.') {
            let lock = self.lock(operation, None, "reads");
            format!("{what}: {asked}{lock}: `reads` has what a reviewer lets this module see of others")
        } else {
            format!(
                "{what}: {asked}an own collection stands in `collections` of `module!`, and its indexes in `#[record(…)]`"
            )
        }
    }

    /// The line of the newest lock on which something of an operation's module stands, or where it would.
    fn lock(&self, operation: &str, table: Option<&str>, key: &str) -> String {
        let line = || {
            let date = Revision::dates(self.catalog).ok()?.pop()?;
            let revision = Revision::standing(self.catalog, &date).ok()?;
            let lock = revision.locks.get(operation.split('.').next()?)?;
            lock.operations.get(operation)?;
            Some(format!("catalog/{date}/{}:{}", lock.file(), lock.line_of(table, key)))
        };
        line().unwrap_or_else(|| "its lock, once `espalier catalog lock` wrote it".to_owned())
    }

    /// The first line of the module that has these characters.
    fn naming(&self, characters: &str) -> Option<String> {
        let mut files = Vec::new();
        sources(&self.folder.join("src"), &mut files);
        files.sort();
        files.iter().find_map(|file| {
            let text = std::fs::read_to_string(file).ok()?;
            let line = text.lines().position(|line| line.contains(characters))? + 1;
            Some(format!("{}:{line}", self.shown(file)))
        })
    }

    /// A file of the module as it is called in the workspace, or from anywhere.
    fn shown(&self, file: &Path) -> String {
        let inside = self.catalog.parent().and_then(|workspace| file.strip_prefix(workspace).ok());
        inside.unwrap_or(file).display().to_string()
    }

    /// The line of the attribute that makes a function the operation. Where several functions have its name, the one
    /// whose file is called as most of the id.
    fn attribute(&self, operation: &str) -> Option<String> {
        let segments: Vec<&str> = operation.split('.').skip(1).collect();
        let name = format!("fn {}(", segments.last()?);
        let mut files = Vec::new();
        sources(&self.folder.join("src"), &mut files);
        let mut found: Vec<(usize, String)> = Vec::new();
        for file in files {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let within = file.strip_prefix(self.folder).unwrap_or(&file).display().to_string();
            let alike = segments.iter().filter(|segment| within.contains(*segment)).count();
            let shown = self.shown(&file);
            let mut attribute = None;
            for (index, line) in text.lines().enumerate() {
                if line.starts_with("#[operation(") {
                    attribute = Some(index + 1);
                } else if line.contains(&name) {
                    found.extend(attribute.take().map(|line| (alike, format!("{shown}:{line}"))));
                } else if line.starts_with('}') {
                    attribute = None;
                }
            }
        }
        found.sort();
        found.pop().map(|(_, place)| place)
    }
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
}
