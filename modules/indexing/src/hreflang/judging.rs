//! What is wrong with the language versions that pages declare.

use std::collections::BTreeMap;

use sdk::Fix;
use sdk::prelude::*;

use super::codes::{self, Judged};
use super::declared::{Alternate, Declared, Version};

/// Every code that a problem may have.
pub(crate) const CODES: [&str; 15] = [
    "invalid_code",
    "retired_code",
    "invalid_url",
    "in_body",
    "duplicate_language",
    "missing_self",
    "missing_x_default",
    "no_return_link",
    "target_status",
    "target_redirects",
    "target_not_indexable",
    "target_unknown",
    "not_canonical",
    "page_not_indexable",
    "lang_differs",
];

/// A version within a cluster.
#[value]
pub(crate) struct Member {
    pub(crate) url: String,
    /// The codes that it is named under.
    pub(crate) langs: Vec<String>,
}

/// Pages that name each other.
#[value]
pub(crate) struct Cluster {
    pub(crate) pages: Vec<Member>,
    /// Whether every page names every other.
    pub(crate) complete: bool,
    /// Whether one is named for everybody else.
    pub(crate) x_default: bool,
    /// Problems of its pages.
    pub(crate) problems: u32,
}

/// Something wrong with a page's versions.
#[value]
pub(crate) struct Problem {
    pub(crate) url: String,
    /// The code of the version, as written; none where it is about the page.
    pub(crate) lang: Option<String>,
    pub(crate) code: String,
    /// The version; none where it is about the page.
    pub(crate) target: Option<String>,
    /// Whether search engines drop the version for it.
    pub(crate) error: bool,
    pub(crate) message: String,
    pub(crate) fix: Fix,
}

/// Judges every page that is looked at.
pub(crate) fn judge(declared: &Declared) -> (Vec<Cluster>, Vec<Problem>) {
    let problems = problems(declared);
    (clusters(declared, &problems), problems)
}

/// What is wrong on the pages that are looked at.
pub(crate) fn problems(declared: &Declared) -> Vec<Problem> {
    let mut problems = Vec::new();
    for url in &declared.asked {
        if let Some(version) = declared.known.get(url).filter(|it| !it.alternates.is_empty()) {
            of_page(url, version, &declared.known, &mut problems);
        }
    }
    problems
}

/// Collects the problems of one page.
struct Page<'a> {
    url: &'a str,
    out: &'a mut Vec<Problem>,
}

impl Page<'_> {
    fn tell(&mut self, code: &str, about: Option<&Alternate>, error: bool, message: String) {
        let target = about.and_then(|it| it.url.clone());
        let look = target.as_deref().filter(|_| code.starts_with("target")).unwrap_or(self.url);
        self.out.push(Problem {
            url: self.url.to_owned(),
            lang: about.map(|it| it.lang.clone()),
            code: code.to_owned(),
            fix: Fix::on("indexing.url.check", look),
            target,
            error,
            message,
        });
    }
}

fn of_page(url: &str, version: &Version, known: &BTreeMap<String, Version>, out: &mut Vec<Problem>) {
    let mut page = Page { url, out };
    if version.reason == "canonicalised" {
        let names = version.canonical.as_deref().unwrap_or_default();
        page.tell(
            "not_canonical",
            None,
            true,
            format!("its canonical names {names}; only pages that name themselves have versions"),
        );
    } else if version.reason != "ok" && version.status != 0 {
        page.tell(
            "page_not_indexable",
            None,
            true,
            format!("search engines may not show the page itself: {}", version.reason),
        );
    }
    let counted: Vec<&Alternate> = version.alternates.iter().filter(|it| it.source != "body").collect();
    for alternate in version.alternates.iter().filter(|it| it.source == "body") {
        page.tell(
            "in_body",
            Some(alternate),
            true,
            "it stands in the body, where search engines do not look".to_owned(),
        );
    }
    let mut by_code: BTreeMap<String, &Alternate> = BTreeMap::new();
    for alternate in &counted {
        let code = match codes::judge(&alternate.lang) {
            Judged::Wrong { message, .. } => {
                page.tell("invalid_code", Some(alternate), true, message);
                continue;
            }
            Judged::Right { canonical, retired } => {
                if let Some(message) = retired {
                    page.tell("retired_code", Some(alternate), false, message);
                }
                canonical
            }
            Judged::Default => "x-default".to_owned(),
        };
        match by_code.get(&code) {
            Some(first) if first.url != alternate.url => {
                let other = first.url.as_deref().unwrap_or_default();
                page.tell("duplicate_language", Some(alternate), true, format!("{code} is {other} already"));
            }
            Some(_) => {}
            None => {
                by_code.insert(code, alternate);
            }
        }
    }
    let own = counted.iter().find(|it| it.url.as_deref() == Some(url));
    match own {
        None => page.tell("missing_self", None, true, "the page does not name itself among its versions".to_owned()),
        Some(own) => {
            let primary = |it: &str| it.split('-').next().unwrap_or_default().to_ascii_lowercase();
            let lang = version.lang.as_deref().map(primary).filter(|it| !it.is_empty());
            if own.lang != "x-default"
                && let Some(lang) = lang.filter(|it| *it != primary(&own.lang))
            {
                page.tell("lang_differs", Some(own), false, format!("the page says lang={lang}"));
            }
        }
    }
    if !by_code.contains_key("x-default") && by_code.len() > 1 {
        page.tell("missing_x_default", None, false, "no version is named for everybody else (x-default)".to_owned());
    }
    let mut seen: Vec<&str> = Vec::new();
    for alternate in &counted {
        let Some(target) = alternate.url.as_deref() else {
            page.tell("invalid_url", Some(alternate), true, "the version has no http(s) address".to_owned());
            continue;
        };
        if target == url || seen.contains(&target) {
            continue;
        }
        seen.push(target);
        of_target(&mut page, alternate, known.get(target));
    }
}

fn of_target(page: &mut Page<'_>, alternate: &Alternate, target: Option<&Version>) {
    let Some(target) = target else {
        page.tell("target_unknown", Some(alternate), false, "nothing is known of this version".to_owned());
        return;
    };
    if let Some(to) = &target.redirect_to {
        page.tell("target_redirects", Some(alternate), true, format!("the version redirects to {to}"));
        return;
    }
    if !(200..300).contains(&target.status) {
        let status = if target.status == 0 { "no answer".to_owned() } else { format!("status {}", target.status) };
        page.tell("target_status", Some(alternate), true, format!("the version answers with {status}"));
        return;
    }
    if target.reason != "ok" {
        let names = target.canonical.as_deref().map(|it| format!("; its canonical is {it}")).unwrap_or_default();
        page.tell(
            "target_not_indexable",
            Some(alternate),
            true,
            format!("search engines may not show the version: {}{names}", target.reason),
        );
    }
    let back = target.alternates.iter().any(|it| it.source != "body" && it.url.as_deref() == Some(page.url));
    if !back {
        page.tell(
            "no_return_link",
            Some(alternate),
            true,
            "the version does not name this page, so that neither counts".to_owned(),
        );
    }
}

/// Pages that are joined by versions, as far as they were looked at.
fn clusters(declared: &Declared, problems: &[Problem]) -> Vec<Cluster> {
    let mut group: BTreeMap<&str, usize> = BTreeMap::new();
    let mut groups: Vec<BTreeMap<String, Vec<String>>> = Vec::new();
    let mut asked: Vec<&String> = declared.asked.iter().collect();
    asked.sort_unstable();
    for url in asked {
        let Some(version) = declared.known.get(url).filter(|it| !it.alternates.is_empty()) else { continue };
        let named = version
            .alternates
            .iter()
            .filter(|it| it.source != "body")
            .filter_map(|it| Some((it.url.as_deref()?, it.lang.as_str())));
        let named: Vec<(&str, &str)> = named.collect();
        let joined = named.iter().map(|(url, _)| *url).chain([url.as_str()]).find_map(|it| group.get(it).copied());
        let at = joined.unwrap_or_else(|| {
            groups.push(BTreeMap::new());
            groups.len() - 1
        });
        group.insert(url, at);
        groups[at].entry(url.clone()).or_default();
        for (target, lang) in named {
            group.entry(target).or_insert(at);
            let langs = groups[at].entry(target.to_owned()).or_default();
            if !langs.iter().any(|it| it == lang) {
                langs.push(lang.to_owned());
            }
        }
    }
    groups.into_iter().map(|members| cluster(members, declared, problems)).collect()
}

fn cluster(members: BTreeMap<String, Vec<String>>, declared: &Declared, problems: &[Problem]) -> Cluster {
    let names = |from: &String, to: &String| {
        let version = declared.known.get(from);
        version.is_some_and(|it| it.alternates.iter().any(|it| it.source != "body" && it.url.as_ref() == Some(to)))
    };
    let complete = members.keys().all(|from| members.keys().all(|to| names(from, to)));
    Cluster {
        complete,
        x_default: members.values().flatten().any(|it| it.eq_ignore_ascii_case("x-default")),
        problems: u32::try_from(problems.iter().filter(|it| members.contains_key(&it.url)).count()).unwrap_or(u32::MAX),
        pages: members.into_iter().map(|(url, langs)| Member { url, langs }).collect(),
    }
}
