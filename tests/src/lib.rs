//! The harness: a whole host on loopback, customers with roles, both doors as a test wants to speak to them.

pub mod arguments;
pub mod clock;
pub mod customer;
pub mod database;
pub mod edges;
pub mod goals;
pub mod host;
pub mod injections;
pub mod large;
pub mod mcp;
pub mod needs;
pub mod operator;
pub mod patience;
pub mod person;
pub mod process;
pub mod publications;
pub mod reading;
pub mod registry;
pub mod remains;
pub mod shipped;
pub mod signed;
pub mod site;
pub mod tongue;
