//! Doc comments as prose: the first paragraph is the summary, the rest the description.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The doc comment of an item, split for a contract.
pub(crate) struct Doc {
    /// The first paragraph on one line.
    pub(crate) summary: String,
    /// What follows it; may be empty.
    pub(crate) description: String,
}

/// Reads the doc comment out of an item's attributes.
pub(crate) fn read(attributes: &[Attribute]) -> Doc {
    let lines: Vec<String> = attributes.iter().filter_map(line).collect();
    let text = lines.join("\n");
    let (first, rest) = text.trim().split_once("\n\n").unwrap_or((text.trim(), ""));
    Doc { summary: first.split_whitespace().collect::<Vec<_>>().join(" "), description: rest.trim().to_owned() }
}

fn line(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value else { return None };
    let text = text.value();
    pair.path.is_ident("doc").then(|| text.strip_prefix(' ').unwrap_or(&text).trim_end().to_owned())
}
