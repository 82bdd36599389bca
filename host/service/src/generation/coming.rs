//! Modules that are still being built while the others answer.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use model::refusal::{About, Refusal};

/// How far a module is that is not served yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Building,
    /// It does not build or load. Whoever started the host was told why.
    Failed,
}

/// The modules that are not there yet, by name; shared by who builds them and by every generation that waits for them.
#[derive(Clone, Debug, Default)]
pub struct Coming(Arc<RwLock<BTreeMap<String, State>>>);

impl Coming {
    /// These are being built.
    pub fn of(names: impl IntoIterator<Item = String>) -> Self {
        let building = names.into_iter().map(|name| (name, State::Building)).collect();
        Self(Arc::new(RwLock::new(building)))
    }

    /// All that are not there: nothing of them can be loaded.
    pub fn names(&self) -> Vec<String> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }

    /// Whether a module is not there.
    pub fn has(&self, name: &str) -> bool {
        self.state(name).is_some()
    }

    /// A module is there.
    pub fn has_come(&self, name: &str) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(name);
    }

    /// A module does not come before the next start.
    pub fn has_failed(&self, name: &str) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), State::Failed);
    }

    /// Whether a module can be waited for.
    pub(super) fn is_building(&self, name: &str) -> bool {
        self.state(name) == Some(State::Building)
    }

    /// Why an operation of this module cannot be called, where that is the module's state.
    pub(super) fn refusal(&self, module: &str) -> Option<Refusal> {
        let refusal = match self.state(module)? {
            State::Building => Refusal::unavailable(format!(
                "the module {module} is still being built here, and is served as soon as it is there"
            ))
            .about(About::Building)
            .retry_after(10),
            State::Failed => Refusal::unavailable(format!(
                "the module {module} could not be built here; the terminal of this host says why, and its next start tries again"
            ))
            .retry_after(600),
        };
        Some(refusal)
    }

    fn state(&self, name: &str) -> Option<State> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(name).copied()
    }
}
