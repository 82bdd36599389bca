//! The binary's parts: configuration, wiring and commands. No rules of the product live here.

pub mod archive;
pub mod assembly;
pub mod catalogs;
pub mod cli;
pub mod commands;
mod descriptors;
pub mod early;
mod in_force;
mod kept;
pub mod keys;
pub mod modules;
pub mod notary;
pub mod packages;
pub mod registry;
mod scratch;
mod sealed_file;
pub mod settings;
pub mod vouched;

/// A request makes hundreds of small short-lived values, on more threads than the system's allocator likes.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
