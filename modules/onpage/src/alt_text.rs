//! The operation `onpage.alt_text.suggest`; `context` reads what stands around a picture.

mod context;

use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::prelude::*;
use sdk::serde_json::{Value, json};
use sdk::{Llm, Prompt};

use crate::live;
use crate::suggest::{Ground, Origin};
use crate::title::left_out_of;
use context::{Basis, Picture};
use site::live::Seen;

/// Pictures of a page that are looked at.
const MOST: usize = 100;
/// Pictures that one question to the language model shows.
const TOGETHER: usize = 8;
/// Milliseconds after which no further question is asked.
const LONGEST: u64 = 60_000;
/// Longer texts are tiring to listen to.
const LONG: usize = 125;

#[args]
pub(crate) struct Suggest {
    url: Url,
    /// Only these pictures of the page; all when left out.
    images: Option<List<Url, 0, 30>>,
    /// Lets the customer's language model look at the pictures; it fetches them itself.
    #[default(false)]
    use_llm: bool,
    /// Which of the language model's models, one that sees; one that fits when it is left out.
    model: Option<Text<1, 128>>,
}

#[value]
pub(crate) struct Suggested {
    /// In document order; at most 100.
    suggestions: Vec<Suggestion>,
    source: Origin,
    /// The language model that looked at the pictures.
    model: Option<String>,
    page: Seen,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

#[value]
pub(crate) struct Suggestion {
    src: String,
    /// Empty for what is only decoration; null when nothing around the picture says what it shows.
    alt: Option<String>,
    /// What it has now; null without the attribute.
    present: Option<String>,
    /// Where `alt` was taken from. It is a word, not the shared object of freshness.
    basis: Basis,
    /// Whether it says nothing that the text does not: its `alt` belongs empty.
    decorative: bool,
}

/// Suggests alt text from caption, figure, nearby heading, file name and link target, or from a vision-capable LLM
/// connection, and marks purely decorative images.
///
/// An `alt` that is good already is given back with the basis `present`. The language model gets public addresses of pictures
/// in JPEG, PNG, WebP or GIF with what stands around them; what it writes is kept when it is at most 125 characters and holds
/// no address.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 6),
    needs = ["web", "connection:llm?"],
    outside = [llm],
    phrasings = [
        "suggest alt text for the images of a page",
        "write image descriptions",
        "which images are decorative",
        "alt attributes are missing, what should they say",
    ],
    examples = [
        { "url": "https://shop.example/lamps" },
        { "url": "https://shop.example/lamps", "images": ["https://shop.example/lamp.jpg"], "use_llm": true }
    ]
)]
pub(crate) fn suggest(cx: &Cx, args: Suggest) -> Result<Suggested> {
    let llm = args
        .use_llm
        .then(|| Llm::connect(cx, "/use_llm", "use_llm asks your language model", args.model.as_deref()))
        .transpose()?;
    let page = live::page(cx, &args.url, "/url")?;
    let ground = Ground::new(&page, None);
    let mut pictures = context::pictures(&page);
    let mut degraded = Vec::new();
    if let Some(images) = args.images.as_ref().filter(|it| !it.is_empty()) {
        let wanted: Vec<String> = images.iter().map(ToString::to_string).collect();
        for url in wanted.iter().filter(|url| !pictures.iter().any(|it| it.src == **url)) {
            degraded.push(Degraded::new("image", format!("{url} is not on the page")));
        }
        pictures.retain(|it| wanted.contains(&it.src));
    }
    if pictures.len() > MOST {
        degraded.push(Degraded::new(
            "images",
            format!("only the first {MOST} pictures were looked at; name others as images"),
        ));
        pictures.truncate(MOST);
    }
    let mut suggestions: Vec<Suggestion> = pictures.iter().map(suggestion).collect();
    if let Some(llm) = &llm {
        look(cx, llm, &ground, &pictures, &mut suggestions, &mut degraded)?;
    }
    let seen = suggestions.iter().any(|it| it.basis == Basis::Llm);
    let next = if suggestions.is_empty() {
        Vec::new()
    } else {
        vec![
            Fix::on("onpage.image.check", &page.facts.final_url)
                .because("checks size, format and loading of the same images"),
        ]
    };
    Ok(Suggested {
        suggestions,
        source: if seen { Origin::Llm } else { Origin::Page },
        model: llm.filter(|_| seen).map(|it| it.model),
        page: page.seen(),
        next,
        degraded,
    })
}

fn suggestion(picture: &Picture) -> Suggestion {
    let (basis, alt) = picture.said();
    Suggestion {
        src: picture.src.clone(),
        alt: alt.map(|it| short(&it)),
        present: picture.alt.clone(),
        decorative: basis == Basis::Decorative,
        basis,
    }
}

/// At most 125 characters, cut between words.
fn short(text: &str) -> String {
    let cut = kit::text::clip(text, LONG);
    if cut.len() == text.len() {
        return text.to_owned();
    }
    cut.rfind(' ').map_or(cut, |at| &cut[..at]).trim_end_matches([',', ';', ':', '-']).to_owned()
}

/// Shows the pictures to the language model and takes what it says of them.
fn look(
    cx: &Cx,
    llm: &Llm,
    ground: &Ground,
    pictures: &[Picture],
    suggestions: &mut [Suggestion],
    degraded: &mut Vec<Degraded>,
) -> Result<()> {
    let mut numbers: Vec<usize> = Vec::new();
    for (number, picture) in pictures.iter().enumerate().filter(|it| it.1.can_be_shown()) {
        if !numbers.iter().any(|it| pictures[*it].src == picture.src) {
            numbers.push(number);
        }
    }
    let (shown, rest) = numbers.split_at(numbers.len().min(4 * TOGETHER));
    let mut left_out = Vec::new();
    let mut unseen = rest.len();
    for group in shown.chunks(TOGETHER) {
        if cx.elapsed() > LONGEST {
            unseen += group.len();
            continue;
        }
        for one in asked(cx, llm, ground, pictures, group)? {
            let Some(number) = group.get(one.number) else { continue };
            let alt = if one.decorative { Ok(String::new()) } else { ground.line(&one.alt).and_then(without_image_of) };
            match alt {
                Ok(alt) => {
                    for (it, _) in suggestions.iter_mut().zip(pictures).filter(|it| it.1.src == pictures[*number].src) {
                        (it.alt, it.basis, it.decorative) = (Some(alt.clone()), Basis::Llm, one.decorative);
                    }
                }
                Err(why) => left_out.push(why.to_owned()),
            }
        }
    }
    degraded.extend(left_out_of(left_out));
    if unseen > 0 {
        degraded.push(Degraded::new("llm_pictures", format!("{unseen} pictures were not shown to the language model")));
    }
    Ok(())
}

#[value]
struct Said {
    pictures: Vec<One>,
}

#[value]
struct One {
    number: usize,
    alt: String,
    decorative: bool,
}

fn asked(cx: &Cx, llm: &Llm, ground: &Ground, pictures: &[Picture], group: &[usize]) -> Result<Vec<One>> {
    let mut prompt = Prompt::new(format!(
        "Write for each numbered picture the text alternative that a listener needs in its place on the page, in the language \
         {}, at most 120 characters, without words such as image of. A picture that only adorns is decorative.",
        ground.language
    ));
    for (number, at) in group.iter().enumerate() {
        let picture = &pictures[*at];
        let around: Value = json!({
            "number": number,
            "caption": picture.caption,
            "heading": picture.heading,
            "links_to": picture.link,
            "present_alt": picture.alt,
        });
        prompt = prompt.data(&around).image(&picture.src);
    }
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["pictures"],
        "properties": { "pictures": { "type": "array", "minItems": group.len(), "items": {
            "type": "object", "additionalProperties": false, "required": ["number", "alt", "decorative"],
            "properties": {
                "number": { "type": "integer", "minimum": 0, "maximum": group.len() - 1 },
                "alt": { "type": "string", "description": "at most 120 characters" },
                "decorative": { "type": "boolean" }
            }
        } } }
    });
    Ok(llm.ask::<Said>(cx, &prompt, "pictures", &schema)?.pictures)
}

/// Listeners are told already that it is a picture.
fn without_image_of(text: String) -> Result<String, &'static str> {
    const BEFORE: &[&str] = &["an image of ", "a picture of ", "a photo of ", "image of ", "picture of ", "photo of "];
    let lower = text.to_ascii_lowercase();
    let cut = BEFORE.iter().find(|it| lower.starts_with(**it)).map_or(0, |it| it.len());
    let text = crate::suggest::capital(&text[cut..]);
    if text.chars().count() > LONG { Err("too_long") } else { Ok(text) }
}

#[cfg(test)]
mod tests;
