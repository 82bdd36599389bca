//! The body of a text as sanitised HTML, as Markdown (CommonMark, with GitHub's tables) and as plain words.
//!
//! Everything is linear in the length of the body times its nesting, and nesting is bounded by [`MAX_LEVELS`].

mod allowed;
mod clean;
mod escape;
mod inline;
mod links;
mod plain;
mod prose;
mod write;

pub use clean::{Body, Refusal, of_html, of_markdown};
pub use links::{Link, links};
pub use plain::text;
pub use prose::prose;
pub use write::markdown;

/// Bytes of a body as sanitised HTML, at most: 2 MiB.
pub const MAX_BYTES: usize = 2 << 20;
/// Levels of elements within each other, at most, those of the document itself included.
pub const MAX_LEVELS: u32 = 64;

#[cfg(test)]
mod tests;
