//! Statements against facts, in four languages.

use std::collections::BTreeMap;

use sdk::json;
use sdk::serde_json::Value;

use super::claims::{Verdict, of};
use super::facts::{self, Fact};

fn sheet() -> Vec<Fact> {
    let given = json!({
        "founded": { "value": 1998, "earlier": [] },
        "price": { "value": "from 49 EUR", "earlier": ["39 EUR"] },
        "phone": "+44 20 7946 0018",
        "opening_hours": "9:00-18:00",
        "city": { "value": "London", "earlier": ["Leeds"] },
        "warranty": { "value": "5 years", "earlier": ["2 years"] },
        "features": ["repair service", "gift wrapping"],
        "free_shipping": true,
        "motto": "Light where you need it",
    });
    let map: BTreeMap<String, Value> = given.as_object().unwrap().clone().into_iter().collect();
    let (facts, unread) = facts::read(&map);
    assert_eq!(unread, ["motto"]);
    facts
}

fn verdicts(sentence: &str) -> Vec<(String, Verdict)> {
    of(sentence, "en", &sheet()).into_iter().map(|it| (it.fact, it.verdict)).collect()
}

fn one(sentence: &str) -> (String, Verdict) {
    let all = verdicts(sentence);
    assert_eq!(all.len(), 1, "{sentence}: {all:?}");
    all[0].clone()
}

fn is(fact: &str, verdict: Verdict) -> (String, Verdict) {
    (fact.to_owned(), verdict)
}

#[test]
fn typed_values_are_compared_in_four_languages() {
    assert_eq!(one("Lamp Shop was founded in 1998."), is("founded", Verdict::Correct));
    assert_eq!(one("Lamp Shop wurde 2005 gegründet."), is("founded", Verdict::Wrong));
    assert_eq!(one("Lamp Shop a été fondée en 1998."), is("founded", Verdict::Correct));
    assert_eq!(one("Lamp Shop fue fundada en 2001."), is("founded", Verdict::Wrong));
    assert_eq!(one("Prices at Lamp Shop start at €39."), is("price", Verdict::Outdated));
    assert_eq!(one("Eine Lampe kostet bei Lamp Shop 89 Euro."), is("price", Verdict::Correct));
    assert_eq!(one("Its lamps cost 19,90 EUR."), is("price", Verdict::Wrong));
    assert_eq!(one("You can call Lamp Shop on 020 7946 0018."), is("phone", Verdict::Correct));
    assert_eq!(one("You can call Lamp Shop on +44 20 7946 9999."), is("phone", Verdict::Wrong));
    assert_eq!(one("Lamp Shop is open from 9 am to 6 pm."), is("opening_hours", Verdict::Correct));
    assert_eq!(one("Lamp Shop ist von 10 bis 20 Uhr geöffnet."), is("opening_hours", Verdict::Wrong));
    assert_eq!(one("Lamp Shop is based in London."), is("city", Verdict::Correct));
    assert_eq!(one("Lamp Shop is based in Leeds."), is("city", Verdict::Outdated));
    assert_eq!(one("Lamp Shop is based in Paris."), is("city", Verdict::Wrong));
    assert_eq!(one("All lamps have a warranty of 5 years."), is("warranty", Verdict::Correct));
    assert_eq!(one("All lamps have a 2-year warranty."), is("warranty", Verdict::Outdated));
    assert_eq!(one("Lamp Shop has no gift wrapping."), is("features", Verdict::Wrong));
    assert_eq!(one("Lamp Shop has a repair service."), is("features", Verdict::Correct));
    assert_eq!(one("Lamp Shop does not offer free shipping."), is("free_shipping", Verdict::Wrong));
}

#[test]
fn what_cannot_be_compared_is_uncertain_and_what_no_fact_speaks_of_is_unsupported() {
    assert_eq!(one("Lamps cost about 30 EUR at Lamp Shop."), is("price", Verdict::Uncertain));
    assert_eq!(one("Lamps cost 60 USD at Lamp Shop."), is("price", Verdict::Uncertain));
    assert_eq!(one("Lamps cost 12 EUR and shades 20 EUR at Lamp Shop."), is("price", Verdict::Uncertain));
    assert_eq!(verdicts("Lamp Shop sells lamps."), []);
    let none: Vec<Fact> = Vec::new();
    let said: Vec<(String, Verdict)> =
        of("Lamp Shop was founded in 1990.", "en", &none).into_iter().map(|it| (it.fact, it.verdict)).collect();
    assert_eq!(said, [is("founded", Verdict::Unsupported)]);
}

#[test]
fn numbers_are_read_in_either_way_of_parting_thousands() {
    let cents = |text: &str| facts::money(text).first().map(|it| it.0.cents);
    assert_eq!(cents("1.299,00 €"), Some(129_900));
    assert_eq!(cents("$1,299.50"), Some(129_950));
    assert_eq!(cents("€1.299"), Some(129_900));
    assert_eq!(cents("49.9 EUR"), Some(4_990));
    assert_eq!(cents("49 lamps"), None);
}
