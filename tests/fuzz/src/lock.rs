//! Target: the text of a lock.

use catalog::built::{Built, Exports};
use catalog::compare::{self, Digest};
use catalog::lock::Lock;
use model::manifest::Manifest;

/// A lock that can be read means the same when it was written again, and every difference names a line of it.
///
/// # Panics
/// When that is not so.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(lock) = Lock::parse("lock.toml", text) else { return };
    let again = Lock::parse("lock.toml", &lock.text()).expect("what was written can be read");
    assert_eq!(again.text(), lock.text(), "a revision's hash would change by being read");
    let manifest = Manifest {
        module: "plain".to_owned(),
        wit: "espalier:module@1.0.0".to_owned(),
        operations: Vec::new(),
        routes: Vec::new(),
        steps: Vec::new(),
        collections: Vec::new(),
        raw: Vec::new(),
        shapes: model::manifest::Shapes::default(),
    };
    let imports = ["records".to_owned()].into();
    let built = Built { component: "sha256:0".to_owned(), imports, exports: Exports::default(), manifest };
    let lines = text.lines().count().max(1);
    for difference in compare::differences(&built, &lock, Digest::Strict) {
        assert!((1..=lines).contains(&difference.line), "{difference}");
    }
}
