//! The integration tests: one binary, whole hosts over HTTP on loopback, both doors.

mod authors;
mod backup;
mod bad_input;
mod boundary;
mod budgets;
mod checklist;
mod conformance;
mod conversation;
mod crash;
mod customers;
mod fail_closed;
mod failover;
mod golden;
mod hostile_sites;
mod idempotency;
mod jobs;
mod keys;
mod nodes;
mod outside;
mod points;
mod portal;
mod proxy;
mod renewal;
mod secrets;
mod tidy;
mod truth;
