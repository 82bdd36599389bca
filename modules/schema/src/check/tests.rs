//! What the vocabulary takes and refuses.

use serde_json::{Value, json};

use super::{Found, Severity, check, literal};

fn codes(item: Value) -> Vec<String> {
    let Value::Object(item) = item else { panic!("an item") };
    let shown = |it: Found| {
        format!("{} {}{}", it.code, it.pointer, it.properties.iter().map(|it| format!("/{it}")).collect::<String>())
    };
    check(&item).into_iter().map(shown).collect()
}

#[test]
fn what_keeps_to_the_vocabulary_is_left_alone() {
    let item = json!({ "@type": "Product", "name": "Lamp", "image": "/lamp.png", "sku": 12, "offers": [{ "@type": "Offer",
        "price": "89.00", "priceCurrency": "EUR", "availability": "https://schema.org/InStock", "priceValidUntil": "2027-01-31",
        "seller": { "@id": "#shop" } }], "brand": { "@type": "Brand", "name": "Brass" } });
    assert_eq!(codes(item), Vec::<String>::new());
    let recipe = json!({ "@type": "Recipe", "name": "Soup", "cookTime": "PT1H30M", "author": "Ada" });
    assert_eq!(codes(recipe), ["text_for_type /author"]);
}

#[test]
fn unknown_types_and_properties_are_named_where_they_stand() {
    let item =
        json!({ "@type": "Artcle", "headline": "A", "author": { "@type": "Person", "price": 3, "nmae": "Ada" } });
    assert_eq!(
        codes(item),
        ["unknown_type /@type", "unknown_property /author/nmae", "property_not_of_type /author/price"]
    );
}

#[test]
fn values_that_cannot_be_read_are_errors_and_those_of_another_type_are_warnings() {
    let item = json!({ "@type": "Offer", "price": "89,00 €", "priceCurrency": "Euro", "availability": "yes",
        "validFrom": "next week", "seller": { "@type": "Recipe" }, "url": "not an address" });
    assert_eq!(
        codes(item),
        [
            "not_in_enumeration /availability",
            "not_a_currency /priceCurrency",
            "value_of_other_type /seller",
            "malformed_value /url",
            "malformed_value /validFrom"
        ]
    );
    let video = json!({ "@type": "VideoObject", "duration": "5 minutes", "uploadDate": "2026-02-30", "isFamilyFriendly": "maybe" });
    assert_eq!(
        codes(video),
        ["malformed_value /duration", "malformed_value /isFamilyFriendly", "malformed_value /uploadDate"]
    );
}

#[test]
fn a_superseded_property_is_a_warning() {
    let Value::Object(item) = json!({ "@type": "Review", "reviews": [] }) else { panic!() };
    assert!(check(&item).iter().all(|it| it.severity == Severity::Warning));
}

#[test]
fn dates_times_and_durations_are_those_of_iso_8601() {
    for (text, holds) in
        [("2026-02-28", true), ("2026-02-29", false), ("2024-02-29", true), ("2026", true), ("28.02.2026", false)]
    {
        assert_eq!(literal::is_date(text), holds, "{text}");
    }
    for (text, holds) in [
        ("2026-09-28T07:30", true),
        ("2026-09-28T07:30:00.5+02:00", true),
        ("2026-09-28T7:30", false),
        ("2026-09-28", false),
    ] {
        assert_eq!(literal::is_date_time(text), holds, "{text}");
    }
    for (text, holds) in [
        ("PT1H30M", true),
        ("P3D", true),
        ("P2W", true),
        ("P", false),
        ("PT", false),
        ("1H", false),
        ("PT30", false),
        ("P1DT", false),
    ] {
        assert_eq!(literal::is_duration(text), holds, "{text}");
    }
}
