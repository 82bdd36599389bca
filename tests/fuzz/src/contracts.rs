//! Target: contracts, their schemas and promises, and the lock that a reviewer would get of them.

use catalog::built::{Built, Exports};
use catalog::compare::{self, Digest};
use catalog::lock::Lock;
use model::manifest::Manifest;
use service::promise;

/// What can be read can be judged, and its lock says the same of it that it says itself.
///
/// # Panics
/// When that is not so.
pub fn check(bytes: &[u8]) {
    let Ok(manifest) = serde_json::from_slice::<Manifest>(bytes) else { return };
    for broken in promise::broken(&manifest) {
        assert!(broken.pointer.starts_with('/'), "{broken:?}");
    }
    let built = Built { component: "sha256:0".to_owned(), imports: [].into(), exports: Exports::default(), manifest };
    let lock = Lock::of(&built, None, |_| true);
    let Ok(read) = Lock::parse("lock.toml", &lock.text()) else { panic!("a lock was written that cannot be read") };
    assert_eq!(read.text(), lock.text());
    compare::differences(&built, &read, Digest::Strict);
}
