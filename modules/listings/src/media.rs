//! The operation `listings.media.upload`.
//!
//! Source: developers.google.com/my-business/reference/rest/v4/accounts.locations.media, and the photo guidelines
//! (support.google.com/business/answer/6103862): JPEG or PNG, 10 KB to 5 MB, at least 250 pixels on each side.

pub(crate) mod picture;

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Send, SendFailure, json};

use self::picture::{Picture, Unreadable};
use crate::google;
use crate::place::Place;
use crate::stored::Location;

/// Bytes of a photo.
const FEWEST: usize = 10_240;
const MOST: u32 = 5 << 20;
/// Pictures of the location that are fetched to compare with.
const COMPARED: usize = 8;
/// Bits in which two hashes may differ for one picture, and for two that are alike.
const SAME: u32 = 6;
const ALIKE: u32 = 10;

/// What a photo shows.
#[value]
pub(crate) enum Category {
    Cover,
    Logo,
    Exterior,
    Interior,
    Product,
    Team,
    Additional,
}

impl Category {
    fn written(self) -> &'static str {
        match self {
            Self::Cover => "COVER",
            Self::Logo => "LOGO",
            Self::Exterior => "EXTERIOR",
            Self::Interior => "INTERIOR",
            Self::Product => "PRODUCT",
            Self::Team => "TEAMS",
            Self::Additional => "ADDITIONAL",
        }
    }
}

/// A photo that this module uploaded.
#[record(collection = "media", thing = "media", reference = "media_ref", index(location, at_ms))]
pub(crate) struct Uploaded {
    pub(crate) location: String,
    /// When, in milliseconds since 1970 UTC.
    pub(crate) at_ms: u64,
    /// Google's name of it.
    pub(crate) name: String,
    pub(crate) source_url: String,
    /// The perceptual hash, hexadecimal.
    pub(crate) hash: String,
    pub(crate) category: Category,
}

#[args]
pub(crate) struct Upload {
    /// The location, as listed.
    location_ref: Id<Location>,
    /// A public picture, JPEG or PNG: Google fetches it by this address.
    source_url: Url,
    category: Category,
}

/// The photo.
#[value]
pub(crate) struct Done {
    /// Null for a picture that is there already.
    media_ref: Option<Id<Uploaded>>,
    /// Google's name of the picture that is the same.
    duplicate_of: Option<String>,
    width: u32,
    height: u32,
    bytes: u64,
    /// Pictures of the location that it was compared with.
    compared: u64,
    #[own]
    warnings: Vec<String>,
}

/// Uploads a photo to a category after checking size, ratio, type and duplicates by perceptual hash.
///
/// A cover is 16:9 and at least 480 × 270, a logo is square, two in a hundred aside. The picture is compared with own uploads and with the newest
/// eight of the location; one that is there already is not uploaded.
#[operation(
    write,
    scope = "assets:write",
    cost = live(most = 12),
    side_effects = ["publishes a photo that everybody sees on Google"],
    needs = ["store", "web", "connection:google_business_profile"],
    outside = [
        "google_business_profile.v4 GET /v4/accounts/*/locations/*/media",
        "google_business_profile.v4 POST /v4/accounts/*/locations/*/media change",
    ],
    phrasings = ["upload a photo to google business profile", "add a cover photo", "put our logo on google"],
    examples = [{ "location_ref": "108800001.4503600001.con_1", "source_url": "https://shop.example/photos/front.jpg", "category": "exterior" }]
)]
pub(crate) fn upload(cx: &Cx, args: Upload) -> Result<Done> {
    let place = Place::find(cx, &args.location_ref, "/location_ref")?;
    let fetched = cx.web().fetch(&Request::get(&args.source_url).follow(3).max_bytes(MOST).timeout(20_000));
    let answer = fetched.map_err(|failure| {
        failure.unasked("/source_url").unwrap_or_else(|| {
            let message = format!("the picture was not reached: {}", failure.name());
            Fault::invalid("/source_url", "image_unreachable", message)
        })
    })?;
    let refused = |code: &str, message: String| Fault::invalid("/source_url", code, message);
    if !answer.is_success() {
        return Err(refused("image_unreachable", format!("the picture answers with status {}", answer.status)));
    }
    if answer.truncated || answer.body.len() < FEWEST {
        return Err(refused("image_size", "a photo has 10 KB to 5 MB".to_owned()));
    }
    let picture = Picture::read(&answer.body).map_err(|why| match why {
        Unreadable::OtherType => refused("image_type", "a photo is JPEG or PNG".to_owned()),
        Unreadable::TooLarge => refused("image_size", "a photo has at most 40 million pixels".to_owned()),
        Unreadable::Broken => refused("image_type", "the picture is broken".to_owned()),
    })?;
    fits(args.category, &picture).map_or(Ok(()), |words| Err(refused("image_size", words)))?;
    let there = media(cx, &place)?;
    let (nearest, compared) = nearest(cx, &args.location_ref, &there, picture.hash)?;
    let mut warnings = Vec::new();
    if let Some((name, distance)) = nearest {
        if distance <= SAME {
            return Ok(done(&picture, &answer, None, Some(name), compared, warnings));
        }
        if distance <= ALIKE {
            warnings.push(format!("it is much like {name}"));
        }
    }
    let body = json!({
        "mediaFormat": "PHOTO", "sourceUrl": args.source_url, "locationAssociation": { "category": args.category.written() },
    });
    let request =
        Send::post(&place.connection, format!("{}/media", place.v4())).service("v4").json(&body).timeout(30_000);
    let name = match cx.connections().send(&request) {
        // Photos have no key at Google: whether this one came to be is seen in its list.
        Err(SendFailure::UnknownOutcome | SendFailure::Timeout) => {
            let now = media(cx, &place)?;
            let is_new = |it: &&Value| {
                there.iter().all(|old| old["name"] != it["name"]) && it["sourceUrl"] == json!(args.source_url)
            };
            let found = now.iter().find(is_new).and_then(|it| it["name"].as_str().map(str::to_owned));
            found.ok_or_else(|| {
                Fault::unavailable(
                    "provider_error",
                    "Google did not answer, and the photo is not there; make the same call again",
                )
            })?
        }
        sent => {
            let made = google::answered(sent, "/source_url")?;
            made["name"].as_str().map(str::to_owned).ok_or(SendFailure::Malformed)?
        }
    };
    let uploaded = Uploaded {
        location: args.location_ref.to_string(),
        at_ms: cx.now().millis(),
        name,
        source_url: args.source_url.to_string(),
        hash: format!("{:016x}", picture.hash),
        category: args.category,
    };
    let media_ref = cx.records::<Uploaded>().insert(uploaded)?.id;
    Ok(done(&picture, &answer, Some(media_ref), None, compared, warnings))
}

fn done(
    picture: &Picture,
    answer: &Response,
    media_ref: Option<Id<Uploaded>>,
    duplicate_of: Option<String>,
    compared: u64,
    warnings: Vec<String>,
) -> Done {
    let (width, height, bytes) = (picture.width, picture.height, answer.body.len() as u64);
    Done { media_ref, duplicate_of, width, height, bytes, compared, warnings }
}

/// Why a picture is none for its category, in words.
fn fits(category: Category, picture: &Picture) -> Option<String> {
    let (width, height) = (f64::from(picture.width), f64::from(picture.height));
    if picture.width.min(picture.height) < 250 {
        return Some("a photo has at least 250 pixels on each side".to_owned());
    }
    let is_about = |ratio: f64| (width / height / ratio - 1.0).abs() <= 0.02;
    match category {
        Category::Cover if !is_about(16.0 / 9.0) => Some(format!("a cover is 16:9, and this is {width} × {height}")),
        Category::Cover if width < 480.0 || height < 270.0 => Some("a cover has at least 480 × 270 pixels".to_owned()),
        Category::Logo if !is_about(1.0) => Some(format!("a logo is square, and this is {width} × {height}")),
        _ => None,
    }
}

/// The newest pictures of a location.
pub(crate) fn media(cx: &Cx, place: &Place) -> Result<Vec<Value>> {
    let request = Send::get(&place.connection, format!("{}/media", place.v4())).service("v4").query("pageSize", 100);
    let answer = google::answered(cx.connections().send(&request), "/location_ref")?;
    Ok(answer["mediaItems"].as_array().cloned().unwrap_or_default())
}

/// The picture that is most like one, with the bits in which they differ; and how many were compared.
fn nearest(cx: &Cx, location: &Id<Location>, there: &[Value], hash: u64) -> Result<(Option<(String, u32)>, u64)> {
    let own = cx.records::<Uploaded>().by("location_at_ms").equals(location).descending().scan().take(200);
    let mut all: Vec<(String, u32)> = Vec::new();
    let mut known: Vec<String> = Vec::new();
    for it in own {
        // One that was taken away since may come again.
        if let (Ok(other), true) =
            (u64::from_str_radix(&it.hash, 16), there.iter().any(|media| media["name"] == it.name.as_str()))
        {
            all.push((it.name.clone(), (other ^ hash).count_ones()));
            known.push(it.name.clone());
        }
    }
    let others = there.iter().filter(|it| it["name"].as_str().is_some_and(|name| known.iter().all(|own| own != name)));
    let pictures: Vec<(String, Url)> = others
        .filter_map(|it| {
            let url = it["thumbnailUrl"].as_str().or(it["googleUrl"].as_str())?;
            Some((it["name"].as_str()?.to_owned(), url.parse().ok()?))
        })
        .take(COMPARED)
        .collect();
    let requests = pictures.iter().map(|(_, url)| Request::get(url).follow(3).max_bytes(1 << 20).timeout(10_000));
    for ((name, _), answer) in pictures.iter().zip(cx.web().fetch_many(requests)) {
        let Ok(answer) = answer else { continue };
        if let Ok(other) = Picture::read(&answer.body) {
            all.push((name.clone(), (other.hash ^ hash).count_ones()));
        }
    }
    let compared = all.len() as u64;
    Ok((all.into_iter().min_by_key(|it| it.1), compared))
}
