//! What values must be worth, beyond being there: ranges, counts, days that are over and addresses of steps. The
//! reference validator asks for none of these, and Google's documentation for all.
//!
//! Sources: Google Search Central, "Review snippet" (ratingValue between worstRating and bestRating; counts of ratings),
//! "Product snippet" (priceValidUntil), "Job posting" (validThrough), "Breadcrumb" (item of every step but the last).

use sdk::value::Day;
use serde_json::{Map, Value};

use super::rule::{Place, each, is_below, reached};
use crate::check::{Found, Severity, literal};
use crate::extract::values;

/// Asks every node of a tree; a day before `today` is over.
pub(super) fn check(item: &Map<String, Value>, today: Day) -> Vec<Found> {
    let mut out = Vec::new();
    each(item, &mut |named, item, place| {
        let mut say = |code, name: &str, message: String| {
            let (pointer, properties) = (place.pointer.clone(), vec![name.to_owned()]);
            out.push(Found { severity: Severity::Error, code, pointer, properties, message });
        };
        if is_below(named, "Rating") {
            rating(item, &mut say);
        }
        if is_below(named, "Offer") && place.around.last() == Some(&"Product") {
            over(item, "priceValidUntil", "price_expired", today, &mut say);
        }
        if is_below(named, "JobPosting") {
            over(item, "validThrough", "job_expired", today, &mut say);
        }
        if is_below(named, "BreadcrumbList") {
            steps(item, place, &mut out);
        }
    });
    out
}

/// A number, or a text that is one.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// `4.5`, `60%` or `6 / 10`.
fn is_rating(text: &str) -> bool {
    let is_number = |it: &str| literal::is_number(it.trim());
    let text = text.trim();
    match text.split_once('/') {
        Some((part, whole)) => is_number(part) && is_number(whole),
        None => is_number(text.trim_end_matches('%')),
    }
}

/// A rating in text is a number too, and what is counted was counted at least once.
fn rating(item: &Map<String, Value>, say: &mut impl FnMut(&'static str, &str, String)) {
    let of = |name: &str| item.get(name).and_then(number);
    let best = of("bestRating").filter(|it| *it != 0.0).unwrap_or(5.0);
    let worst = of("worstRating").unwrap_or(0.0);
    // `special` asks a number that is written as one.
    let text = item.get("ratingValue").filter(|it| it.is_string()).and_then(number);
    if let Some(value) = text.filter(|it| *it < worst || *it > best) {
        say("rating_out_of_range", "ratingValue", format!("ratingValue {value} is not between {worst} and {best}"));
    }
    let unread = item.get("ratingValue").and_then(Value::as_str).filter(|it| !is_rating(it));
    if let Some(text) = unread.filter(|it| !it.trim().is_empty()) {
        let message =
            format!("ratingValue {text:.40} cannot be read; it is a number with a point, a fraction or a percentage");
        say("malformed_value", "ratingValue", message);
    }
    for name in ["ratingCount", "reviewCount"] {
        if let Some(count) = of(name).filter(|it| *it <= 0.0 || it.fract() != 0.0) {
            say("count_not_positive", name, format!("{name} is {count}; a rating is of one review or more"));
        }
    }
}

/// A day of ISO 8601 until which something holds; what another spelling means is not guessed.
fn over(
    item: &Map<String, Value>,
    name: &'static str,
    code: &'static str,
    today: Day,
    say: &mut impl FnMut(&'static str, &str, String),
) {
    let Some(Value::String(text)) = reached(item, name) else { return };
    let day = text.trim().get(..10).and_then(|it| it.parse::<Day>().ok());
    if day.is_some_and(|day| day < today) {
        say(code, name, format!("{name} {:.40} is over: search engines do not show what ended", text.trim()));
    }
}

/// Every step but the last names its page.
fn steps(item: &Map<String, Value>, place: &Place<'_>, out: &mut Vec<Found>) {
    let steps = values(item, "itemListElement");
    let position = |step: &Value| step.get("position").and_then(number);
    let last = steps.iter().filter_map(position).fold(f64::MIN, f64::max);
    for (at, step) in steps.iter().enumerate() {
        let address = step.get("item").map(|it| it.get("@id").unwrap_or(it));
        let linked = address.is_some_and(|it| it.as_str().is_some_and(|it| !it.is_empty()));
        if !linked && position(step).is_none_or(|it| it < last) {
            out.push(Found {
                severity: Severity::Error,
                code: "missing_required",
                pointer: format!("{}/itemListElement/{at}", place.pointer),
                properties: vec!["item".to_owned()],
                message: "every step but the last names its page in item".to_owned(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    //! Tests of `worth`.

    use serde_json::json;

    use super::*;

    fn codes(item: &Value) -> Vec<(&'static str, String)> {
        let today = Day::from_civil(2026, 11, 27).unwrap();
        check(item.as_object().unwrap(), today).into_iter().map(|it| (it.code, it.pointer)).collect()
    }

    #[test]
    fn a_price_or_a_job_that_ended_is_over_from_the_next_day_on() {
        let product = |until: &str| json!({ "@type": "Product", "offers": { "@type": "Offer", "price": 9, "priceValidUntil": until } });
        for until in ["2019-01-31", "2026-11-26", "2026-11-26T23:00:00Z"] {
            assert_eq!(codes(&product(until)), [("price_expired", "/offers".to_owned())], "{until}");
        }
        for until in ["2026-11-27", "2027-01-01", "10/12/2019", "soon", ""] {
            assert!(codes(&product(until)).is_empty(), "{until}");
        }
        let alone = json!({ "@type": "Offer", "priceValidUntil": "2019-01-31" });
        assert!(codes(&alone).is_empty(), "only a product's offer is a snippet");
        let job = json!({ "@type": "JobPosting", "validThrough": "2020-02-02" });
        assert_eq!(codes(&job), [("job_expired", String::new())]);
    }

    #[test]
    fn ratings_in_text_keep_their_range_and_counts_are_of_one_or_more() {
        let rating = |value: Value| json!({ "@type": "AggregateRating", "ratingValue": value, "ratingCount": 3 });
        assert_eq!(codes(&rating(json!("6")))[0].0, "rating_out_of_range");
        assert!(codes(&rating(json!("4.5"))).is_empty());
        assert_eq!(codes(&rating(json!("4,5")))[0].0, "malformed_value");
        for read in ["60%", "6 / 10", "3/5", ""] {
            assert!(codes(&rating(json!(read))).is_empty(), "{read}");
        }
        let wide = json!({ "@type": "Rating", "ratingValue": "88", "bestRating": "100" });
        assert!(codes(&wide).is_empty());
        for count in [json!(0), json!("0"), json!(-3), json!(1.5)] {
            let item = json!({ "@type": "AggregateRating", "ratingValue": 4, "reviewCount": count });
            assert_eq!(codes(&item), [("count_not_positive", String::new())], "{count}");
        }
    }

    #[test]
    fn each_step_of_a_trail_but_the_last_names_its_page() {
        let step = |position: u8, item: Option<&str>| json!({ "@type": "ListItem", "position": position, "name": "x", "item": item });
        let trail = |steps: Value| json!({ "@type": "BreadcrumbList", "itemListElement": steps });
        assert!(codes(&trail(json!([step(1, Some("https://a.example/")), step(2, None)]))).is_empty());
        let broken = trail(json!([step(1, None), step(2, Some("https://a.example/b"))]));
        assert_eq!(codes(&broken), [("missing_required", "/itemListElement/0".to_owned())]);
    }
}
