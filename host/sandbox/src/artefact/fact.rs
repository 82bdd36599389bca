//! Facts that this host established and need not establish again. A fact is known if a file exists for it that only
//! this host can have written. Never store a fact that can become false.

use model::token::hex;
use sha2::{Digest as _, Sha256};

use super::File;
use crate::Sandbox;
use crate::config::Artefacts;

impl Sandbox {
    /// Whether this host has stored the fact. Always false without a folder for artefacts.
    pub fn knows(&self, fact: &str) -> bool {
        self.artefacts().and_then(|it| of(it, fact).open()).is_some_and(|(_, ours)| ours)
    }

    /// Stores a fact. It must never become false. If it cannot be stored, it will be established again.
    pub fn learn(&self, fact: &str) {
        let written = self.artefacts().map_or(Ok(()), |it| of(it, fact).write(&[]));
        if let Err(error) = written {
            tracing::warn!(cause = %error, "what was found could not be kept; the next start finds it again");
        }
    }
}

/// The file of a fact. It cannot collide with an artefact: an artefact's subject is hashed with another prefix, the
/// engine's hash.
fn of<'a>(artefacts: &'a Artefacts, fact: &str) -> File<'a> {
    let subject: [u8; 32] = Sha256::new().chain_update(b"espalier fact 1\0").chain_update(fact).finalize().into();
    let path = artefacts.folder.join(format!("{}.fact", hex(&subject)));
    File { artefacts, path, subject }
}

#[cfg(test)]
mod tests {
    use crate::config::{Artefacts, Config};

    use super::*;

    fn sandbox(folder: &std::path::Path, key: u8) -> Sandbox {
        let artefacts = Artefacts { folder: folder.join("compiled"), key: [key; 32] };
        Sandbox::new(Config { artefacts: Some(artefacts), ..Config::default() }).expect("a sandbox")
    }

    #[test]
    fn a_fact_is_known_to_the_host_that_learnt_it_and_no_other_sentence_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let host = sandbox(folder.path(), 1);
        assert!(!host.knows("signed a"));
        host.learn("signed a");
        assert!(host.knows("signed a") && sandbox(folder.path(), 1).knows("signed a"));
        assert!(!host.knows("signed b"));
        assert!(!sandbox(folder.path(), 2).knows("signed a"), "another key");
    }

    #[test]
    fn a_file_that_was_moved_touched_or_left_open_to_others_makes_nothing_known() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let host = sandbox(folder.path(), 1);
        host.learn("signed a");
        let file = |fact: &str| of(host.artefacts().expect("a folder"), fact).path;
        std::fs::copy(file("signed a"), file("signed b")).expect("it can be copied");
        assert!(!host.knows("signed b"));
        let honest = std::fs::read(file("signed a")).expect("it is there");
        for at in 0..honest.len() {
            let mut touched = honest.clone();
            touched[at] ^= 1;
            std::fs::write(file("signed a"), touched).expect("it can be written");
            assert!(!host.knows("signed a"), "byte {at}");
        }
        std::fs::write(file("signed a"), honest).expect("it can be written");
        assert!(host.knows("signed a"));
        std::fs::set_permissions(file("signed a"), std::fs::Permissions::from_mode(0o620)).expect("it is ours");
        assert!(!host.knows("signed a"));
    }
}
