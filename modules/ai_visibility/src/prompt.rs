//! `ai_visibility.prompt.*`: what is asked of models.

pub(crate) mod add;
pub(crate) mod key;
pub(crate) mod list;
pub(crate) mod patterns;
pub(crate) mod remove;
pub(crate) mod suggest;

use sdk::prelude::*;
use site::Site;

use crate::stored::Prompt;

/// Prompts of one website.
pub(crate) const MAX_PROMPTS: usize = 2_000;

/// The prompts of a website, by topic.
pub(crate) fn of_site<'a>(cx: &'a Cx, site: &Id<Site>) -> impl Iterator<Item = Stored<Prompt>> + use<'a> {
    cx.records::<Prompt>().by("site_id_topic").equals(site).scan().take(MAX_PROMPTS)
}

/// Whether two topics are the same one, in any case.
pub(crate) fn same_topic(one: &str, two: &str) -> bool {
    let plain = |it: &str| kit::text::collapse(it).to_lowercase();
    plain(one) == plain(two)
}

/// The country of a website.
pub(crate) fn country_of(cx: &Cx, site: &str) -> Option<String> {
    cx.records::<Site>().find(&Id::new(site)).and_then(|it| it.into_inner().country)
}
