//! Ports for programs that have to be told theirs.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::net::{TcpListener, UdpSocket};

/// Below what systems give to those who ask for any port (32,768 on Linux, 49,152 by RFC 6335): nobody who asks so gets
/// one of these between the choice and the program's start.
const FIRST: u16 = 20_000;
const LAST: u16 = 31_999;

/// A port on which nothing listens, neither by TCP nor by UDP, and that nobody is given by chance.
///
/// # Panics
/// When none of them is free.
pub fn free_port() -> u16 {
    let count = LAST - FIRST + 1;
    let start = RandomState::new().build_hasher().finish() % u64::from(count);
    let start = u16::try_from(start).expect("below the count");
    let free =
        |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok() && UdpSocket::bind(("127.0.0.1", *port)).is_ok();
    (0..count).map(|step| FIRST + (start + step) % count).find(free).expect("a free port")
}
