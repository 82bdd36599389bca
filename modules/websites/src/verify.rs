//! `websites.verify.*`, the proof that a website is the customer's.
//!
//! Modelled after "Verify your site ownership" of Google Search Console (support.google.com/webmasters/answer/9008080:
//! TXT record `google-site-verification=…`, file `google….html`, meta element in the head of the home page, regular
//! re-checks that take the proof away again) and "How to verify your site" of Bing Webmaster Tools.

pub(crate) mod check;
mod look;

use sdk::prelude::*;

use crate::stored::{Method, Website};
use look::Look;

/// Milliseconds that a token can be placed in: 30 days. One that has proven the website stays good for re-checks.
const LASTS: u64 = 30 * 86_400_000;

/// A token of ownership; its id is the website's, a hyphen and the method.
#[record(collection = "verifications", thing = "token", reference = "token_ref", index(site_id))]
pub(crate) struct Token {
    /// The website.
    pub(crate) site_id: Id<Website>,
    /// How it is to be shown.
    pub(crate) method: Method,
    /// 32 hexadecimal digits.
    pub(crate) token: String,
    /// When it was made.
    pub(crate) issued_at: Moment,
    /// Until when it can first be found.
    pub(crate) expires_at: Moment,
    /// Whether it has proven the website.
    #[serde(default)]
    pub(crate) proven: bool,
}

#[args]
pub(crate) struct Start {
    /// The website, as listed.
    site_id: Id<Website>,
    /// How to show the token.
    method: Method,
}

/// What to put where.
#[value]
pub(crate) struct Started {
    /// The token.
    token: String,
    /// What to do, in words.
    instructions: String,
    /// The name of the TXT record, the address of the file, or that of the home page.
    place: String,
    /// Exactly what must stand there.
    content: String,
    /// Until when it must be found.
    expires_at: Moment,
}

/// Issues an ownership token and exact instructions for a DNS TXT record, an HTML file or a meta tag.
///
/// The token is random and belongs to this website and method. Asked again before it expires, the same one is given and
/// its 30 days begin anew; one that has proven the website is kept for re-checks.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["stores an ownership token"],
    phrasings = [
        "verify that I own my website",
        "give me the verification TXT record",
        "which meta tag proves my site is mine",
        "get an ownership verification file",
    ],
    examples = [
        { "site_id": "4503599627370496", "method": "dns_txt" },
        { "site_id": "4503599627370496", "method": "meta_tag" },
    ]
)]
pub(crate) fn start(cx: &Cx, args: Start) -> Result<Started> {
    let site = cx.records::<Website>().get(&args.site_id)?;
    let tokens = cx.records::<Token>();
    let id = Id::new(format!("{}-{}", site.id, word(args.method)));
    let now = cx.now();
    let fresh = |cx: &Cx| Token {
        site_id: site.id.clone(),
        method: args.method,
        token: kit::text::hex(&cx.random::<16>()),
        issued_at: now,
        expires_at: now.plus(LASTS),
        proven: false,
    };
    let token = match tokens.find(&id) {
        None => tokens.insert_as(id, fresh(cx))?,
        Some(mut kept) => {
            if kept.proven || kept.expires_at > now {
                kept.it.expires_at = now.plus(LASTS);
            } else {
                kept.it = fresh(cx);
            }
            tokens.save(kept)?
        }
    };
    let look = Look::of(&site, &token);
    Ok(Started {
        instructions: look.instructions(),
        place: look.place(),
        content: look.content(),
        expires_at: token.expires_at,
        token: token.into_inner().token,
    })
}

/// The word of a method in ids.
fn word(method: Method) -> &'static str {
    match method {
        Method::DnsTxt => "dns_txt",
        Method::HtmlFile => "html_file",
        Method::MetaTag => "meta_tag",
    }
}

#[cfg(test)]
mod tests;
