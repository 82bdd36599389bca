//! Reading a price as shops write it, with its currency, in whatever way the country separates digits.

use crate::check::currency;

/// An amount with the currency that stands beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Money {
    /// Thousandths of the currency.
    pub(crate) milli: i64,
    /// The code of ISO 4217, where the text names one.
    pub(crate) currency: Option<&'static str>,
}

impl Money {
    /// The amount with a point and the digits of its currency, as schema.org writes prices.
    pub(crate) fn amount(self) -> String {
        let digits = self.currency.map_or(2, currency::digits) as usize;
        let (whole, rest) = (self.milli / 1_000, (self.milli % 1_000).unsigned_abs());
        let rest = format!("{rest:03}");
        let kept = rest.trim_end_matches('0').len().max(digits);
        if kept == 0 { whole.to_string() } else { format!("{whole}.{}", &rest[..kept.min(3)]) }
    }
}

/// The first price of a text; none without a digit.
///
/// The last of two different separators is the decimal one; a single one is when one or two digits follow, and when three
/// follow it separates thousands. Apostrophes and spaces separate thousands.
pub(crate) fn parse(text: &str) -> Option<Money> {
    let start = text.find(|it: char| it.is_ascii_digit())?;
    let rest = &text[start..];
    let within = |it: char| it.is_ascii_digit() || matches!(it, '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}');
    let end = rest.find(|it: char| !within(it)).unwrap_or(rest.len());
    let mut number = rest[..end].trim_end_matches(|it: char| !it.is_ascii_digit());
    // A space separates thousands only where three digits follow: `3 for 10` is not 310.
    if let Some(at) =
        number.char_indices().find(|(at, it)| it.is_whitespace() && !three_follow(&number[at + it.len_utf8()..]))
    {
        number = &number[..at.0];
    }
    let number = number.trim_end_matches(|it: char| !it.is_ascii_digit());
    let decimal = decimal_place(number);
    let (whole, fraction) = decimal.map_or((number, ""), |at| (&number[..at], &number[at + 1..]));
    let digits = |part: &str| part.chars().filter(char::is_ascii_digit).collect::<String>();
    let (whole, fraction) = (digits(whole), digits(fraction));
    let milli: i64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let milli = whole.checked_mul(1_000)?.checked_add(milli)?;
    let negative = text[..start].ends_with('-');
    Some(Money { milli: if negative { -milli } else { milli }, currency: currency::named(text) })
}

fn three_follow(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits == 3
}

/// Where the decimal separator of a number stands.
fn decimal_place(number: &str) -> Option<usize> {
    let (point, comma) = (number.rfind('.'), number.rfind(','));
    match (point, comma) {
        (Some(point), Some(comma)) => Some(point.max(comma)),
        (Some(at), None) | (None, Some(at)) => {
            let repeated = number.matches(['.', ',']).count() > 1;
            let after = number.len() - at - 1;
            (!repeated && after != 3).then_some(at)
        }
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn prices_of_many_countries_mean_what_their_readers_take_them_for() {
        for (text, amount, currency) in [
            ("89.00 EUR", "89.00", Some("EUR")),
            ("1.299,00 €", "1299.00", Some("EUR")),
            ("$1,299.5", "1299.50", Some("USD")),
            ("CHF 1'299.90", "1299.90", Some("CHF")),
            ("1 299 zł", "1299.00", Some("PLN")),
            ("¥12,800", "12800", Some("JPY")),
            ("KWD 1.250,500", "1250.500", Some("KWD")),
            ("US$ 5", "5.00", Some("USD")),
            ("12,5", "12.50", None),
            ("1.299", "1299.00", None),
            ("R$ 10,00", "10.00", Some("BRL")),
            ("1,299,000", "1299000.00", None),
            ("from 3 for 10 €", "3.00", Some("EUR")),
            ("1 299,00 €", "1299.00", Some("EUR")),
            ("-5.00 GBP", "-5.00", Some("GBP")),
        ] {
            let money = parse(text).unwrap();
            assert_eq!((money.amount().as_str(), money.currency), (amount, currency), "{text}");
        }
        assert_eq!(parse("on request"), None);
        assert_eq!(parse("99999999999999999999 EUR"), None);
    }
}
