//! The simulators speak as the providers do, refuse as they do, and fail as they are told.

mod client;
mod dataforseo;
mod dns;
mod faults;
mod fulfilment;
mod google;
mod indexing;
mod llm;
mod mail;
mod registrars;
mod wordpress;
