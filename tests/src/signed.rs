//! A signer of the tests: what is shipped to a host under test is signed and approved as a server asks for it.

use std::path::Path;
use std::sync::OnceLock;

use catalog::approval::Approval;
use catalog::revision::Revision;
use catalog::trust::SigningKey;

/// The key of this process: its secret file's text, and the key itself.
fn pair() -> &'static (String, SigningKey) {
    static PAIR: OnceLock<(String, SigningKey)> = OnceLock::new();
    PAIR.get_or_init(|| {
        let (secret, _) = SigningKey::make(None).expect("a key");
        let key = SigningKey::read(&secret, None).expect("the same key");
        (secret, key)
    })
}

/// The key that hosts under test believe.
pub fn key() -> &'static SigningKey {
    &pair().1
}

/// The text of that key's file.
pub fn secret() -> &'static str {
    &pair().0
}

/// What espalier.toml has for it.
pub fn signer() -> String {
    format!(
        "[[signer]]\nname = \"tests\"\nkey = {:?}\nsigns = [\"modules\", \"revisions\", \"approvals\"]\n",
        key().public()
    )
}

/// Signs every component and revision of a shipped folder, and says yes to every step between its revisions.
///
/// # Panics
/// When the folder is not one.
pub fn vouch(folder: &Path) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "wasm") {
            key().sign_file(&path).expect("signed");
        }
    }
    let catalog = folder.join("catalog");
    let dates = Revision::dates(&catalog).expect("revisions");
    let revisions: Vec<Revision> =
        dates.iter().map(|date| Revision::read(&catalog, date).expect("a revision")).collect();
    for new in &revisions {
        key().sign_file(&new.file(&catalog)).expect("signed");
        for old in revisions.iter().map(Some).chain([None]).filter(|old| *old != Some(new)) {
            Approval::of(old, new).expect("compared").write(&catalog, key()).expect("approved");
        }
    }
}
