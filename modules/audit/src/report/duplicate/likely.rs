//! Which page of a group should stand for the others.

use std::cmp::Reverse;

use sdk::prelude::*;

use crate::index::Entry;

/// What speaks for a page, the strongest first: the first sign by which it differs from the one that comes next.
#[value]
pub(crate) enum Sign {
    /// Other pages of the group name it as their canonical.
    Declared,
    /// It may be indexed.
    Indexable,
    /// A sitemap names it.
    InSitemap,
    /// Fewer clicks lead to it from the home page.
    Nearer,
    /// It has no parameters.
    WithoutParameters,
    /// Its address is shorter.
    Shorter,
    /// Nothing but the order of the alphabet.
    Alphabet,
}

const SIGNS: [Sign; 7] = [
    Sign::Declared,
    Sign::Indexable,
    Sign::InSitemap,
    Sign::Nearer,
    Sign::WithoutParameters,
    Sign::Shorter,
    Sign::Alphabet,
];

/// How a page stands by each sign but the last; smaller is better.
type Standing = [Reverse<usize>; 6];

/// The place of the likely canonical, and what speaks for it. There is at least one page.
pub(super) fn likely(pages: &[&Entry]) -> (usize, Sign) {
    let mut ranked: Vec<(Standing, &str, usize)> =
        pages.iter().enumerate().map(|(at, page)| (standing(page, pages), page.url.as_str(), at)).collect();
    ranked.sort_unstable();
    let sign = match ranked.as_slice() {
        [first, second, ..] => first.0.iter().zip(&second.0).position(|(a, b)| a != b).unwrap_or(SIGNS.len() - 1),
        _ => SIGNS.len() - 1,
    };
    (ranked.first().map_or(0, |it| it.2), SIGNS[sign])
}

fn standing(page: &Entry, pages: &[&Entry]) -> Standing {
    let declared = pages.iter().filter(|it| it.url != page.url && it.canonical.as_ref() == Some(&page.url)).count();
    let without = !page.url.contains('?');
    let most = usize::MAX;
    [
        declared,
        usize::from(page.indexable),
        usize::from(page.in_sitemap),
        page.depth.map_or(0, |depth| most - depth as usize),
        usize::from(without),
        most - page.url.len(),
    ]
    .map(Reverse)
}
