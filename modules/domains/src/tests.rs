//! The module as its users call it.

mod free;
mod looking;
mod mail;
mod secure;
