//! An OCI registry on loopback, as honest or as dishonest as a test wants it: uploads, tags, digests, tokens.

mod answers;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::body::Bytes;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// What a registry does wrong with what it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Harm {
    /// One bit of each file is another.
    OtherBytes,
    /// One bit of the manifest is another.
    OtherManifest,
    /// A file breaks off in its middle.
    Broken,
    /// A file ends in its middle, as if that were all.
    Short,
    /// A file, or a manifest, goes on for ever.
    Endless,
    /// Files are at another place.
    Elsewhere(String),
    /// Tokens are given at another place.
    Office(String),
    /// Files are answered with this status.
    Status(u16),
}

/// How whoever comes must show who they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// By a token, which is given for a login.
    Token,
    /// By the login itself.
    Basic,
}

/// The login that a locked registry believes, and one that may only read.
pub const LOGIN: (&str, &str) = ("ada", "lamps-that-last");
/// See [`LOGIN`].
pub const READER: (&str, &str) = ("bob", "lamps-to-look-at");

#[derive(Default)]
struct Shelf {
    blobs: BTreeMap<String, Bytes>,
    manifests: BTreeMap<String, Bytes>,
    tags: BTreeMap<String, String>,
    lock: Option<Lock>,
    harm: Option<Harm>,
    uploads: usize,
    requests: Vec<String>,
    shown: usize,
}

/// A registry; clones are the same one. It ends with the test's process.
#[derive(Clone)]
pub struct Registry {
    address: SocketAddr,
    shelf: Arc<Mutex<Shelf>>,
}

impl Registry {
    /// Starts one on a thread of its own, so that a test may wait for a command.
    ///
    /// # Panics
    /// When there is no free port.
    pub fn start() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.set_nonblocking(true).expect("nonblocking");
        let registry = Self { address: listener.local_addr().expect("an address"), shelf: Arc::default() };
        let served = axum::Router::new().fallback(answers::answer).with_state(registry.clone());
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
                axum::serve(listener, served).await.expect("served");
            });
        });
        registry
    }

    /// Its host, as references begin with it.
    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// Lets nobody in without a login from now on.
    pub fn lock(&self, lock: Lock) {
        self.shelf().lock = Some(lock);
    }

    /// Does this wrong from now on, or nothing any more.
    pub fn harm(&self, harm: Option<Harm>) {
        self.shelf().harm = harm;
    }

    /// A manifest that is there.
    ///
    /// # Panics
    /// When there is none.
    pub fn manifest(&self, digest: &str) -> Value {
        serde_json::from_slice(self.shelf().manifests.get(digest).expect("a manifest")).expect("JSON")
    }

    /// The bytes of a file that is there.
    ///
    /// # Panics
    /// When there are none.
    pub fn blob(&self, digest: &str) -> Bytes {
        self.shelf().blobs.get(digest).expect("a blob").clone()
    }

    /// Puts a manifest there that nobody has pushed, and gives its digest.
    pub fn put_manifest(&self, manifest: &Value) -> String {
        let bytes = Bytes::from(manifest.to_string());
        let digest = digest(&bytes);
        self.shelf().manifests.insert(digest.clone(), bytes);
        digest
    }

    /// Puts a file there that nobody has pushed, and gives its digest.
    pub fn put_blob(&self, bytes: impl Into<Bytes>) -> String {
        let bytes = bytes.into();
        let digest = digest(&bytes);
        self.shelf().blobs.insert(digest.clone(), bytes);
        digest
    }

    /// How many files were sent here.
    pub fn uploads(&self) -> usize {
        self.shelf().uploads
    }

    /// Method and path of what was asked, in order.
    pub fn requests(&self) -> Vec<String> {
        self.shelf().requests.clone()
    }

    /// How many requests came with an `Authorization`.
    pub fn shown(&self) -> usize {
        self.shelf().shown
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().expect("whole")
    }
}

fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", model::token::hex(&Sha256::digest(bytes)))
}
