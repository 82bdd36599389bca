//! The simulators speak as the providers do, refuse as they do, and fail as they are told.

mod client;
mod faults;
mod google;
mod wordpress;
