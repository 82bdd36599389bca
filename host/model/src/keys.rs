//! The key ring: the newest key seals, every key opens. What was sealed before a rotation stays good.

use std::sync::{Arc, PoisonError, RwLock, Weak};

/// Bytes of a key.
pub const KEY: usize = 32;

/// A key and what may be told of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    /// Says which one it is, and nothing of what it is.
    pub id: String,
    /// When it was made: RFC 3339.
    pub created: String,
    secret: [u8; KEY],
}

impl Key {
    /// A key of this secret.
    pub fn new(id: impl Into<String>, created: impl Into<String>, secret: [u8; KEY]) -> Self {
        Self { id: id.into(), created: created.into(), secret }
    }

    /// The secret, for the code that is made with it.
    pub fn reveal(&self) -> &[u8; KEY] {
        &self.secret
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Key({})", self.id)
    }
}

/// Some keys, at least one: a copy that no rotation changes any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRing(Arc<[Key]>);

impl KeyRing {
    /// Keys in the order in which they were made. None when there are none.
    pub fn new(keys: Vec<Key>) -> Option<Self> {
        (!keys.is_empty()).then(|| Self(keys.into()))
    }

    /// A ring with one key, for where nothing is ever rotated.
    pub fn of(secret: [u8; KEY]) -> Self {
        Self(Arc::new([Key::new("only", "", secret)]))
    }

    /// The key that seals.
    pub fn newest(&self) -> &Key {
        self.0.last().expect("a ring has a key")
    }

    /// The key that has been there the longest: rotation leaves it, only taking it out changes it.
    pub fn oldest(&self) -> &Key {
        self.0.first().expect("a ring has a key")
    }

    /// The keys that open, the likeliest first.
    pub fn newest_first(&self) -> impl Iterator<Item = &Key> {
        self.0.iter().rev()
    }

    /// The keys, oldest first.
    pub fn keys(&self) -> &[Key] {
        &self.0
    }
}

/// The ring in force: one place, seen by whoever has a clone of this.
#[derive(Clone, Debug)]
pub struct Keys(Arc<RwLock<KeyRing>>);

impl Keys {
    /// A place with this ring in it.
    pub fn new(ring: KeyRing) -> Self {
        Self(Arc::new(RwLock::new(ring)))
    }

    /// The ring at this moment.
    pub fn current(&self) -> KeyRing {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts another ring in force.
    pub fn replace(&self, ring: KeyRing) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = ring;
    }

    /// A look at the place that does not keep it.
    pub fn downgrade(&self) -> WeakKeys {
        WeakKeys(Arc::downgrade(&self.0))
    }
}

/// As [`Keys`], for a task that ends with the last of its users.
#[derive(Clone, Debug)]
pub struct WeakKeys(Weak<RwLock<KeyRing>>);

impl WeakKeys {
    /// The place, while anybody uses it.
    pub fn upgrade(&self) -> Option<Keys> {
        self.0.upgrade().map(Keys)
    }
}
