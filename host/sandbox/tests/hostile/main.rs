//! Hostile guests, one test for each way out: what the host must say to it.

mod connected;
mod corpus;
mod edges;
mod kinds;
mod limits;
mod locks;
mod mail;
mod names;
mod outside;
mod providers;
mod recipients;
mod replay;
mod tenants;
mod tiers;

use hostile::guest;
