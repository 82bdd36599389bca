//! What the revision serves that a call belongs to: asked of the host once for each operation, and natively of the catalog
//! beside the SDK.

/// Whether an operation is served.
#[cfg(target_arch = "wasm32")]
pub(crate) fn serves(operation: &str) -> bool {
    use std::cell::RefCell;
    use std::collections::BTreeMap;

    use crate::bindings::wit::catalog;

    thread_local! {
        static ASKED: RefCell<BTreeMap<String, bool>> = const { RefCell::new(BTreeMap::new()) };
    }
    ASKED.with_borrow_mut(|asked| match asked.get(operation) {
        Some(known) => *known,
        None => *asked.entry(operation.to_owned()).or_insert(catalog::serves(operation)),
    })
}

/// Whether an operation is served.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use crate::fake::serves;
