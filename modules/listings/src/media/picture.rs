//! Pictures: their type by their first bytes, their size, and a perceptual hash by which copies are found.
//!
//! The hash is pHash as `imagehash.phash` of Python computes it: grey, 32 × 32, a discrete cosine transform of type II, and of its lowest
//! 8 × 8 frequencies a bit each: above their median or not.

use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Pixels of a picture.
const MOST_PIXELS: u64 = 40_000_000;
/// Pixels on each side that the hash is made of, and frequencies.
const SIDE: usize = 32;
const LOW: usize = 8;

/// A picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) hash: u64,
}

/// Why a picture was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// It is neither JPEG nor PNG.
    OtherType,
    TooLarge,
    Broken,
}

/// A picture in shades of grey, row by row.
struct Grey {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Picture {
    /// Reads a picture.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Unreadable> {
        let grey = if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
            jpeg(bytes)?
        } else if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            png(bytes)?
        } else {
            return Err(Unreadable::OtherType);
        };
        let size = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        Ok(Self { width: size(grey.width), height: size(grey.height), hash: hash(&grey) })
    }
}

fn checked(width: usize, height: usize) -> Result<(), Unreadable> {
    if width == 0 || height == 0 {
        return Err(Unreadable::Broken);
    }
    if width as u64 * height as u64 > MOST_PIXELS { Err(Unreadable::TooLarge) } else { Ok(()) }
}

fn jpeg(bytes: &[u8]) -> Result<Grey, Unreadable> {
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::Luma);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(|_| Unreadable::Broken)?;
    let (width, height) = decoder.dimensions().ok_or(Unreadable::Broken)?;
    checked(width, height)?;
    let pixels = decoder.decode().map_err(|_| Unreadable::Broken)?;
    if pixels.len() < width * height {
        return Err(Unreadable::Broken);
    }
    Ok(Grey { width, height, pixels })
}

fn png(bytes: &[u8]) -> Result<Grey, Unreadable> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|_| Unreadable::Broken)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    checked(width, height)?;
    let size = reader.output_buffer_size().ok_or(Unreadable::TooLarge)?;
    let mut buffer = vec![0; size];
    let frame = reader.next_frame(&mut buffer).map_err(|_| Unreadable::Broken)?;
    let channels = frame.color_type.samples();
    let pixels = buffer[..frame.buffer_size()]
        .chunks_exact(channels)
        .map(|it| match it {
            [grey] => *grey,
            // What is seen through is seen on white.
            [grey, alpha] => on_white(*grey, *alpha),
            [r, g, b] => luma(*r, *g, *b),
            [r, g, b, alpha] => luma(on_white(*r, *alpha), on_white(*g, *alpha), on_white(*b, *alpha)),
            _ => 0,
        })
        .collect();
    Ok(Grey { width, height, pixels })
}

fn on_white(value: u8, alpha: u8) -> u8 {
    let mixed = u32::from(value) * u32::from(alpha) + 255 * (255 - u32::from(alpha));
    u8::try_from(mixed / 255).unwrap_or(255)
}

/// ITU-R 601-2, as Pillow turns colours into grey.
fn luma(r: u8, g: u8, b: u8) -> u8 {
    let sum = u32::from(r) * 19_595 + u32::from(g) * 38_470 + u32::from(b) * 7_471 + 32_768;
    u8::try_from(sum >> 16).unwrap_or(255)
}

/// The mean of the pixels that fall on each of 32 × 32.
#[expect(clippy::cast_precision_loss, reason = "a picture has far fewer pixels than 2^52")]
fn shrunk(grey: &Grey) -> Vec<f64> {
    // The weights of the pixels of a side: each lies on one or two of the 32, or on several where the picture is small.
    let spans = |length: usize| -> Vec<(usize, usize)> {
        (0..SIDE).map(|at| (at * length / SIDE, ((at + 1) * length).div_ceil(SIDE).min(length))).collect()
    };
    let (columns, rows) = (spans(grey.width), spans(grey.height));
    let overlap = |pixel: usize, at: usize, length: usize| {
        let scale = SIDE as f64 / length as f64;
        let (from, to) = (pixel as f64 * scale, (pixel + 1) as f64 * scale);
        (to.min((at + 1) as f64) - from.max(at as f64)).max(0.0)
    };
    let mut small = vec![0.0; SIDE * SIDE];
    // Row by row: of each row the sums of its columns, so that every pixel is looked at once or twice.
    for (y, (first, last)) in rows.iter().enumerate() {
        let mut weight_sum = 0.0;
        let mut sums = vec![0.0; SIDE];
        for row in *first..*last {
            let weight = overlap(row, y, grey.height);
            weight_sum += weight;
            let line = &grey.pixels[row * grey.width..(row + 1) * grey.width];
            for (x, (from, to)) in columns.iter().enumerate() {
                let (mut sum, mut all) = (0.0, 0.0);
                for (column, pixel) in (*from..*to).zip(&line[*from..*to]) {
                    let weight = overlap(column, x, grey.width);
                    sum += f64::from(*pixel) * weight;
                    all += weight;
                }
                sums[x] += sum / all * weight;
            }
        }
        for (x, sum) in sums.into_iter().enumerate() {
            small[y * SIDE + x] = sum / weight_sum;
        }
    }
    small
}

#[expect(clippy::cast_precision_loss, reason = "indices are below 32")]
fn hash(grey: &Grey) -> u64 {
    let small = shrunk(grey);
    let cosine = |k: usize, n: usize| (std::f64::consts::PI * k as f64 * (2 * n + 1) as f64 / (2 * SIDE) as f64).cos();
    let mut low = Vec::with_capacity(LOW * LOW);
    // Along the rows first, then along the columns; only the lowest frequencies are needed.
    let mut by_row = vec![0.0; SIDE * LOW];
    for y in 0..SIDE {
        for k in 0..LOW {
            by_row[y * LOW + k] = (0..SIDE).map(|x| small[y * SIDE + x] * cosine(k, x)).sum();
        }
    }
    for v in 0..LOW {
        for u in 0..LOW {
            low.push((0..SIDE).map(|y| by_row[y * LOW + u] * cosine(v, y)).sum::<f64>());
        }
    }
    let median = kit::statistics::median(&low);
    low.iter().fold(0, |hash, it| (hash << 1) | u64::from(*it > median))
}

#[cfg(test)]
mod tests;
