//! Rules about the dates of a text, and about markup that has had its time.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::fact::day;

rules! {
    "content.date_future" Content Warning Indexable Low 90 Page(date_future);
    title "The page says it comes from the future";
    why "A date after the day of reading is not believed, and results show none.";
    fix "onpage.date.extract" "Correct the date, or publish the page on that day.";
    see "https://developers.google.com/search/docs/appearance/publication-dates";

    "content.dates_reversed" Content Notice Indexable Low 92 Page(dates_reversed);
    title "The page was changed before it was published";
    why "One of the two dates is wrong, and search engines must guess which.";
    fix "onpage.date.extract" "Correct dateModified.";
    see "https://developers.google.com/search/docs/appearance/publication-dates";

    "content.stale" Content Notice Indexable High 45 Page(stale);
    at "days" stale_days;
    title "An article has not been touched for years";
    why "Facts, prices and links of old articles rot, and searchers prefer what is fresh where it matters.";
    fix "content.refresh.plan" "Read it again: renew it, or leave it as it is if it still holds.";
    see "https://developers.google.com/search/docs/fundamentals/creating-helpful-content";

    "content.frameset" Content Warning Page High 95 Page(frameset);
    title "The page is a set of frames";
    why "Search engines see the frames as pages of their own, without what stands around them.";
    fix "onpage.markup.validate" "Build the page without frames.";
    see "https://html.spec.whatwg.org/multipage/obsolete.html";

    "content.plugin" Content Warning Page High 96 Page(plugin);
    title "The page needs a plugin that no browser has";
    why "Flash, Java and Silverlight run nowhere any more; visitors see a hole.";
    fix "onpage.markup.validate" "Replace it by a video, a picture or a script.";
    see "https://developers.google.com/search/blog/2019/10/goodbye-flash";

    "content.obsolete_elements" Content Notice Page Medium 80 Page(obsolete_elements);
    title "The page uses elements that HTML has given up";
    why "Browsers may draw them in any way; what they did is the work of style sheets.";
    fix "onpage.markup.validate" "Replace them by style sheets.";
    see "https://html.spec.whatwg.org/multipage/obsolete.html";

    "content.reload" Content Notice Page Medium 88 Page(reload);
    title "The page reloads by itself";
    why "A reload throws readers back to the top, most of all those who read slowly or by ear (WCAG 2.2.1).";
    fix "onpage.markup.validate" "Load new parts by a script, or let the reader choose.";
    see "https://www.w3.org/WAI/WCAG22/Understanding/timing-adjustable";
}

fn date_future(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let today = day(page)?;
    let dates = [("published", &page.published), ("modified", &page.modified)];
    // A day more, as the server and the author may live in different zones.
    let late = |text: &str| kit::dates::parse(text).is_some_and(|it| it.days() > today.days() + 1);
    let (name, text) =
        dates.into_iter().find_map(|(name, date)| Some((name, date.as_deref().filter(|it| late(it))?)))?;
    Some(Evidence::at(name, text).expected(format!("{today} or earlier")))
}

fn dates_reversed(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (published, modified) = (page.published.as_deref()?, page.modified.as_deref()?);
    (kit::dates::parse(modified)? < kit::dates::parse(published)?)
        .then(|| Evidence::at("modified", modified).expected(format!("{published} or later")))
}

fn stale(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let article =
        page.structured.json_ld.iter().any(|it| matches!(it.as_str(), "Article" | "BlogPosting" | "TechArticle"));
    let text = page.modified.as_deref().or(page.published.as_deref()).filter(|_| article)?;
    let age = day(page)?.days() - kit::dates::parse(text)?.days();
    let limit = site.limits.stale_days;
    (age > i64::from(limit))
        .then(|| Evidence::at("modified", text).expected(format!("{limit} days or fewer, not {age}")))
}

fn frameset(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    page.markup.obsolete.iter().find(|it| *it == "frameset")?;
    Some(Evidence::at("<frameset>", "").expected("one document"))
}

fn plugin(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let first = page.markup.plugins.first()?;
    Some(Evidence::at("<object>", first).expected("HTML, a video or a picture").count(page.markup.plugins.len()))
}

fn obsolete_elements(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    // Frames and plugins have rules of their own.
    let said = |name: &str| matches!(name, "frameset" | "frame" | "noframes" | "applet");
    let found: Vec<&str> = page.markup.obsolete.iter().map(String::as_str).filter(|it| !said(it)).collect();
    let first = found.first()?;
    Some(Evidence::at(format!("<{first}>"), found.join(", ")).expected("style sheets").count(found.len()))
}

fn reload(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    // With another address it is a redirect, which has a rule of its own.
    let refresh = page.meta_refresh.as_ref().filter(|it| it.url.is_none())?;
    // Twenty hours and more bother nobody (WCAG 2.2.1).
    (refresh.seconds < 72_000).then(|| {
        Evidence::at("<meta http-equiv=\"refresh\">", refresh.seconds.to_string()).expected("no reload by itself")
    })
}
