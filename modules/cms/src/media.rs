//! The operation `cms.media.upload`.

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, Request, json};
use site::Site;
use wordpress::{Change, Field, Item, Patch, Rollback, What, Why};

use crate::target::{Target, Thing, reference};

/// Bytes of a picture.
const MOST_BYTES: u32 = 8 << 20;
/// Pixels of a picture.
const MOST_PIXELS: usize = 50_000_000;
/// Pictures of the same name whose bytes are compared.
const COMPARED: usize = 5;

#[args]
pub(crate) struct Upload {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Where the picture is. JPEG, PNG, GIF, WebP or AVIF, at most 8 MiB.
    source_url: Url,
    /// What it is to be called; made of the address without it. The ending is the one of its bytes.
    file_name: Option<Text<1, 120>>,
    /// What it shows.
    alt: Option<Text<0, 300>>,
    /// Its title in the media library.
    title: Option<Text<0, 200>>,
}

/// A picture in the media library.
#[value]
pub(crate) struct Uploaded {
    media_ref: Id<Thing>,
    /// Where its file is.
    url: String,
    /// The picture that had these bytes already, which is `media_ref` then; null for a new one.
    duplicate_of: Option<Id<Thing>>,
    width: u64,
    height: u64,
    bytes: u64,
    /// Its alternative text, as WordPress keeps it.
    alt: String,
    change_ref: Option<Id<Change>>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Uploads an image to the CMS from a public address with alt, title and a clean file name after checking type, size and duplicates by hash.
///
/// What the bytes are counts, not what the address or its server says: an SVG, a page of HTML or a picture of more than 50 megapixels
/// is refused. A picture that is in the library already is not handed over again.
#[operation(
    write,
    scope = "assets:write",
    cost = live(most = 14),
    side_effects = ["adds a picture to the media library of your WordPress"],
    needs = ["store", "web", "connection:wordpress"],
    outside = [
        "wordpress GET /wp-json",
        "wordpress GET /wp-json/wp/v2/media",
        "wordpress GET /wp-json/wp/v2/media/*",
        "wordpress POST /wp-json/wp/v2/media change",
        "wordpress POST /wp-json/wp/v2/media/* change",
    ],
    phrasings = [
        "upload this image to wordpress",
        "add a picture to my media library",
        "put the photo into the cms with alt text",
        "import an image from this address",
    ],
    examples = [{ "site_id": "4503599627370496", "source_url": "https://shop.example/photos/lamp.jpg", "alt": "Brass lamp on an oak desk" }]
)]
pub(crate) fn upload(cx: &Cx, args: Upload) -> Result<Uploaded> {
    let target = Target::of(cx, &args.site_id)?;
    let at = &target.installation;
    let (bytes, kind, width, height) = picture(cx, &args.source_url)?;
    let wanted = args.file_name.as_ref().map_or_else(|| last_segment(&args.source_url), |it| it.as_str().to_owned());
    let name = file_name(&wanted, kind);
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned();
    let mut degraded = Vec::new();
    let size = bytes.len() as u64;
    let known = duplicate(cx, &target, &stem, &bytes, &mut degraded)?;
    let is_new = known.is_none();
    let item = match known {
        Some(item) => item,
        None => at.upload(cx, &name, kind.1, bytes)?,
    };
    let batch = wordpress::batch(cx);
    let why = Why::call(target.site.id.as_str(), "cms.media.upload", What::Media, &batch);
    let mut change_ref = None;
    if is_new {
        let field = Field::of(cx, "file", &json!(null), &json!(item.files.first()))?;
        change_ref = Some(why.keep(cx, &item.at.to_string(), &item.link, vec![field], Rollback::Exact)?);
    }
    let patch = Patch {
        alt_text: args.alt.map(Text::into_string).filter(|it| is_new || !it.is_empty()),
        title: args.title.map(Text::into_string),
        ..Patch::default()
    };
    let item = match wordpress::write(cx, &item, &patch, &Why { what: What::Fields, seq: 1, ..why }) {
        Ok(written) => written.item,
        Err(fault) if change_ref.is_none() => return Err(fault),
        // The picture is there; its words can be written by another call.
        Err(fault) => {
            degraded.push(Degraded::new("alt", format!("not written: {}: {}", fault.code, fault.message)));
            item
        }
    };
    let mut next = Vec::new();
    if let Some(change) = &change_ref {
        let undo = Fix::new("cms.change.rollback", json!({ "site_id": target.site.id, "change_ref": change }));
        next.push(undo.because("takes it out of the library again"));
    }
    Ok(Uploaded {
        media_ref: reference(&item),
        url: item.files.first().cloned().unwrap_or_default(),
        duplicate_of: (!is_new).then(|| reference(&item)),
        width: width as u64,
        height: height as u64,
        bytes: size,
        alt: item.alt_text.unwrap_or_default(),
        change_ref,
        next,
        degraded,
    })
}

/// A kind of picture: its ending and its media type.
type Kind = (&'static str, &'static str);

/// What the bytes of a picture are, by their first ones.
fn kind(bytes: &[u8]) -> Option<Kind> {
    let brand = bytes.get(8..12).unwrap_or_default();
    match bytes {
        [0xff, 0xd8, 0xff, ..] => Some(("jpg", "image/jpeg")),
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some(("png", "image/png")),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(("gif", "image/gif")),
        [b'R', b'I', b'F', b'F', ..] if brand == b"WEBP" => Some(("webp", "image/webp")),
        [_, _, _, _, b'f', b't', b'y', b'p', ..] if matches!(brand, b"avif" | b"avis") => Some(("avif", "image/avif")),
        _ => None,
    }
}

/// Fetches a picture and looks at its bytes.
fn picture(cx: &Cx, url: &Url) -> Result<(Vec<u8>, Kind, usize, usize)> {
    let at = "/source_url";
    let request = Request::get(url).max_bytes(MOST_BYTES).timeout(30_000).follow(3);
    let response = match cx.web().fetch(&request) {
        Ok(response) => response,
        Err(sdk::Failure::Refused) => {
            return Err(Fault::invalid(at, "url_refused", "this address is not a public web page"));
        }
        Err(failure) => {
            let told =
                || Fault::invalid(at, "source_unreachable", format!("the picture did not answer: {}", failure.name()));
            return Err(failure.unasked(at).unwrap_or_else(told));
        }
    };
    if !response.is_success() {
        return Err(Fault::invalid(at, "source_not_ok", format!("the address answers {}", response.status)));
    }
    if response.truncated {
        return Err(Fault::invalid(at, "too_large", "the picture has more than 8 MiB"));
    }
    let Some(kind) = kind(&response.body) else {
        let message = "its bytes are no JPEG, PNG, GIF, WebP or AVIF picture";
        return Err(Fault::invalid(at, "type_not_allowed", message));
    };
    let size = imagesize::blob_size(&response.body);
    let size = size.map_err(|_| Fault::invalid(at, "broken_picture", "the size of the picture cannot be read"))?;
    if size.width.saturating_mul(size.height) > MOST_PIXELS {
        let message =
            format!("the picture has {} × {} pixels; at most 50 megapixels are taken", size.width, size.height);
        return Err(Fault::invalid(at, "too_large", message));
    }
    Ok((response.body, kind, size.width, size.height))
}

/// The picture of the library that has these bytes.
fn duplicate(cx: &Cx, target: &Target, stem: &str, bytes: &[u8], degraded: &mut Vec<Degraded>) -> Result<Option<Item>> {
    let size = bytes.len() as u64;
    let same: Vec<Item> = target
        .installation
        .media(cx, stem)?
        .into_iter()
        .filter(|it| it.file_size == Some(size))
        .take(COMPARED)
        .collect();
    for item in same {
        let Some(url) = item.files.first().and_then(|it| it.parse::<Url>().ok()) else { continue };
        match cx.web().fetch(&Request::get(&url).max_bytes(MOST_BYTES).timeout(20_000)) {
            Ok(response) if response.is_success() && response.body == bytes => return Ok(Some(item)),
            Ok(_) => {}
            Err(failure) => {
                let why = format!("a picture of the same name and size could not be compared: {}", failure.name());
                degraded.push(Degraded::new("duplicate_of", why));
            }
        }
    }
    Ok(None)
}

fn last_segment(url: &Url) -> String {
    kit::url::decoded(url.path().rsplit('/').find(|it| !it.is_empty()).unwrap_or("picture"))
}

/// A name that every server takes: Latin letters, digits and hyphens, and the ending of the bytes.
fn file_name(wanted: &str, kind: Kind) -> String {
    let endings = ["jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "php", "html", "bmp", "tif", "tiff"];
    let stem = match wanted.rsplit_once('.') {
        Some((stem, ending)) if endings.contains(&ending.to_lowercase().as_str()) => stem,
        _ => wanted,
    };
    let plain = deunicode::deunicode(stem).to_lowercase();
    let words: Vec<&str> = plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|it| !it.is_empty()).collect();
    let mut name = words.join("-");
    name.truncate(100);
    let name = name.trim_end_matches('-');
    format!("{}.{}", if name.is_empty() { "picture" } else { name }, kind.0)
}

#[cfg(test)]
mod tests {
    use super::{file_name, kind};

    #[test]
    fn names_are_plain_and_end_as_their_bytes_do() {
        for (wanted, name) in [
            ("Grüne Lampe & Tisch.PNG", "grune-lampe-tisch.jpg"),
            ("лампа.jpeg", "lampa.jpg"),
            ("evil.php.jpg", "evil-php.jpg"),
            ("../../x", "x.jpg"),
            ("...", "picture.jpg"),
        ] {
            assert_eq!(file_name(wanted, ("jpg", "image/jpeg")), name);
        }
    }

    #[test]
    fn a_picture_is_what_its_first_bytes_say() {
        assert_eq!(kind(b"GIF89a....").map(|it| it.0), Some("gif"));
        assert_eq!(kind(b"RIFF\0\0\0\0WEBPVP8 ").map(|it| it.0), Some("webp"));
        assert_eq!(kind(b"\0\0\0\x20ftypavif").map(|it| it.0), Some("avif"));
        for none in [&b"<svg xmlns"[..], b"<!doctype html>", b"", b"GIF", b"RIFF\0\0\0\0WAVE"] {
            assert_eq!(kind(none), None);
        }
    }
}
