//! A report as Markdown, for a person: what stops first, then the rest by subject.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use super::{Change, Report, Version};

/// Characters of a value that is quoted.
const QUOTED: usize = 400;

/// The whole report.
pub(super) fn write(report: &Report) -> String {
    let mut out = format!("# Review of {}\n\n", named(&report.module));
    let version = |version: Option<&Version>| match version {
        None => "nothing".to_owned(),
        Some(it) => {
            let size = it.size.map_or(String::new(), |size| format!(", {size} bytes"));
            format!("{}, {} operations{size}", quoted(&it.component), it.operations)
        }
    };
    let _ = writeln!(out, "- before: {}\n- after: {}", version(report.old.as_ref()), version(report.new.as_ref()));
    let class = format!("{:?}", report.class()).to_lowercase();
    let _ = writeln!(out, "- for those who call today: {class}\n- report: `{}`", report.digest());
    if report.changes.is_empty() {
        out += "\nNothing changed.\n";
        return out;
    }
    let (stops, rest): (Vec<&Change>, Vec<&Change>) = report.changes.iter().partition(|change| change.stops);
    for (title, changes) in [("Somebody has to say yes to this", stops), ("Also changed", rest)] {
        if changes.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n## {title}\n");
        for change in changes {
            let _ = writeln!(out, "- **{}** {change}", change.reason.as_str());
        }
    }
    out
}

/// Text of a version: as a quotation, whatever stands in it.
fn quoted(text: &str) -> String {
    let cut = text.chars().count() > QUOTED;
    let text: String = text.chars().take(QUOTED).collect();
    format!("`{}`{}", text.replace('`', "'"), if cut { " (cut)" } else { "" })
}

/// A name: as it is where it has the form of one, else as a quotation.
fn named(name: &str) -> Cow<'_, str> {
    let has_form = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '.' | '-' | ' ' | '/');
    if name.chars().all(has_form) { name.into() } else { quoted(name).into() }
}

/// Without its name: what it is about, where, and what is and was.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() { String::new() } else { format!(" at {}", quoted(&self.pointer)) };
        let what = match (self.before.as_str(), self.after.as_str()) {
            ("", "") => String::new(),
            ("", after) => format!(": {}", quoted(after)),
            (before, "") => format!(": was {}", quoted(before)),
            (before, after) => format!(": {} was {}", quoted(after), quoted(before)),
        };
        write!(f, "{}{place}{what}", named(&self.subject))
    }
}
