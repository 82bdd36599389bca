//! Target: the sections of a component, and the contracts among them.

use model::canonical;
use sandbox::{inspect, seal};

/// Magic, version and layer: the smallest component.
pub const EMPTY: [u8; 8] = *b"\0asm\x0d\0\x01\0";

/// The smallest component with these bytes in the contract section.
///
/// # Panics
/// When the bytes are longer than a section can be.
pub fn around(content: &[u8]) -> Vec<u8> {
    let name = model::manifest::SECTION.as_bytes();
    let mut component = EMPTY.to_vec();
    component.push(0);
    let length = |value: usize| {
        let value = u32::try_from(value).expect("a section is below 4 GiB");
        // Five bytes always: a longer form of a length is a length too.
        let part = |index: u32| u8::try_from((value >> (7 * index)) & 0x7f).expect("seven bits");
        [part(0) | 0x80, part(1) | 0x80, part(2) | 0x80, part(3) | 0x80, part(4)]
    };
    component.extend(length(5 + name.len() + content.len()));
    component.extend(length(name.len()));
    component.extend(name);
    component.extend(content);
    component
}

/// A component that was looked at says what it is in one form only; sealing never makes anything that cannot be read.
///
/// # Panics
/// When that is not so.
pub fn check(bytes: &[u8]) {
    let _ = inspect::inspect(bytes);
    if let Ok(shown) = inspect::inspect(&around(bytes)) {
        assert_eq!(canonical::write(&shown.built.manifest), bytes, "contracts were taken that are not canonical");
    }
    if let Ok(sealed) = seal::seal(&EMPTY, bytes, &[]) {
        inspect::inspect(&sealed).expect("what was sealed can be read");
        assert_eq!(seal::seal(&sealed, bytes, &[]).expect("sealed again"), sealed, "sealing twice is sealing once");
    }
    let plain = br#"{"module":"plain","operations":[],"wit":"espalier:module@1.0.0"}"#;
    let whole = inspect::inspect(bytes).is_ok();
    match seal::seal(bytes, plain, &["init".to_owned()]) {
        Ok(taken) if whole => {
            let shown = inspect::inspect(&taken).expect("a component stays one");
            assert!(!shown.exports.iter().any(|export| export == "#init"), "the function is still there");
        }
        _ => {}
    }
}
