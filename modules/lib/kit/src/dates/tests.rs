//! What `dates` has to do, sentence by sentence.

use std::io::Read;

use serde::Deserialize;

use super::{Date, Of, Source, best, candidates, in_text, in_url, parse};
use crate::dom::Dom;

fn day(year: u16, month: u8, day: u8) -> Option<Date> {
    Date::new(year, month, day)
}

#[test]
fn dates_are_read_as_pages_write_them() {
    assert_eq!(parse("2024-03-01T10:00:00+02:00"), day(2024, 3, 1));
    assert_eq!(parse("20240301"), day(2024, 3, 1));
    assert_eq!(parse("Fri, 01 Mar 2024 10:00:00 GMT"), day(2024, 3, 1));
    assert_eq!(parse("March 1st, 2024"), day(2024, 3, 1));
    assert_eq!(parse("1. März 2024"), day(2024, 3, 1));
    assert_eq!(parse("1 de marzo de 2024"), day(2024, 3, 1));
    assert_eq!(parse("le 14 juillet 2023"), day(2023, 7, 14));
    assert_eq!(parse("24.12.2023"), day(2023, 12, 24));
    assert_eq!(parse("12/24/2023"), day(2023, 12, 24));
}

#[test]
fn the_first_of_march_is_read_in_thirty_languages() {
    for text in [
        "1 de março de 2024",
        "1 mars 2024",
        "1. marts 2024",
        "1. maaliskuuta 2024",
        "1 марта 2024 г.",
        "1 березня 2024",
        "1 март 2024",
        "1 marca 2024",
        "1. března 2024",
        "1. marca 2024",
        "2024. március 1.",
        "1 martie 2024",
        "1 Μαρτίου 2024",
        "1 Mart 2024",
        "1 de març de 2024",
        "1 Maret 2024",
        "1 tháng 3, 2024",
        "ngày 1 tháng 3 năm 2024",
        "1 مارس 2024",
        "١ مارس ٢٠٢٤",
        "1 במרץ 2024",
        "1 मार्च 2024",
        "1 มีนาคม 2567",
        "1 มี.ค. 2567",
        "วันที่ 1 มีนาคม พ.ศ. 2567",
        "2024年3月1日",
        "2024 年 3 月 1 日",
        "２０２４年０３月０１日（金）",
        "二〇二四年三月一日",
        "令和6年3月1日",
        "民國113年3月1日",
        "2024년 3월 1일",
        "2024. 3. 1.",
        "2024.03.01",
        "1. 3. 2024",
        "1 мар 2024",
    ] {
        assert_eq!(parse(text), day(2024, 3, 1), "{text}");
    }
}

#[test]
fn every_month_has_its_own_name() {
    let of = [
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
        "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
        "ledna února března dubna května června července srpna září října listopadu prosince",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "january february march april may june july august september october november december",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม",
        "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    ];
    for names in of {
        for (at, name) in (1..).zip(names.split(' ')) {
            assert_eq!(parse(&format!("12 {name} 2024")), day(2024, at, 12), "{name}");
        }
    }
}

#[test]
fn what_a_visible_date_is_of_is_read_in_the_languages_of_most_pages() {
    let cases = [
        ("<p>发布时间：2024年3月1日 更新时间：2024年4月2日</p>", Some((2024, 3, 1)), Some((2024, 4, 2))),
        ("<p>公開日 2024年3月1日 更新日 2024年4月2日</p>", Some((2024, 3, 1)), Some((2024, 4, 2))),
        ("<p>2024年4月2日更新</p>", None, Some((2024, 4, 2))),
        ("<p>2024-03-01 发布</p>", Some((2024, 3, 1)), None),
        ("<p>입력 2024.03.01 수정 2024.04.02</p>", Some((2024, 3, 1)), Some((2024, 4, 2))),
        ("<p>Опубликовано: 1 марта 2024 г., обновлено 2 апреля 2024</p>", Some((2024, 3, 1)), Some((2024, 4, 2))),
        ("<p>Julkaistu 1.3.2024, päivitetty 2. huhtikuuta 2024</p>", Some((2024, 3, 1)), Some((2024, 4, 2))),
        ("<p>2 Nisan 2024 tarihinde güncellendi</p>", None, Some((2024, 4, 2))),
        ("<p>Yayınlanma: 1 Mart 2024 | Güncelleme: 2 Nisan 2024</p>", Some((2024, 3, 1)), Some((2024, 4, 2))),
        ("<p>เผยแพร่เมื่อ 1 มีนาคม 2567</p>", Some((2024, 3, 1)), None),
        ("<p>نشر في 1 مارس 2024</p>", Some((2024, 3, 1)), None),
    ];
    for (html, published, modified) in cases {
        let found = candidates(&Dom::parse(html), "https://a.example/");
        let read = |of| best(&found, of).filter(|it| it.weight >= 0.3).map(|it| it.date);
        let wanted = |it: Option<(u16, u8, u8)>| it.and_then(|(y, m, d)| day(y, m, d));
        assert_eq!((read(Of::Published), read(Of::Modified)), (wanted(published), wanted(modified)), "{html}");
    }
}

#[test]
fn what_is_no_date_or_could_be_two_is_not_read() {
    for text in [
        "03/04/2024",
        "2024-02-30",
        "maybe 12 2024",
        "version 3.11.2 of",
        "1234-56",
        "",
        "31 February 2024",
        "1815-12-10",
        "3月1日",
        "2024年13月1日",
        "十年前的三月",
        "2024년",
        "1 lis",
        "12 maybe 2024",
        "chapter 3 of 12 2024",
        "1 tháng 3",
    ] {
        assert_eq!(parse(text), None, "{text}");
    }
}

#[test]
fn a_date_is_found_in_a_sentence_and_in_an_address() {
    assert_eq!(in_text("Last updated on Apr 08, 2026."), Some(("Apr 08, 2026.".to_owned(), day(2026, 4, 8).unwrap())));
    assert_eq!(in_url("https://a.example/blog/2024/03/01/title"), day(2024, 3, 1));
    assert_eq!(in_url("https://a.example/2024-3-1-title"), day(2024, 3, 1));
    assert_eq!(in_url("https://a.example/p/12345678"), None);
}

#[test]
fn days_are_counted_as_calendars_do() {
    assert_eq!(day(1999, 12, 31).unwrap().days(), 10_956);
    assert_eq!(day(2024, 3, 1).unwrap().days() - day(2024, 2, 28).unwrap().days(), 2);
}

#[test]
fn structured_data_goes_before_meta_time_address_and_text() {
    let html = r#"<meta property="article:published_time" content="2024-01-02"><time datetime="2024-01-03">x</time>
        <script type="application/ld+json">{"@type":"BlogPosting","datePublished":"2024-01-01","dateModified":"2024-02-01"}</script>
        <p>Updated: 5 March 2024</p>"#;
    let found = candidates(&Dom::parse(html), "https://a.example/2024/01/04/x");
    let order: Vec<Source> = found.iter().filter(|it| it.of == Of::Published).map(|it| it.source).collect();
    assert_eq!(order, [Source::JsonLd, Source::Meta, Source::Time, Source::Url]);
    assert_eq!(best(&found, Of::Modified).map(|it| it.date), day(2024, 2, 1));
    assert!(found.iter().any(|it| it.source == Source::Text && it.of == Of::Modified));
}

#[derive(Deserialize)]
struct Dated {
    set: String,
    page: String,
    url: String,
    html: String,
    published: Option<String>,
    modified: Option<String>,
    htmldate_published: Option<String>,
    htmldate_modified: Option<String>,
}

fn unpacked<T: serde::de::DeserializeOwned>(packed: &[u8]) -> T {
    let mut json = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut json).expect("a fixture");
    serde_json::from_str(&json).expect("a fixture")
}

/// `dates.json.gz` was made by `tests/references/onpage/dates.py`. A page is right when each of its dates is.
#[test]
fn dates_of_a_hundred_pages_are_read_at_least_as_well_as_by_htmldate() {
    let pages: Vec<Dated> = unpacked(include_bytes!("../../fixtures/dates.json.gz"));
    let (mut own, mut reference, mut real, mut real_right) = (0, 0, 0, 0);
    for it in &pages {
        let found = candidates(&Dom::parse(&it.html), &it.url);
        // As `onpage.date.extract` takes them: what is believed less decides nothing.
        let read = |of| best(&found, of).filter(|it| it.weight >= 0.3).map(|it| it.date.to_string());
        let (published, modified) = (read(Of::Published), read(Of::Modified));
        let right = [(&it.published, &published), (&it.modified, &modified)]
            .iter()
            .all(|(wanted, found)| wanted.is_none() || wanted == found);
        own += u32::from(right);
        reference += u32::from(it.published == it.htmldate_published && it.modified == it.htmldate_modified);
        real += u32::from(it.set != "made");
        real_right += u32::from(it.set != "made" && right);
        if !right {
            println!("{} {}: {published:?} {modified:?}, not {:?} {:?}", it.set, it.page, it.published, it.modified);
        }
    }
    println!("{} pages: {own}, htmldate {reference}; of {real} real ones {real_right}", pages.len());
    assert_eq!((pages.len(), real), (100, 54));
    assert!(own >= 90 && own >= reference, "{own} {reference}");
}

#[derive(Deserialize)]
struct Undated {
    set: String,
    page: String,
    html: String,
}

/// `pages.json.gz` was made by `tests/references/kit/extraction.py`; the manuals of these three sets do not date their pages.
#[test]
fn pages_without_a_date_are_given_none() {
    let pages: Vec<Undated> = unpacked(include_bytes!("../../fixtures/pages.json.gz"));
    let undated: Vec<_> =
        pages.into_iter().filter(|it| matches!(it.set.as_str(), "postgresql" | "nodejs" | "rust")).collect();
    assert_eq!(undated.len(), 40);
    let mut wrong = Vec::new();
    for it in undated {
        let found = candidates(&Dom::parse(&it.html), &format!("https://docs.example/{}", it.page));
        wrong.extend(found.into_iter().filter(|it| it.weight >= 0.3).map(|found| format!("{}: {found:?}", it.page)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
