//! The integration tests: one binary, whole hosts over HTTP on loopback, both doors. A folder says what its tests need.

mod engine;
mod modules;
mod workshop;
