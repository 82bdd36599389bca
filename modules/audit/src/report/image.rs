//! The operation `audit.image.report`. `files` knows what the crawl learned of the pictures' files.

mod files;

use sdk::Degraded;
use sdk::Fix;
use sdk::prelude::*;

use self::files::{File, Files, Problem};
use super::findings::Report;
use super::{Finding, Ground, Judged, about};
use crate::evidence::Evidence;
use crate::rule::{Area, Rule, Severity};

/// A problem, and how often there is one.
#[value]
pub(crate) struct Sum {
    /// The rule, or what is wrong with files.
    problem: String,
    /// The fault in a few words.
    title: String,
    /// What it costs.
    severity: Severity,
    /// Pages at fault; null for what is wrong with files.
    urls: Option<u32>,
    /// Files at fault, each counted once however many pages show it; null for rules about pages.
    files: Option<u32>,
    /// What to do.
    advice: String,
    /// The call that acts on it.
    fix: Fix,
    /// The operation that makes the change in the end; null while the catalog does not serve it.
    fix_operation: Option<String>,
}

/// A picture, or the pictures of a page, with one problem.
#[value]
pub(crate) struct Row {
    /// The page; of a file that several pages show, the first.
    url: String,
    /// The rule, or what is wrong with the file.
    problem: String,
    /// What it costs.
    severity: Severity,
    /// The element or the file, its exact value, and what was expected.
    evidence: Evidence,
    /// The file; null for rules about pages.
    image: Option<String>,
    /// How many pages show the file.
    pages: Option<u64>,
    /// Its size, as its server says.
    bytes: Option<u64>,
    /// Bytes that a modern format would save, estimated.
    bytes_saved: Option<u64>,
}

/// What the estimate of saved bytes stands on.
#[value]
pub(crate) struct Estimate {
    /// Files whose size and format are known and could be smaller.
    files: u32,
    /// Their bytes together.
    bytes: u64,
    /// How the estimate is made.
    formula: String,
}

/// What is wrong with pictures.
#[page]
pub(crate) struct Images {
    /// Files first, the largest saving first; then pages, rule by rule.
    rows: Vec<Row>,
    /// Problems that were found, the worst first.
    summary: Vec<Sum>,
    /// Bytes that modern formats would save over all files whose size is known; each file counts once.
    bytes_saved: u64,
    /// What `bytes_saved` stands on.
    estimate: Estimate,
    /// What the report stands on.
    #[serde(flatten)]
    judged: Judged,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Reports images without alt, dimensions or lazy loading, oversized or legacy formats, broken and upscaled images, with
/// estimated bytes saved.
///
/// What stands in pages is told by the rules of the area images; what is wrong with files by what their servers answered when
/// the crawl asked for their headers: `file.broken`, `file.heavy` (more than 300 kB) and `file.old_format`. Pixels are
/// not read by a crawl, so which pictures are upscaled is said by onpage.image.check for a page at a time.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(unit = "rows", most = limit),
    phrasings = [
        "which images have no alt text",
        "find images that are too heavy or in old formats",
        "broken images of my website",
        "how many bytes could webp or avif save",
        "images without width and height or lazy loading",
    ],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "problem": "file.heavy", "limit": 100 }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Answer<Images>> {
    let mut ground = Ground::of(cx, &args.run_ref)?;
    let rules = about(&ground, |rule| rule.area == Area::Images);
    let chosen = Chosen::of(args.problem.as_deref(), &rules)?;
    let files = Files::of(cx, &args.run_ref);
    ground.degraded.extend(files.degraded());
    let faults: Vec<(Problem, &File)> = files.faults().filter(|(problem, _)| chosen.files.contains(problem)).collect();
    let limit = usize::from(args.limit);
    let (mut rows, mut next_cursor) = (Vec::new(), None);
    let (from, inner) = match args.cursor.as_ref().map(|cursor| cursor.as_str().split_once(' ')) {
        None => (0, None),
        Some(Some(("files", from))) => (from.parse().map_err(|_| sdk::invalid_cursor())?, None),
        Some(Some(("pages", inner))) => (faults.len(), Some(inner).filter(|it| !it.is_empty()).map(Cursor::new)),
        Some(_) => return Err(sdk::invalid_cursor()),
    };
    rows.extend(faults.iter().skip(from).take(limit).map(|(problem, file)| of_file(*problem, file)));
    if from + rows.len() < faults.len() {
        next_cursor = Some(Cursor::new(format!("files {}", from + rows.len())));
    } else if rows.len() < limit {
        let (found, next) = ground.page(&chosen.rules, limit - rows.len(), inner.as_ref())?;
        rows.extend(found.into_iter().map(of_page));
        next_cursor = next.map(|next| Cursor::new(format!("pages {}", next.as_str())));
    } else if chosen.rules.iter().any(|rule| ground.affected(rule) > 0) {
        next_cursor = Some(Cursor::new("pages "));
    }
    let summary = summary(&files, &ground, &rules);
    let (bytes_saved, estimate) = files.estimate();
    let Ground { judged, degraded, .. } = ground;
    let units = rows.len() as u64;
    Ok(Answer::new(Images { rows, summary, bytes_saved, estimate, judged, degraded, next_cursor }).units(units))
}

/// The problems that were asked for.
struct Chosen {
    files: Vec<Problem>,
    rules: Vec<Rule>,
}

impl Chosen {
    fn of(problem: Option<&str>, rules: &[Rule]) -> Result<Self> {
        let Some(problem) = problem else { return Ok(Self { files: Problem::ALL.to_vec(), rules: rules.to_vec() }) };
        if let Some(file) = Problem::ALL.into_iter().find(|it| it.id() == problem) {
            return Ok(Self { files: vec![file], rules: Vec::new() });
        }
        match rules.iter().find(|rule| rule.id == problem) {
            Some(rule) => Ok(Self { files: Vec::new(), rules: vec![*rule] }),
            None => {
                let files = Problem::ALL.into_iter().map(Problem::id);
                let known: Vec<&str> = files.chain(rules.iter().map(|rule| rule.id)).collect();
                Err(Fault::invalid("/problem", "unknown_problem", format!("this report has {}", known.join(", "))))
            }
        }
    }
}

fn of_file(problem: Problem, file: &File) -> Row {
    Row {
        url: file.page().to_owned(),
        problem: problem.id().to_owned(),
        severity: problem.severity(),
        evidence: problem.evidence(file),
        image: Some(file.url.clone()),
        pages: Some(file.pages),
        bytes: file.bytes,
        bytes_saved: file.saving().filter(|_| problem != Problem::Broken),
    }
}

fn of_page(found: Finding) -> Row {
    Row {
        url: found.url,
        problem: found.rule.id.to_owned(),
        severity: found.rule.severity,
        evidence: found.evidence,
        image: None,
        pages: None,
        bytes: None,
        bytes_saved: None,
    }
}

fn summary(files: &Files, ground: &Ground<'_>, rules: &[Rule]) -> Vec<Sum> {
    let of_files = Problem::ALL.into_iter().filter_map(|problem| {
        let mut faults = files.faults().filter(|(it, _)| *it == problem).map(|(_, file)| file);
        let first = faults.next()?;
        let count = 1 + faults.count();
        Some(Sum {
            problem: problem.id().to_owned(),
            title: problem.title().to_owned(),
            severity: problem.severity(),
            urls: None,
            files: Some(u32::try_from(count).unwrap_or(u32::MAX)),
            advice: problem.advice().to_owned(),
            fix: Fix::on("onpage.image.check", first.page()),
            fix_operation: Some(problem.operation()).filter(|it| sdk::served(it)).map(str::to_owned),
        })
    });
    let of_pages = super::sums(ground, rules).into_iter().map(|sum| Sum {
        problem: sum.problem,
        title: sum.title,
        severity: sum.severity,
        urls: Some(sum.urls),
        files: None,
        advice: sum.advice,
        fix: sum.fix,
        fix_operation: sum.fix_operation,
    });
    let mut all: Vec<Sum> = of_files.chain(of_pages).collect();
    all.sort_by_key(|sum| sum.severity);
    all
}

#[cfg(test)]
mod tests;
