//! QR codes of addresses, as SVG.

use qrcode::render::svg::Color;
use qrcode::{EcLevel, QrCode};

/// A QR code (ISO/IEC 18004) with error correction of level M and the quiet zone of four modules that the standard asks
/// for; none for an address that is too long for one.
#[must_use]
pub fn svg(address: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(address.as_bytes(), EcLevel::M).ok()?;
    let mut drawn = code.render::<Color<'_>>();
    let drawn = drawn.min_dimensions(240, 240).quiet_zone(true);
    Some(drawn.dark_color(Color("#000000")).light_color(Color("#ffffff")).build())
}
