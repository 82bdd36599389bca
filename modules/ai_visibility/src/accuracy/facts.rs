//! Facts with a type, as they can be compared.

use std::collections::BTreeMap;

use sdk::serde_json::Value;

use crate::brand::folded::fold;

/// An amount of money, in hundredths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Money {
    pub(super) cents: u64,
    /// ISO 4217.
    pub(super) currency: String,
    /// Whether it is the lowest of several.
    pub(super) from: bool,
}

/// The value of a fact.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Known {
    Money(Money),
    Year(i32),
    Phone(String),
    /// Times of opening, in minutes of the day.
    Hours(Vec<(u32, u32)>),
    /// Words of a place.
    Place(Vec<String>),
    /// A number and the word of its unit.
    Amount(f64, String),
    Features(Vec<String>),
    Flag(bool),
}

/// A fact.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fact {
    pub(super) name: String,
    /// As it was given.
    pub(super) written: String,
    pub(super) value: Known,
    /// What it was before.
    pub(super) earlier: Vec<Known>,
    /// Words that a statement about it has one of.
    pub(super) cues: Vec<String>,
}

/// Reads facts; those of no kind that is compared are named.
pub(super) fn read(given: &BTreeMap<String, Value>) -> (Vec<Fact>, Vec<String>) {
    let (mut facts, mut unread) = (Vec::new(), Vec::new());
    for (name, value) in given {
        let (now, before) = match value.as_object() {
            Some(object) if object.contains_key("value") => {
                (object["value"].clone(), object.get("earlier").and_then(Value::as_array).cloned().unwrap_or_default())
            }
            _ => (value.clone(), Vec::new()),
        };
        let low = name.to_lowercase().replace(['-', ' '], "_");
        match known(&low, &now) {
            Some(value) => facts.push(Fact {
                earlier: before.iter().filter_map(|it| known(&low, it)).collect(),
                written: shown(&now),
                cues: cues(&low),
                name: name.clone(),
                value,
            }),
            None => unread.push(name.clone()),
        }
    }
    (facts, unread)
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().map(shown).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

fn known(name: &str, value: &Value) -> Option<Known> {
    let has = |words: &[&str]| words.iter().any(|it| name.contains(it));
    match value {
        Value::Bool(flag) => return Some(Known::Flag(*flag)),
        Value::Array(all) => {
            let texts: Vec<String> = all.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect();
            if has(&["hour", "opening"]) {
                return hours(&texts.join("; ")).map(Known::Hours);
            }
            return (!texts.is_empty()).then_some(Known::Features(texts));
        }
        Value::Number(number) if has(&["found", "since", "establish", "year"]) => {
            return number.as_i64().and_then(|it| i32::try_from(it).ok()).map(Known::Year);
        }
        _ => {}
    }
    let text = shown(value);
    if has(&["phone", "tel"]) {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        return (digits.len() >= 6).then_some(Known::Phone(digits));
    }
    if has(&["hour", "opening"]) {
        return hours(&text).map(Known::Hours);
    }
    if has(&["found", "since", "establish"]) {
        return year(&text).map(Known::Year);
    }
    if let Some(money) = money(&text).into_iter().next() {
        return Some(Known::Money(money.0));
    }
    if has(&["address", "city", "country", "location", "place", "headquarter", "based"]) {
        let words: Vec<String> = kit::text::words(&text)
            .map(fold)
            .filter(|it| it.chars().count() > 2 && !it.chars().all(char::is_numeric))
            .collect();
        return (!words.is_empty()).then_some(Known::Place(words));
    }
    if has(&["features", "services"]) && !text.is_empty() {
        let all = text.split([',', ';']).map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
        return Some(Known::Features(all.collect()));
    }
    amounts(&text).into_iter().next().map(|(number, unit, _)| Known::Amount(number, unit))
}

/// Words of statements about a fact: those of its name, and what people say for common ones.
fn cues(name: &str) -> Vec<String> {
    let mut out: Vec<String> = name.split('_').map(fold).filter(|it| it.chars().count() > 2).collect();
    let more: &[&str] = match () {
        () if name.contains("found") || name.contains("since") || name.contains("establish") => &[
            "founded",
            "established",
            "since",
            "started",
            "launched",
            "gegrundet",
            "seit",
            "grundung",
            "fondee",
            "fonde",
            "depuis",
            "creee",
            "fundada",
            "fundado",
            "desde",
            "creada",
        ],
        () if name.contains("price") || name.contains("cost") => &[
            "price", "prices", "cost", "costs", "starts", "from", "priced", "preis", "preise", "kostet", "kosten",
            "ab", "prix", "coute", "partir", "precio", "precios", "cuesta", "desde",
        ],
        () if name.contains("hour") || name.contains("opening") => &[
            "open",
            "opens",
            "hours",
            "geoffnet",
            "offnet",
            "offnungszeiten",
            "ouvert",
            "ouvre",
            "horaires",
            "abierto",
            "abre",
            "horario",
        ],
        () if name.contains("address")
            || name.contains("city")
            || name.contains("location")
            || name.contains("headquarter")
            || name.contains("based") =>
        {
            &[
                "based",
                "located",
                "headquartered",
                "headquarters",
                "sitz",
                "ansassig",
                "base",
                "situee",
                "situe",
                "siege",
                "sede",
                "ubicada",
                "ubicado",
                "basada",
            ]
        }
        () if name.contains("warranty") || name.contains("guarantee") => {
            &["warranty", "guarantee", "garantie", "gewahrleistung", "garantia"]
        }
        () if name.contains("ship") || name.contains("deliver") => {
            &["shipping", "delivery", "delivers", "ships", "versand", "lieferung", "livraison", "envio", "entrega"]
        }
        () if name.contains("return") => {
            &["return", "returns", "ruckgabe", "retour", "retours", "devolucion", "devoluciones"]
        }
        () if name.contains("employee") || name.contains("staff") => {
            &["employees", "staff", "mitarbeiter", "employes", "salaries", "empleados"]
        }
        () => &[],
    };
    out.extend(more.iter().map(|it| (*it).to_owned()));
    out
}

/// Amounts of money in a text, with their characters.
pub(super) fn money(text: &str) -> Vec<(Money, String)> {
    const SIGNS: [(&str, &str); 12] = [
        ("€", "EUR"),
        ("EUR", "EUR"),
        ("Euro", "EUR"),
        ("euros", "EUR"),
        ("£", "GBP"),
        ("GBP", "GBP"),
        ("US$", "USD"),
        ("$", "USD"),
        ("USD", "USD"),
        ("CHF", "CHF"),
        ("pounds", "GBP"),
        ("dollars", "USD"),
    ];
    let mut out = Vec::new();
    for (number, start, end) in numbers(text) {
        let (before, after) = (text[..start].trim_end(), text[end..].trim_start());
        let sign = SIGNS.iter().find(|it| {
            let low = |text: &str| text.to_lowercase();
            low(before).ends_with(&low(it.0)) || low(after).starts_with(&low(it.0))
        });
        let Some((_, currency)) = sign else { continue };
        let head = fold(before.trim_end_matches(|it: char| !it.is_alphabetic() && it != ' ')).trim().to_owned();
        let from = ["from", "starting at", "start at", "starts at", "ab", "a partir de", "desde", "des", "at least"]
            .iter()
            .any(|it| head.ends_with(it));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded amounts of money")]
        let cents = (number.clamp(0.0, 1e12) * 100.0).round() as u64;
        out.push((
            Money { cents, currency: (*currency).to_owned(), from },
            text[start..end].to_owned() + " " + currency,
        ));
    }
    out
}

/// Numbers with a word behind them, with their characters: `24 months`.
pub(super) fn amounts(text: &str) -> Vec<(f64, String, String)> {
    let mut out = Vec::new();
    for (number, start, end) in numbers(text) {
        let unit: String = text[end..]
            .trim_start_matches(['-', ' ', '\u{a0}'])
            .chars()
            .take_while(|it| it.is_alphabetic() || *it == '%')
            .collect();
        if !unit.is_empty() {
            let singular = kit::url::naming::singular(&fold(&unit)).to_owned();
            out.push((number, singular, format!("{} {unit}", &text[start..end])));
        }
    }
    out
}

/// Numbers as they are written in either way of parting thousands, with their bytes.
fn numbers(text: &str) -> Vec<(f64, usize, usize)> {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() || (at > 0 && bytes[at - 1].is_ascii_alphabetic()) {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len()
            && (bytes[at].is_ascii_digit()
                || (matches!(bytes[at], b'.' | b',') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)))
        {
            at += 1;
        }
        if let Some(number) = number(&text[start..at]) {
            out.push((number, start, at));
        }
    }
    out
}

fn number(text: &str) -> Option<f64> {
    let last = text.rfind(['.', ',']);
    let plain: String = match last {
        // Three digits behind the only kind of mark part thousands.
        Some(at) if text.len() - at - 1 == 3 && text.matches(['.', ',']).all(|it| text[at..].starts_with(it)) => {
            text.chars().filter(char::is_ascii_digit).collect()
        }
        Some(at) => {
            let whole: String = text[..at].chars().filter(char::is_ascii_digit).collect();
            format!("{whole}.{}", &text[at + 1..])
        }
        None => text.to_owned(),
    };
    plain.parse().ok()
}

/// A year in a text.
pub(super) fn year(text: &str) -> Option<i32> {
    let is_year = |it: &&str| it.len() == 4 && it.chars().all(|it| it.is_ascii_digit());
    kit::text::words(text).filter(is_year).filter_map(|it| it.parse().ok()).find(|it| (1_500..=2_100).contains(it))
}

/// Times of opening in a text, as minutes: `9:00-18:00`, `9 am to 6 pm`, `9 bis 18 Uhr`.
pub(super) fn hours(text: &str) -> Option<Vec<(u32, u32)>> {
    let low = text.to_lowercase().replace(['\u{2013}', '\u{2014}'], "-").replace("a.m.", "am").replace("p.m.", "pm");
    let (mut times, mut at): (Vec<(u32, usize, usize)>, usize) = (Vec::new(), 0);
    let bytes = low.as_bytes();
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len()
            && (bytes[at].is_ascii_digit()
                || (matches!(bytes[at], b':' | b'.' | b'h') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)))
        {
            at += 1;
        }
        let mut parts = low[start..at].split([':', '.', 'h']);
        let (hour, minute) =
            (parts.next()?.parse::<u32>().ok(), parts.next().and_then(|it| it.parse::<u32>().ok()).unwrap_or(0));
        let Some(hour) = hour.filter(|it| *it <= 24 && minute < 60) else { continue };
        let tail = low[at..].trim_start();
        let hour = match () {
            () if tail.starts_with("pm") && hour < 12 => hour + 12,
            () if tail.starts_with("am") && hour == 12 => 0,
            () => hour,
        };
        times.push((hour * 60 + minute, start, at));
    }
    let pairs: Vec<(u32, u32)> = times
        .windows(2)
        .filter(|it| {
            let between = low[it[0].2..it[1].1].trim();
            let between = between.trim_start_matches("am").trim_start_matches("pm").trim_start_matches("uhr").trim();
            matches!(between, "-" | "to" | "until" | "bis" | "à" | "a" | "hasta las" | "hasta" | "till")
        })
        .map(|it| (it[0].0, it[1].0))
        .collect();
    (!pairs.is_empty()).then_some(pairs)
}
