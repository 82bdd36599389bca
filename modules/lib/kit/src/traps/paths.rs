//! Traps that paths make by themselves.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Address, FEWEST, Families, Reason, Trap, is_date, is_number, is_token, is_year};

/// How often a folder may stand in one path.
const MOST_REPEATS: usize = 2;
/// Different dates of one template that make a calendar endless.
const MOST_DATES: usize = 12;

/// Adds the traps of paths; addresses with parameters belong to those of parameters.
pub(super) fn look<'a>(addresses: &[Address<'a>], traps: &mut Vec<Trap>) {
    let mut loops: Families<'a, String> = BTreeMap::new();
    let mut templates: Families<'a, String> = BTreeMap::new();
    let mut dates: HashMap<String, HashSet<String>> = HashMap::new();
    for address in addresses {
        let segments: Vec<&str> = address.path.split('/').filter(|segment| !segment.is_empty()).collect();
        if let Some(repeated) = repeated(&segments) {
            loops.entry(repeated.to_owned()).or_default().add(address);
            continue;
        }
        if !address.parameters.is_empty() {
            continue;
        }
        let (template, date) = template(&segments);
        if !template.contains('{') {
            continue;
        }
        if !date.is_empty() {
            dates.entry(template.clone()).or_default().insert(date);
        }
        templates.entry(template).or_default().add(address);
    }
    for (segment, family) in loops {
        if family.urls as usize >= FEWEST {
            let exclude = vec![format!("/{segment}/*/{segment}/*/{segment}/"), format!("/{segment}/{segment}/")];
            traps.push(family.trap(format!("*/{segment}/*/{segment}/*"), Reason::RepeatedSegments, exclude));
        }
    }
    for (template, family) in templates {
        let dated = dates.get(&template).is_some_and(|dates| dates.len() >= MOST_DATES);
        let few = family.variety() < 0.5 && family.fetched as usize >= FEWEST;
        let reason = if dated && few {
            Reason::Calendar
        } else if family.is_collapsed() {
            Reason::SameContent
        } else {
            continue;
        };
        let exclude = vec![exclude_of(&template)];
        traps.push(family.trap(template, reason, exclude));
    }
}

/// A folder that stands in a path more often than is sensible.
fn repeated<'a>(segments: &[&'a str]) -> Option<&'a str> {
    let folders = &segments[..segments.len().saturating_sub(1)];
    let most = |segment: &&&str| folders.iter().filter(|other| **other == **segment).count() > MOST_REPEATS;
    folders.iter().find(most).copied()
}

/// The path with placeholders, and the parts of it that are a date.
pub(super) fn template(segments: &[&str]) -> (String, String) {
    let mut out = String::new();
    let mut date = String::new();
    for (at, segment) in segments.iter().enumerate() {
        out.push('/');
        let (stem, ending) = segment.rsplit_once('.').filter(|(_, end)| end.len() <= 5).unwrap_or((segment, ""));
        let after_year = !date.is_empty() && is_number(stem) && stem.len() <= 2;
        if is_date(stem) || is_year(stem) || after_year {
            out.push_str("{date}");
            date.push_str(stem);
            date.push('-');
        } else if is_number(stem) {
            out.push_str("{n}");
        } else if is_token(stem) {
            out.push_str("{hex}");
        } else if at + 1 == segments.len() && stem.bytes().any(|byte| byte.is_ascii_digit()) {
            // `page-12`, `item12`: the name with its number taken out.
            let mut digits = false;
            for c in stem.chars() {
                if !c.is_ascii_digit() {
                    out.push(c);
                } else if !digits {
                    out.push_str("{n}");
                }
                digits = c.is_ascii_digit();
            }
        } else {
            out.push_str(stem);
        }
        if !ending.is_empty() {
            out.push('.');
            out.push_str(ending);
        }
    }
    (out, date)
}

/// The part of a template before what varies, or the template with `*` where that part says nothing.
fn exclude_of(template: &str) -> String {
    let fixed = template.split('{').next().unwrap_or_default();
    if fixed.matches('/').count() >= 2 {
        return fixed.to_owned();
    }
    let mut out = String::new();
    let mut inside = false;
    for c in template.chars() {
        match c {
            '{' => {
                inside = true;
                out.push('*');
            }
            '}' => inside = false,
            c if !inside => out.push(c),
            _ => {}
        }
    }
    out + "$"
}
