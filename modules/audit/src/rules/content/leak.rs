//! Rules about texts in which something went wrong before they were sent.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};

rules! {
    "content.broken_letters" Content Warning Page Medium 93 Page(broken_letters);
    title "The text holds broken letters";
    why "Letters of one encoding were stored as another: readers see two or three odd signs in place of one.";
    fix "cms.content.update" "Repair the text where it is stored, and read and write it as UTF-8.";
    see "https://www.w3.org/International/questions/qa-what-is-encoding";

    "content.template_leak" Content Warning Page Medium 80 Page(template_leak);
    title "The text shows pieces of a template";
    why "What should have been filled in or run is shown as it is.";
    fix "cms.content.update" "Correct the template, or the script that fills it in.";
    see "https://developers.google.com/search/docs/fundamentals/seo-starter-guide";

    "content.error_leak" Content Warning Page Medium 88 Page(error_leak);
    title "The page shows an error of the server";
    why "A warning of the program behind the page stands where readers see it, and tells how the server is built.";
    fix "cms.content.update" "Correct the fault; let errors go to a log.";
    see "https://developers.google.com/search/docs/crawling-indexing/http-network-errors";
}

/// The texts of a page that are kept, each with where it stands.
fn texts(page: &PageFacts) -> impl Iterator<Item = (String, &str)> {
    let titles = page.titles.iter().map(|it| ("<title>".to_owned(), it.as_str()));
    let descriptions = page.descriptions.iter().map(|it| ("<meta name=\"description\">".to_owned(), it.as_str()));
    let headings = page.headings.iter().map(|it| (format!("<h{}>", it.level), it.text.as_str()));
    let text = std::iter::once(("main text".to_owned(), page.excerpt.as_str()));
    titles.chain(descriptions).chain(headings).chain(text)
}

fn holding<'a>(page: &'a PageFacts, signs: &[&'static str]) -> Option<(String, &'a str, &'static str)> {
    texts(page).find_map(|(element, text)| {
        let sign = signs.iter().find(|sign| text.contains(**sign))?;
        Some((element, text, *sign))
    })
}

fn broken_letters(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    // UTF-8 read as Windows-1252: what common letters and quotation marks become.
    const BROKEN: &[&str] = &[
        "Ã¤",
        "Ã¶",
        "Ã¼",
        "ÃŸ",
        "Ã©",
        "Ã¨",
        "Ã¡",
        "Ã±",
        "Ã§",
        "Ã³",
        "â€™",
        "â€œ",
        "â€\u{9d}",
        "â€“",
        "â€”",
        "â‚¬",
        "Â©",
        "Â®",
        "ï»¿",
    ];
    let (element, text, sign) = holding(page, BROKEN)?;
    Some(Evidence::at(element, text).expected(format!("a letter in place of {sign}")))
}

fn template_leak(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    const PIECES: &[&str] =
        &["[object Object]", "<?php", "<%=", "{{#", "{{/", "{% if", "{% end", "[vc_row", "[/vc_", "[et_pb_", "${"];
    let (element, text, sign) = holding(page, PIECES)?;
    Some(Evidence::at(element, text).expected(format!("what {sign} stands for")))
}

fn error_leak(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    const ERRORS: &[&str] = &[
        "Fatal error: ",
        "Parse error: syntax error",
        "Warning: Undefined",
        "Notice: Undefined",
        "Warning: mysqli",
        "Warning: include(",
        "Deprecated: ",
        "SQLSTATE[",
        "Traceback (most recent call last)",
        "Stack trace: #0",
        "Error establishing a database connection",
        "Server Error in '/' Application",
        "Uncaught TypeError",
        "java.lang.NullPointerException",
        "ORA-00",
    ];
    // A page whose title speaks of an error is about it, and so is one that comes to it later.
    let text = page.excerpt.as_str();
    let sign = ERRORS.iter().find(|sign| text.find(**sign).is_some_and(|at| at < 40))?;
    let about = page.titles.iter().any(|title| title.contains(sign.trim_end_matches([' ', ':'])));
    (!about).then(|| Evidence::at("main text", text).expected(format!("no \"{}\"", sign.trim_end_matches([' ', ':']))))
}
