//! The operation `schema.markup.validate`; `generate` is `schema.markup.generate`.

pub(crate) mod generate;
pub(crate) mod visible;

use kit::dom::Dom;
use kit::url::Url as Address;
use sdk::Next;
use sdk::prelude::*;

use crate::extract::{Extracted, ParseError, extract, json};
use crate::judge::{self, Judged, Problem, Profile};
use crate::lines::Lines;

#[args]
pub(crate) struct Validate {
    /// JSON-LD, alone or within its `script` elements.
    jsonld: Text<1, 100_000>,
    /// Whose rules are asked.
    #[default("both")]
    profile: Profile,
}

/// What is wrong with a draft.
#[value]
pub(crate) struct Validated {
    items: Vec<Judged>,
    /// The errors of all items.
    errors: Vec<Problem>,
    /// The warnings of all items.
    warnings: Vec<Problem>,
    /// What could not be read, with its line.
    parse_errors: Vec<ParseError>,
    /// Whether there is an item, and no error in any.
    valid: bool,
    /// The day of the table of Google's requirements: compared with copies of its own pages.
    rules_checked: Day,
    /// What to do next.
    next: Vec<Next>,
}

/// Validates pasted JSON-LD before publishing, with line positions and the same rules as live validation.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    phrasings = [
        "check this JSON-LD before I publish it",
        "validate my schema code",
        "what is wrong with this structured data snippet",
        "will this markup give a rich result",
    ],
    examples = [{ "jsonld": "{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"name\":\"Brass lamp\"}" }]
)]
pub(crate) fn validate(cx: &Cx, args: Validate) -> Result<Validated> {
    let text = args.jsonld.as_str();
    let whole = text.trim_start().starts_with('<');
    let mut found = Extracted::default();
    if whole {
        let base = Address::parse("https://example.com/").map_err(|_| Fault::refused("no_base", "no base"))?;
        found = extract(&Dom::parse(text), &base);
    } else {
        json::read(text, 1, &mut found);
    }
    let lines = if whole { None } else { Some(Lines::of(text)) };
    let items = judge::judge(&found.items, args.profile, cx.now().day(), None, |pointer| lines.as_ref()?.at(pointer));
    let errors: Vec<Problem> = items.iter().flat_map(|it| it.errors.clone()).collect();
    let warnings = items.iter().flat_map(|it| it.warnings.clone()).collect();
    let next = if items.is_empty() {
        vec![judge::fix_of_type("Thing").because("explains the most general type, with an example")]
    } else {
        Vec::new()
    };
    Ok(Validated {
        valid: !items.is_empty() && errors.is_empty() && found.errors.is_empty(),
        items,
        errors,
        warnings,
        parse_errors: found.errors,
        rules_checked: crate::google::checked(),
        next,
    })
}

#[cfg(test)]
mod tests;
