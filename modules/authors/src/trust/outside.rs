//! Profiles of the author elsewhere: visited, read for the name, and for a link back.

use std::collections::BTreeSet;

use sdk::prelude::*;

use crate::{Author, name};

/// One profile elsewhere.
#[value]
pub(crate) struct Profile {
    pub(crate) url: Url,
    /// The page names the author.
    pub(crate) name_found: bool,
    /// The page links to one of the customer's websites.
    pub(crate) links_back: bool,
    pub(crate) checked_at: Moment,
    /// Why it could not be read, such as `timeout` or `status 404`.
    pub(crate) failure: Option<String>,
}

/// Visits the first `most` profiles together.
pub(super) fn visit(cx: &Cx, author: &Author, hosts: &BTreeSet<String>, most: usize) -> Vec<Profile> {
    let urls: Vec<&Url> = author.same_as.iter().take(most).collect();
    if urls.is_empty() {
        return Vec::new();
    }
    let request =
        |url: &&Url| Request::get(url).header("accept", "text/html").follow(3).max_bytes(1 << 20).timeout(6_000);
    let answers = cx.web().fetch_many(urls.iter().map(request));
    let wanted = name::words(&author.name());
    urls.into_iter().zip(answers).map(|(url, answer)| read(cx, url, answer, &wanted, hosts)).collect()
}

fn read(
    cx: &Cx,
    url: &Url,
    answer: Result<Response, sdk::Failure>,
    wanted: &[String],
    hosts: &BTreeSet<String>,
) -> Profile {
    let unread = |failure: String| Profile {
        url: url.clone(),
        name_found: false,
        links_back: false,
        checked_at: cx.now(),
        failure: Some(failure),
    };
    let response = match answer {
        Ok(response) if response.is_success() => response,
        Ok(response) => return unread(format!("status {}", response.status)),
        Err(failure) => return unread(failure.name().to_owned()),
    };
    let (html, _) = kit::charset::decode(&response.body, response.header("content-type"));
    let base = response.url.parse().unwrap_or_else(|_| url.clone());
    let words = name::words(&text(&html));
    let reversed: Vec<String> = wanted.iter().rev().cloned().collect();
    let said = |name: &[String]| words.windows(name.len()).any(|it| it == name);
    let back = |link: Url| link.host_str().is_some_and(|host| is_own(host, hosts));
    Profile {
        url: url.clone(),
        name_found: !wanted.is_empty() && (said(wanted) || said(&reversed)),
        links_back: links(&html).filter_map(|it| base.link(&it)).any(back),
        checked_at: cx.now(),
        failure: None,
    }
}

/// A host of the customer's, with or without `www.`.
fn is_own(host: &str, hosts: &BTreeSet<String>) -> bool {
    let bare = |it: &str| it.strip_prefix("www.").unwrap_or(it).to_owned();
    hosts.iter().any(|it| bare(it) == bare(host))
}

/// What stands between the tags, and what the tags say of it in `content` and `alt`; scripts and styles left out.
fn text(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        text.push_str(&rest[..open]);
        text.push(' ');
        let Some(close) = rest[open..].find('>') else { return entities(&text) };
        let tag = &rest[open + 1..open + close];
        rest = &rest[open + close + 1..];
        let name: String = tag.chars().take_while(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        match name.as_str() {
            "script" | "style" => {
                let ends = |at: &usize| {
                    rest.as_bytes()
                        .get(at + 2..at + 2 + name.len())
                        .is_some_and(|it| it.eq_ignore_ascii_case(name.as_bytes()))
                };
                rest = rest.match_indices("</").map(|(at, _)| at).find(ends).map_or("", |at| &rest[at..]);
            }
            "meta" | "img" => {
                for value in ["content", "alt"].iter().filter_map(|it| attribute(tag, it)) {
                    text.push_str(&value);
                    text.push(' ');
                }
            }
            _ => {}
        }
    }
    text.push_str(rest);
    entities(&text)
}

/// Every `href` of an `<a>` or `<link>`.
fn links(html: &str) -> impl Iterator<Item = String> + '_ {
    html.split('<').skip(1).filter_map(|it| {
        let tag = it.split('>').next()?;
        let lower = tag.get(..5).unwrap_or(tag).to_ascii_lowercase();
        (lower.starts_with("a ") || lower.starts_with("a\n") || lower.starts_with("link"))
            .then(|| attribute(tag, "href"))?
    })
}

/// The value of an attribute of a tag, quoted or not.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let lower = tag.to_ascii_lowercase();
    let mut from = 0;
    loop {
        let at = from + lower.get(from..)?.find(name)?;
        let before = lower[..at].chars().next_back().is_some_and(char::is_whitespace);
        let after = tag[at + name.len()..].trim_start();
        if let (true, Some(value)) = (before, after.strip_prefix('=')) {
            let value = value.trim_start();
            let value = match value.chars().next()? {
                quote @ ('"' | '\'') => value[1..].split(quote).next()?,
                _ => value.split_whitespace().next()?,
            };
            return Some(entities(value));
        }
        from = at + name.len();
    }
}

/// The few entities that names and addresses hold.
fn entities(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    text.replace("&nbsp;", " ")
        .replace("&#39;", "'")
        .replace("&apos;", "'")
        .replace("&quot;", "\"")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests;
