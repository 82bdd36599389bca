//! Dates with a sign for each part: `2024年3月1日`, `2024년 3월 1일`.

use super::{Date, digit};

/// Eras and the year before their first.
const ERAS: [(&str, u32); 4] = [("令和", 2018), ("平成", 1988), ("民國", 1911), ("民国", 1911)];

/// Every such date: where it begins and ends, in bytes, and the day.
pub(super) fn all(text: &str) -> Vec<(usize, usize, Date)> {
    let signs = text.match_indices(['年', '년']);
    signs.filter_map(|(at, sign)| around(text, at, at + sign.len())).collect()
}

/// The date whose sign of the year stands here.
fn around(text: &str, at: usize, after: usize) -> Option<(usize, usize, Date)> {
    let before = text[..at].trim_end();
    let written = before.trim_end_matches(|c| figure(c).is_some() || c == '元');
    let year = number(&before[written.len()..])?;
    let era = ERAS.iter().find_map(|(name, first)| Some((written.trim_end().strip_suffix(name)?, *first)));
    let (start, year) = match era {
        Some((rest, first)) => (rest.len(), first + year),
        None => (written.len(), year),
    };
    let mut rest = &text[after..];
    let month = part(&mut rest, &['月', '월'])?;
    let day = part(&mut rest, &['日', '号', '號', '일'])?;
    let date = Date::new(u16::try_from(year).ok()?, u8::try_from(month).ok()?, u8::try_from(day).ok()?)?;
    Some((start, text.len() - rest.len(), date))
}

/// A number and its sign, taken from the beginning.
fn part(rest: &mut &str, signs: &[char]) -> Option<u32> {
    let text = rest.trim_start();
    let end = text.find(|c| figure(c).is_none())?;
    let number = number(&text[..end])?;
    *rest = text[end..].trim_start().strip_prefix(signs)?;
    Some(number)
}

/// What a figure counts; ten is the sign that multiplies what stands before it.
fn figure(c: char) -> Option<u32> {
    digit(c).or_else(|| "〇一二三四五六七八九十".chars().position(|it| it == c).and_then(|at| u32::try_from(at).ok()))
}

/// `2024`, `２０２４`, `二〇二四`, `十二`, `二十一`; `元` is the first year of an era.
fn number(text: &str) -> Option<u32> {
    if text == "元" {
        return Some(1);
    }
    let figures: Vec<u32> = text.chars().map(figure).collect::<Option<_>>()?;
    if figures.is_empty() || figures.len() > 4 {
        return None;
    }
    let Some(ten) = figures.iter().position(|it| *it == 10) else {
        return Some(figures.iter().fold(0, |sum, it| sum * 10 + it));
    };
    match (&figures[..ten], &figures[ten + 1..]) {
        ([], []) => Some(10),
        ([], [one]) if *one < 10 => Some(10 + one),
        ([tens], []) => Some(tens * 10),
        ([tens], [one]) if *one < 10 => Some(tens * 10 + one),
        _ => None,
    }
}
