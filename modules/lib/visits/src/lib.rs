//! Requests in access logs as the module `logs` stores them: by day, address, bot and status, and the newest visit of each
//! address.
//!
//! ```text
//! hits/{site}/{yyyy-mm}   b NUL address NUL family NUL verdict status     requests of bots
//!                         p NUL folder NUL status                         requests of browsers
//!                         r NUL product NUL address                       visits that an assistant sent
//!                         s NUL family NUL network NUL mark               requests under a name that was not theirs
//! urls/{site}             b NUL address NUL family                        first and last visit; day 0 all, day 1 verified
//! ```

#[cfg(not(target_arch = "wasm32"))]
pub mod trial;

mod key;
mod shelf;
mod store;

pub use key::{Key, Verdict};
pub use shelf::{Damaged, Entry, Index, Merged, Merger, Shelf, Source, writer};
pub use store::{MAX_BYTES, Newest, Store, TooMuch};

pub use kit::pack::{Figures, Visits};
