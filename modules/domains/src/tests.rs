//! The module as its users call it.

mod accounts;
mod buying;
mod free;
mod ideas;
mod large;
mod looking;
mod mail;
mod ready;
mod secure;
mod signing;
mod told;
mod writing;
mod zone;
