//! Tests of `inflate`.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

use super::{Body, Failure};

const MIB: usize = 1 << 20;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

fn decoded(encoding: &str, wire: &[u8], most: usize) -> Result<(Vec<u8>, bool), Failure> {
    let mut body = Body::new(encoding, most)?;
    for piece in wire.chunks(1_000) {
        if !body.push(piece)? {
            break;
        }
    }
    body.finish()
}

/// Bytes that compress poorly.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1u32;
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..length).map(next).collect()
}

#[test]
fn each_coding_gives_the_page() {
    let page = noise(50_000);
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
    zlib.write_all(&page).expect("memory takes it");
    let mut raw = DeflateEncoder::new(Vec::new(), Compression::fast());
    raw.write_all(&page).expect("memory takes it");
    for (encoding, wire) in [
        ("", page.clone()),
        ("identity", page.clone()),
        ("gzip", gzip(&page)),
        ("GZip", gzip(&page)),
        ("deflate", zlib.finish().expect("memory takes it")),
        ("deflate", raw.finish().expect("memory takes it")),
    ] {
        assert_eq!(decoded(encoding, &wire, MIB), Ok((page.clone(), false)), "{encoding}");
    }
}

#[test]
fn a_page_longer_than_wanted_is_cut_and_says_so() {
    let page = noise(50_000);
    for (encoding, wire) in [("", page.clone()), ("gzip", gzip(&page))] {
        let (kept, truncated) = decoded(encoding, &wire, 10_000).expect("a page");
        assert_eq!((kept.as_slice(), truncated), (&page[..10_000], true));
    }
}

#[test]
fn a_page_of_exactly_the_wanted_length_is_whole() {
    let page = noise(10_000);
    assert_eq!(decoded("gzip", &gzip(&page), 10_000), Ok((page, false)));
}

#[test]
fn a_bomb_is_malformed_and_never_held() {
    let bomb = gzip(&vec![0; 64 * MIB]);
    assert!(bomb.len() < 100_000);
    assert_eq!(decoded("gzip", &bomb, 8 * MIB), Err(Failure::Malformed));
}

#[test]
fn a_broken_or_cut_stream_is_malformed() {
    let whole = gzip(&noise(5_000));
    assert_eq!(decoded("gzip", &whole[..whole.len() / 2], MIB), Err(Failure::Malformed));
    assert_eq!(decoded("gzip", b"this is no gzip at all", MIB), Err(Failure::Malformed));
}

#[test]
fn a_coding_that_was_not_offered_is_malformed() {
    for encoding in ["br", "zstd", "gzip, gzip", "compress"] {
        assert_eq!(decoded(encoding, b"x", MIB), Err(Failure::Malformed), "{encoding}");
    }
}

#[test]
fn no_body_is_no_error() {
    assert_eq!(decoded("gzip", b"", MIB), Ok((Vec::new(), false)));
}

#[test]
fn a_stream_of_empty_blocks_is_not_read_for_ever() {
    // An empty stored block (RFC 1951, 3.2.4) that is not the last one.
    let empty = [0, 0, 0, 0xff, 0xff].repeat(MIB);
    assert_eq!(decoded("deflate", &empty, 100_000).expect_err("no page"), Failure::Malformed);
    let members = gzip(b"").repeat(MIB / 10);
    assert_eq!(decoded("gzip", &members, 100_000).expect_err("no page"), Failure::Malformed);
}

#[test]
fn a_page_that_does_not_shrink_passes_at_its_full_length() {
    let page = noise(MIB);
    for most in [MIB, MIB + 1, 8 * MIB] {
        assert_eq!(decoded("gzip", &gzip(&page), most).expect("a page"), (page.clone(), false), "{most}");
    }
}
