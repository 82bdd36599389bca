//! The shops in the street, in Britain and in Germany, and the German start page.

use crate::document::{Language, Page, url};
use crate::words::paragraphs;

/// Slug, town, street, postcode, telephone.
type Place = [&'static str; 5];

const BRITAIN: [Place; 12] = [
    ["lampton", "Lampton", "1 Lamp Lane", "TW3 4EW", "+44 20 7946 0101"],
    ["bristol", "Bristol", "12 Corn Street", "BS1 1HT", "+44 117 496 0102"],
    ["leeds", "Leeds", "4 Boar Lane", "LS1 6EN", "+44 113 496 0103"],
    ["york", "York", "9 Stonegate", "YO1 8AS", "+44 1904 960104"],
    ["bath", "Bath", "2 Milsom Street", "BA1 1DE", "+44 1225 960105"],
    ["oxford", "Oxford", "30 Turl Street", "OX1 3DH", "+44 1865 960106"],
    ["norwich", "Norwich", "7 Elm Hill", "NR3 1HN", "+44 1603 960107"],
    ["exeter", "Exeter", "5 Gandy Street", "EX4 3LS", "+44 1392 960108"],
    ["durham", "Durham", "3 Silver Street", "DH1 3RA", "+44 191 496 0109"],
    ["lincoln", "Lincoln", "8 Steep Hill", "LN2 1LU", "+44 1522 960110"],
    ["chester", "Chester", "6 Watergate Row", "CH1 2LE", "+44 1244 960111"],
    ["ely", "Ely", "1 Fore Hill", "CB7 4AA", "+44 1353 960112"],
];
const GERMANY: [Place; 4] = [
    ["berlin", "Berlin", "Lampenweg 3", "10115", "+49 30 23125103"],
    ["hamburg", "Hamburg", "Hafenstr. 21", "20459", "+49 40 66969104"],
    ["leipzig", "Leipzig", "Barfußgasse 2", "04109", "+49 341 2311105"],
    ["bonn", "Bonn", "Sternstr. 8", "53111", "+49 228 2311106"],
];

pub(crate) fn all() -> Vec<Page> {
    let mut all = vec![start()];
    all.extend(list(Language::English, "/locations", "Our shops", "Where to see our lamps.", &BRITAIN));
    all.extend(list(Language::German, "/de/standorte", "Unsere Läden", "Wo unsere Lampen zu sehen sind.", &GERMANY));
    all
}

fn start() -> Page {
    let main = format!(
        "{}<p><a href=\"/de/kategorien\">Alle Lampen</a></p>",
        paragraphs(Language::German, "Lampen, die bleiben", 4)
    );
    Page::new(
        "/de/",
        Language::German,
        "Lampen, die bleiben",
        "Ein kleiner Laden für Lampen, die man reparieren kann.",
        main,
    )
    .translated("/", "/de/")
}

fn list(language: Language, root: &str, title: &str, about: &str, places: &[Place]) -> Vec<Page> {
    let items: String =
        places.iter().map(|[slug, town, ..]| format!("<li><a href=\"{root}/{slug}\">{town}</a></li>")).collect();
    let index = Page::new(root, language, title, about, format!("{}<ul>{items}</ul>", paragraphs(language, title, 2)));
    std::iter::once(index).chain(places.iter().map(|place| one(language, root, place))).collect()
}

fn one(language: Language, root: &str, [slug, town, street, postcode, phone]: &Place) -> Page {
    let path = format!("{root}/{slug}");
    let country = if language == Language::English { "GB" } else { "DE" };
    let (title, about, hours) = match language {
        Language::English => (
            format!("Lamp shop in {town}"),
            format!("Our shop in {town}: {street}, {postcode}."),
            "Open Monday to Friday, 9:00 to 17:30.",
        ),
        Language::German => (
            format!("Lampenladen in {town}"),
            format!("Unser Laden in {town}: {street}, {postcode}."),
            "Montag bis Freitag, 9:00 bis 17:30 Uhr.",
        ),
    };
    let data = format!(
        "{{\"@context\":\"https://schema.org\",\"@type\":\"HomeGoodsStore\",\"@id\":\"{0}#store\",\"name\":\"{title}\",\"url\":\"{0}\",\"image\":\"{1}\",\"telephone\":\"{phone}\",\"address\":{{\"@type\":\"PostalAddress\",\"streetAddress\":\"{street}\",\"addressLocality\":\"{town}\",\"postalCode\":\"{postcode}\",\"addressCountry\":\"{country}\"}},\"parentOrganization\":{{\"@id\":\"{2}#organization\"}},\"openingHours\":\"Mo-Fr 09:00-17:30\"}}",
        url(&path),
        url("/assets/share.png"),
        url("/")
    );
    let main = format!(
        "<p>{street}, {postcode} {town}</p><p><a href=\"tel:{0}\">{phone}</a></p><p>{hours}</p>{1}",
        phone.replace(' ', ""),
        paragraphs(language, &title, 3)
    );
    Page::new(&path, language, &title, &about, main).with_json_ld(data)
}
