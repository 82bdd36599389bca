//! The module as its users call it: read, write, publish, take back.

mod changing;
mod making;
mod maps;
mod reading;
mod redirects;
mod seo;
