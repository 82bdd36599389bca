//! Disavow files: `backlinks.disavow.*`, and the rules that Google reads them by.
//!
//! Source: support.google.com/webmasters/answer/2648487 ("Disavow links to your site").

pub(crate) mod build;
pub(crate) mod file;
mod given_up;
pub(crate) mod validate;

#[cfg(test)]
mod tests;
