//! Streaming decompression of a body, bounded by the bytes to keep.

use std::io::Write;

use flate2::write::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use super::Failure;

/// Decoded bytes per received byte. No legitimate page comes close.
const MOST_RATIO: usize = 100;
/// Below this many decoded bytes the ratio is not checked.
const RATIO_FROM: usize = 1 << 20;

/// Received bytes of an encoded body beyond those to keep decoded. No encoding adds more than an eighth and a header.
/// Without this bound, a stream of empty blocks would be read as long as it is sent.
fn most_received(most: usize) -> usize {
    most + most / 8 + (64 << 10)
}

/// A body that is being received.
pub(super) struct Body {
    received: usize,
    coding: Coding,
}

enum Coding {
    Plain(Kept),
    Gzip(Box<MultiGzDecoder<Kept>>),
    Zlib(Box<ZlibDecoder<Kept>>),
    Raw(Box<DeflateDecoder<Kept>>),
    /// `deflate` before its first byte, which distinguishes zlib from raw (RFC 9110, 8.4.1.2).
    Unknown(Kept),
}

/// The decoded bytes that are kept.
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
    /// A body with this `Content-Encoding`, of which `most` bytes are kept.
    pub(super) fn new(encoding: &str, most: usize) -> Result<Self, Failure> {
        let kept = Kept { bytes: Vec::new(), most, full: false };
        let coding = match encoding.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Coding::Plain(kept),
            "gzip" | "x-gzip" => Coding::Gzip(Box::new(MultiGzDecoder::new(kept))),
            "deflate" => Coding::Unknown(kept),
            // `Accept-Encoding` offers nothing else.
            _ => return Err(Failure::Malformed),
        };
        Ok(Self { received: 0, coding })
    }

    /// Adds received bytes. Returns whether to read on.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<bool, Failure> {
        if bytes.is_empty() {
            return Ok(true);
        }
        self.received += bytes.len();
        if let Coding::Unknown(kept) = &mut self.coding {
            let kept = std::mem::take(kept);
            // A zlib header has CM 8 in its low bits (RFC 1950, 2.2). In practice no raw stream starts like that.
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

    /// Returns the kept bytes, and whether there were more.
    pub(super) fn finish(mut self) -> Result<(Vec<u8>, bool), Failure> {
        let flushed = match &mut self.coding {
            Coding::Plain(_) | Coding::Unknown(_) => Ok(()),
            Coding::Gzip(decoder) => decoder.try_finish(),
            Coding::Zlib(decoder) => decoder.try_finish(),
            Coding::Raw(decoder) => decoder.try_finish(),
        };
        let received = self.received;
        let kept = self.kept();
        // A stream that was abandoned early, or a body without bytes (304, 204), has no proper end.
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
