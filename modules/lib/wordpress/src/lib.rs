//! A customer's WordPress: the installation of a website, its items, guarded writes, records of changes, SEO fields.
//!
//! By the REST interface that WordPress documents (developer.wordpress.org/rest-api/reference). An operation that writes
//! items needs these lines of `outside`, for `posts`, `pages` and `product`:
//!
//! ```text
//! wordpress GET /wp-json
//! wordpress GET /wp-json/wp/v2/posts
//! wordpress GET /wp-json/wp/v2/posts/*
//! wordpress GET /wp-json/wp/v2/posts/*/revisions
//! wordpress POST /wp-json/wp/v2/posts/* change
//! ```

mod change;
mod create;
mod find;
mod installation;
mod item;
mod kind;
mod media;
pub mod seo;
mod undo;
mod write;

use sdk::Need;

pub use change::{Change, Field, Kept, Rollback, What, Why, batch};
pub use create::{create, trash};
pub use find::{Listing, Page};
pub use installation::Installation;
pub use item::{Fields, Item, Reference, Rights, plain};
pub use kind::{Kind, Taxonomy};
pub use undo::{Undone, put_back};
pub use write::{Patch, Written, intend, write};

/// A WordPress that a customer connected.
pub const NEED: Need = Need::key("wordpress", &["a user with the role Editor"]);

#[cfg(test)]
mod tests;
#[cfg(test)]
mod trial;
