//! The bytes of a log file as lines: plain or gzip, from any place on.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{TINFL_FLAG_HAS_MORE_INPUT, TINFL_FLAG_IGNORE_ADLER32};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use serde::{Deserialize, Serialize};

use crate::format::MAX_LINE;

/// The window of deflate (RFC 1951 section 2).
const WINDOW: usize = 32 << 10;
/// The most bytes of the header of a gzip member.
const MAX_HEADER: usize = 128 << 10;

/// What is wrong with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Broken {
    /// The packed bytes cannot be unpacked from here on.
    Corrupt,
    /// The check sum or the length of a member is another one.
    Checksum,
    /// Packed in a way that is not read.
    Unsupported,
}

/// Where the reading of a file stands.
#[derive(Serialize, Deserialize)]
pub(crate) struct Stream {
    kind: Kind,
    carry: Vec<u8>,
    /// Lines that have ended.
    pub(crate) lines: u64,
    /// Bytes after unpacking: a packed file can have a thousand times its own.
    pub(crate) plain: u64,
    /// Bytes behind the last member that are no member.
    pub(crate) trailing: u64,
}

#[derive(Serialize, Deserialize)]
enum Kind {
    /// Nothing was read yet.
    Unknown,
    Plain,
    Gzip(Box<Gzip>),
}

#[derive(Serialize, Deserialize)]
struct Gzip {
    stage: Stage,
    /// Bytes of a header or trailer that is not whole yet.
    kept: Vec<u8>,
    /// On the heap: it is read back through many frames, and a guest's stack has 128 KiB.
    inflater: Box<DecompressorOxide>,
    window: Vec<u8>,
    at: usize,
    sum: u32,
    length: u32,
    /// Members that have ended.
    members: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Stage {
    Header,
    Body,
    Trailer,
    Ended,
}

impl Stream {
    pub(crate) fn new() -> Self {
        Self { kind: Kind::Unknown, carry: Vec::new(), lines: 0, plain: 0, trailing: 0 }
    }

    /// Takes the next bytes of the file and calls `each` with every line that ends in them and its number, from 1.
    ///
    /// # Errors
    /// [`Broken`]; the lines before were handed over.
    pub(crate) fn feed(&mut self, bytes: &[u8], each: &mut dyn FnMut(u64, &[u8])) -> Result<(), Broken> {
        if bytes.is_empty() {
            return Ok(());
        }
        if matches!(self.kind, Kind::Unknown) {
            self.kind = match bytes {
                [0x1f, 0x8b, ..] => Kind::Gzip(Box::new(Gzip::new())),
                [0x28, 0xb5, 0x2f, 0xfd, ..]
                | [b'B', b'Z', b'h', ..]
                | [b'P', b'K', 3, 4, ..]
                | [0xfd, b'7', b'z', ..] => {
                    return Err(Broken::Unsupported);
                }
                _ => Kind::Plain,
            };
        }
        let (carry, lines, plain) = (&mut self.carry, &mut self.lines, &mut self.plain);
        match &mut self.kind {
            Kind::Unknown | Kind::Plain => {
                let from = if *lines == 0 && carry.is_empty() && bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
                *plain += bytes.len() as u64;
                split(carry, lines, &bytes[from..], each);
                Ok(())
            }
            Kind::Gzip(gzip) => gzip.feed(bytes, &mut self.trailing, &mut |unpacked| {
                *plain += unpacked.len() as u64;
                split(carry, lines, unpacked, each);
            }),
        }
    }

    /// The file has ended: its last line needs no line break. `false` where its last member is not whole.
    pub(crate) fn end(&mut self, each: &mut dyn FnMut(u64, &[u8])) -> bool {
        if !self.carry.is_empty() {
            let line = std::mem::take(&mut self.carry);
            self.lines += 1;
            each(self.lines, &line);
        }
        // What inflates is no longer needed.
        match std::mem::replace(&mut self.kind, Kind::Plain) {
            Kind::Gzip(gzip) => gzip.stage == Stage::Ended || (gzip.stage == Stage::Header && gzip.kept.is_empty()),
            _ => true,
        }
    }
}

fn split(carry: &mut Vec<u8>, lines: &mut u64, bytes: &[u8], each: &mut dyn FnMut(u64, &[u8])) {
    let mut rest = bytes;
    while let Some(end) = rest.iter().position(|it| *it == b'\n') {
        *lines += 1;
        if carry.is_empty() {
            each(*lines, &rest[..end]);
        } else {
            keep(carry, &rest[..end]);
            each(*lines, carry);
            carry.clear();
        }
        rest = &rest[end + 1..];
    }
    keep(carry, rest);
}

/// A line that is too long is kept as long as is needed to say so.
fn keep(carry: &mut Vec<u8>, bytes: &[u8]) {
    let room = (MAX_LINE + 1).saturating_sub(carry.len());
    carry.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

impl Gzip {
    fn new() -> Self {
        Self {
            stage: Stage::Header,
            kept: Vec::new(),
            inflater: Box::default(),
            window: vec![0; WINDOW],
            at: 0,
            sum: 0,
            length: 0,
            members: 0,
        }
    }

    fn feed(&mut self, bytes: &[u8], trailing: &mut u64, out: &mut dyn FnMut(&[u8])) -> Result<(), Broken> {
        let mut rest = bytes;
        while !rest.is_empty() {
            match self.stage {
                Stage::Ended => {
                    *trailing += rest.len() as u64;
                    return Ok(());
                }
                Stage::Header => {
                    // Members follow each other, as rotating logs append them.
                    if self.kept.is_empty() && self.members > 0 && rest[0] != 0x1f {
                        self.stage = Stage::Ended;
                        continue;
                    }
                    self.kept.push(rest[0]);
                    rest = &rest[1..];
                    match header(&self.kept) {
                        Header::Whole => {
                            self.kept.clear();
                            self.inflater.init();
                            (self.stage, self.at, self.sum, self.length) = (Stage::Body, 0, 0, 0);
                        }
                        Header::More if self.kept.len() < MAX_HEADER => {}
                        Header::More | Header::None => return Err(Broken::Corrupt),
                    }
                }
                Stage::Body => {
                    let flags = TINFL_FLAG_HAS_MORE_INPUT | TINFL_FLAG_IGNORE_ADLER32;
                    let (status, read, written) =
                        decompress(&mut self.inflater, rest, &mut self.window, self.at, flags);
                    let plain = &self.window[self.at..self.at + written];
                    let mut hasher = crc32fast::Hasher::new_with_initial(self.sum);
                    hasher.update(plain);
                    self.sum = hasher.finalize();
                    self.length = self.length.wrapping_add(u32::try_from(written).unwrap_or(0));
                    out(plain);
                    self.at = (self.at + written) & (WINDOW - 1);
                    rest = &rest[read..];
                    match status {
                        TINFLStatus::Done => self.stage = Stage::Trailer,
                        _ if read == 0 && written == 0 => return Err(Broken::Corrupt),
                        TINFLStatus::HasMoreOutput | TINFLStatus::NeedsMoreInput => {}
                        _ => return Err(Broken::Corrupt),
                    }
                }
                Stage::Trailer => {
                    self.kept.push(rest[0]);
                    rest = &rest[1..];
                    if let [a, b, c, d, e, f, g, h] = self.kept[..] {
                        let (sum, length) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
                        if (sum, length) != (self.sum, self.length) {
                            return Err(Broken::Checksum);
                        }
                        self.kept.clear();
                        self.stage = Stage::Header;
                        self.members += 1;
                    }
                }
            }
        }
        Ok(())
    }
}

enum Header {
    Whole,
    More,
    None,
}

/// Whether these bytes are the whole header of a member (RFC 1952 section 2.3).
fn header(bytes: &[u8]) -> Header {
    if !bytes.iter().zip([0x1f, 0x8b, 8]).all(|(it, wanted)| *it == wanted) {
        return Header::None;
    }
    let Some(flags) = bytes.get(3) else { return Header::More };
    let mut at = 10;
    if flags & 4 != 0 {
        let Some(length) = bytes.get(at..at + 2) else { return Header::More };
        at += 2 + usize::from(u16::from_le_bytes([length[0], length[1]]));
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            let Some(end) = bytes.get(at..).and_then(|it| it.iter().position(|it| *it == 0)) else {
                return Header::More;
            };
            at += end + 1;
        }
    }
    if flags & 2 != 0 {
        at += 2;
    }
    if bytes.len() >= at { Header::Whole } else { Header::More }
}
