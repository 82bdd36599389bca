//! The fuzz targets. Each takes any bytes, hands them to a reader of the host through its public door, and panics when
//! the reader breaks a promise; that it refuses them is as fine as that it takes them. `README.md` says how to run them.

pub mod arguments;
pub mod contracts;
pub mod lock;
pub mod mutate;
pub mod section;
