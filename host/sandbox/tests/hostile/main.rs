//! Hostile guests, one test for each way out: what the host must say to it.

mod guest;
mod kinds;
mod limits;
mod locks;
mod outside;
mod tenants;
