//! The operation `listings.review.invite.create`.

use sdk::prelude::*;
use sdk::{Media, json};

use super::lint;
use crate::place::Place;
use crate::stored::Location;

/// Seconds that a QR code is to be had: a year.
const YEAR: u32 = 366 * 86_400;

/// Invitations by language: a short one and a longer one. All of them ask everybody, and for no certain opinion.
const TEXTS: [(&str, [&str; 2]); 8] = [
    (
        "en",
        [
            "How was it? Tell others in a review.",
            "Thank you for your visit. Your honest review, good or bad, helps others to decide and us to do better.",
        ],
    ),
    (
        "de",
        [
            "Wie war es? Schreiben Sie eine Bewertung.",
            "Vielen Dank für Ihren Besuch. Ihre ehrliche Bewertung hilft anderen bei der Wahl und uns, besser zu werden.",
        ],
    ),
    (
        "fr",
        [
            "Comment était-ce ? Laissez un avis.",
            "Merci de votre visite. Votre avis sincère aide les autres à choisir et nous aide à progresser.",
        ],
    ),
    (
        "es",
        [
            "¿Qué tal? Deje una reseña.",
            "Gracias por su visita. Su reseña sincera ayuda a otros a decidir y a nosotros a mejorar.",
        ],
    ),
    (
        "it",
        [
            "Com'è andata? Scriva una recensione.",
            "Grazie della visita. La sua recensione sincera aiuta gli altri a scegliere e noi a migliorare.",
        ],
    ),
    (
        "nl",
        [
            "Hoe was het? Schrijf een review.",
            "Bedankt voor uw bezoek. Uw eerlijke review helpt anderen kiezen en ons beter te worden.",
        ],
    ),
    (
        "pt",
        [
            "Como foi? Escreva uma avaliação.",
            "Obrigado pela visita. A sua avaliação sincera ajuda outros a escolher e a nós a melhorar.",
        ],
    ),
    (
        "pl",
        ["Jak było? Napisz opinię.", "Dziękujemy za wizytę. Szczera opinia pomaga innym wybrać, a nam się poprawić."],
    ),
];

#[args]
pub(crate) struct Create {
    /// The location, as listed.
    location_ref: Id<Location>,
    /// The language of the texts, such as `de`.
    language: Language,
    /// Your own text, checked as ours are.
    text: Option<Text<1, 600>>,
}

/// What is to be shown to customers.
#[value]
pub(crate) struct Invitation {
    /// Where a review is written: the same for everybody. Null when the text was refused.
    link: Option<String>,
    /// The address of the QR code of it, as SVG, for a year.
    #[schemars(url)]
    qr_svg_ref: Option<String>,
    /// Texts to choose from, your own first.
    texts: Vec<String>,
    /// Why your own text is refused.
    #[own]
    refused_reason: Option<String>,
    #[own]
    warnings: Vec<String>,
}

/// Creates the profile's review link with QR code and neutral invitation texts for all customers alike; wording that filters by satisfaction or offers rewards is refused.
///
/// Google, the Federal Trade Commission (16 CFR part 465), the Omnibus directive of the European Union and § 5b UWG forbid to ask only those who are content,
/// and to reward reviews. A refused text gives no link. Ours are there in eight languages; other languages get the English ones.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["publishes a picture with the review link"],
    needs = ["store", "connection:google_business_profile"],
    outside = ["google_business_profile GET /v1/locations/*"],
    phrasings = ["create a review link with qr code", "ask customers for google reviews", "review invitation text"],
    examples = [{ "location_ref": "108800001.4503600001.con_1", "language": "en" }]
)]
pub(crate) fn create(cx: &Cx, args: Create) -> Result<Invitation> {
    let place = Place::find(cx, &args.location_ref, "/location_ref")?;
    let language = args.language.primary().to_owned();
    let known = TEXTS.iter().find(|(code, _)| *code == language);
    let mut warnings = Vec::new();
    if known.is_none() {
        warnings.push("language_not_covered: the texts are English, and your own is checked by the rules of English, German, French and Spanish".to_owned());
    }
    let ours = known.unwrap_or(&TEXTS[0]).1.map(str::to_owned);
    if let Some(text) = &args.text {
        let problems = lint::in_invitation(text.as_str());
        if let Some(first) = problems.first() {
            return Ok(Invitation {
                link: None,
                qr_svg_ref: None,
                texts: ours.into(),
                refused_reason: Some(first.words().to_owned()),
                warnings,
            });
        }
        if !matches!(language.as_str(), "en" | "de" | "fr" | "es") && known.is_some() {
            warnings.push(
                "language_not_covered: your text was checked by the rules of English, German, French and Spanish"
                    .to_owned(),
            );
        }
    }
    let given = place.read(cx, "/location_ref")?;
    let link = given["metadata"]["newReviewUri"].as_str().filter(|it| it.starts_with("https://")).map(str::to_owned);
    let link = link.or_else(|| {
        let id = given["metadata"]["placeId"].as_str()?;
        let mut url = url::Url::parse("https://search.google.com/local/writereview").ok()?;
        url.query_pairs_mut().append_pair("placeid", id);
        Some(url.to_string())
    });
    let Some(link) = link else {
        let message = "Google shows no place for reviews of this location: it is not on the map yet, or not verified";
        return Err(Fault::conflict("no_review_link", message).detail(json!({ "location_ref": args.location_ref })));
    };
    let qr_svg_ref = match qr::svg(&link) {
        Some(svg) => {
            let key = format!("qr/{}.svg", kit::text::hex(&kit::text::sha256(link.as_bytes())[..12]));
            cx.blobs().write(&key, svg.as_bytes())?;
            Some(cx.shares().publish(&key, Media::Svg, Some("review.svg"), YEAR)?.url)
        }
        None => None,
    };
    let texts = args.text.map(Text::into_string).into_iter().chain(ours).collect();
    Ok(Invitation { link: Some(link), qr_svg_ref, texts, refused_reason: None, warnings })
}
