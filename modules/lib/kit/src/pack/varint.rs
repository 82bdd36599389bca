//! Variable-length integers (unsigned LEB128).

/// Appends a number.
pub(super) fn write(mut value: u64, bytes: &mut Vec<u8>) {
    loop {
        let low = u8::try_from(value & 0x7f).unwrap_or(0);
        value >>= 7;
        if value == 0 {
            bytes.push(low);
            return;
        }
        bytes.push(low | 0x80);
    }
}

/// Reads a number and advances `bytes`; `None` when it is truncated or has more than 64 bits.
pub(super) fn read(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for at in 0..10 {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        let low = u64::from(first & 0x7f);
        if at == 9 && low > 1 {
            return None;
        }
        value |= low << (7 * at);
        if first & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}
