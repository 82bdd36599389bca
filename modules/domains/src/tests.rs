//! The module as its users call it.

mod accounts;
mod free;
mod looking;
mod mail;
mod ready;
mod secure;
mod told;
mod writing;
mod zone;
