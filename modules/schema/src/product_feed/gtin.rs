//! GTINs: 8, 12, 13 or 14 digits of which the last checks the others, and ISBN-10 beside them.

/// A GTIN of 14 digits, zeros before shorter ones; none when its length, a sign in it or its check digit is wrong.
///
/// The check digit makes the sum of the digits, times three and one in turn from the right, divisible by ten (GS1 General
/// Specifications, section 7.9). Spaces and hyphens are passed over.
pub(crate) fn normal(text: &str) -> Option<String> {
    let bare: String = text.chars().filter(|it| !it.is_whitespace() && *it != '-').collect();
    if !matches!(bare.len(), 8 | 12 | 13 | 14) || !bare.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    let weighed = |(at, digit): (usize, u8)| u32::from(digit - b'0') * if at % 2 == 0 { 1 } else { 3 };
    let sum: u32 = bare.bytes().rev().enumerate().map(weighed).sum();
    sum.is_multiple_of(10).then(|| format!("{bare:0>14}"))
}

#[cfg(test)]
mod tests {
    use super::normal;

    #[test]
    fn the_check_digit_tells_a_mistyped_number() {
        // Worked examples of GS1's check digit calculator and of published books.
        for good in
            ["96385074", "036000291452", "4006381333931", "9780306406157", "00012345600012", "978-0-306-40615-7"]
        {
            assert!(normal(good).is_some(), "{good}");
        }
        for bad in ["96385075", "036000291453", "4006381333932", "123", "40063813339311", "400638133393X", ""] {
            assert_eq!(normal(bad), None, "{bad}");
        }
        assert_eq!(normal("036000291452"), normal("0036000291452"));
    }
}
