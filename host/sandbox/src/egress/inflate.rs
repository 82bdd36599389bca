//! The body as it comes in: decoded while it is read, and never more than was asked for.

use std::io::Write;

use flate2::write::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use super::Failure;

/// Decoded bytes for each received one; no honest page comes near.
const MOST_RATIO: usize = 100;
/// Below this many decoded bytes the ratio says nothing.
const RATIO_FROM: usize = 1 << 20;

/// Received bytes of a coded body beyond those that are wanted decoded; no coding adds more than an eighth and a head.
/// Without it a stream of empty blocks would be read for as long as it is sent.
fn most_received(most: usize) -> usize {
    most + most / 8 + (64 << 10)
}

/// A body that grows.
pub(super) struct Body {
    received: usize,
    coding: Coding,
}

enum Coding {
    Plain(Kept),
    Gzip(Box<MultiGzDecoder<Kept>>),
    Zlib(Box<ZlibDecoder<Kept>>),
    Raw(Box<DeflateDecoder<Kept>>),
    /// `deflate` before its first byte, which tells zlib from raw (RFC 9110, 8.4.1.2).
    Unknown(Kept),
}

/// What is kept of the decoded bytes.
#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    most: usize,
    full: bool,
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let room = self.most - self.bytes.len();
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
        if bytes.len() > room {
            self.full = true;
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Body {
    /// A body in this `Content-Encoding`, of which `most` bytes are kept.
    pub(super) fn new(encoding: &str, most: usize) -> Result<Self, Failure> {
        let kept = Kept { bytes: Vec::new(), most, full: false };
        let coding = match encoding.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Coding::Plain(kept),
            "gzip" | "x-gzip" => Coding::Gzip(Box::new(MultiGzDecoder::new(kept))),
            "deflate" => Coding::Unknown(kept),
            // Nothing else was offered in `Accept-Encoding`.
            _ => return Err(Failure::Malformed),
        };
        Ok(Self { received: 0, coding })
    }

    /// Takes what came in. Says whether more is wanted.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<bool, Failure> {
        if bytes.is_empty() {
            return Ok(true);
        }
        self.received += bytes.len();
        if let Coding::Unknown(kept) = &mut self.coding {
            let kept = std::mem::take(kept);
            // CM is 8 in the low bits of a zlib header (RFC 1950, 2.2); a raw block never starts so in practice.
            self.coding = if bytes[0] & 0x0f == 8 {
                Coding::Zlib(Box::new(ZlibDecoder::new(kept)))
            } else {
                Coding::Raw(Box::new(DeflateDecoder::new(kept)))
            };
        }
        let written = match &mut self.coding {
            Coding::Plain(kept) | Coding::Unknown(kept) => kept.write_all(bytes),
            Coding::Gzip(decoder) => decoder.write_all(bytes),
            Coding::Zlib(decoder) => decoder.write_all(bytes),
            Coding::Raw(decoder) => decoder.write_all(bytes),
        };
        let plain = matches!(self.coding, Coding::Plain(_));
        let Kept { bytes: kept, most, full } = self.kept();
        let (length, most, full) = (kept.len(), *most, *full);
        if !plain && !full && self.received > most_received(most) {
            return Err(Failure::Malformed);
        }
        if !plain && length > RATIO_FROM && length > self.received.saturating_mul(MOST_RATIO) {
            return Err(Failure::Malformed);
        }
        match written {
            Ok(()) => Ok(true),
            Err(_) if full => Ok(false),
            Err(_) => Err(Failure::Malformed),
        }
    }

    /// The kept bytes, and whether there was more.
    pub(super) fn finish(mut self) -> Result<(Vec<u8>, bool), Failure> {
        let flushed = match &mut self.coding {
            Coding::Plain(_) | Coding::Unknown(_) => Ok(()),
            Coding::Gzip(decoder) => decoder.try_finish(),
            Coding::Zlib(decoder) => decoder.try_finish(),
            Coding::Raw(decoder) => decoder.try_finish(),
        };
        let received = self.received;
        let kept = self.kept();
        // A stream that was left early, or a body of no bytes (304, 204), has no proper end.
        if flushed.is_err() && !kept.full && received > 0 {
            return Err(Failure::Malformed);
        }
        Ok((std::mem::take(&mut kept.bytes), kept.full))
    }

    fn kept(&mut self) -> &mut Kept {
        match &mut self.coding {
            Coding::Plain(kept) | Coding::Unknown(kept) => kept,
            Coding::Gzip(decoder) => decoder.get_mut(),
            Coding::Zlib(decoder) => decoder.get_mut(),
            Coding::Raw(decoder) => decoder.get_mut(),
        }
    }
}

#[cfg(test)]
mod tests;
