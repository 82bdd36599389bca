//! How brands are found and read.

use super::Brand;
use super::detect::Detector;
use super::reading::Reader;
use crate::stored::Zone;

fn brand(name: &str, aliases: &[&str], exclude: &[&str]) -> Brand {
    let texts = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect();
    Brand { name: name.to_owned(), aliases: texts(aliases), exclude: texts(exclude), ..Brand::default() }
}

fn found(brands: &[Brand], text: &str, language: &str) -> Vec<String> {
    let named = |it: super::detect::Found| text.chars().skip(it.start).take(it.end - it.start).collect();
    Detector::new(brands).find(text, language).into_iter().map(named).collect()
}

#[test]
fn a_name_is_found_in_any_case_and_between_word_boundaries_alone() {
    let brands = [brand("Lumenora", &["Lumenora GmbH"], &[])];
    assert_eq!(found(&brands, "LUMENORA, lumenora and Lumenora's lamps", "en").len(), 3);
    assert_eq!(found(&brands, "Lumenoral and Prelumenora", "en"), Vec::<String>::new());
    assert_eq!(found(&brands, "Die Lumenora-Kunden und Lumenoras Lampen", "de"), ["Lumenora", "Lumenora"]);
    assert_eq!(found(&brands, "Lumenoras", "en"), Vec::<String>::new());
    assert_eq!(found(&brands, "die Lumenora GmbH", "de"), ["Lumenora GmbH"]);
}

#[test]
fn accents_and_their_absence_name_the_same_brand() {
    let brands = [brand("Müller Leuchten", &[], &[]), brand("Café Noir", &[], &[])];
    let text = "Mueller Leuchten, Muller Leuchten, MÜLLER LEUCHTEN and Cafe\u{301} noir";
    assert_eq!(found(&brands, text, "en").len(), 4);
}

#[test]
fn a_script_without_spaces_has_no_word_boundaries() {
    let brands = [brand("明るい店", &[], &[])];
    assert_eq!(found(&brands, "東京では明るい店がおすすめです。", "ja"), ["明るい店"]);
}

#[test]
fn what_looks_alike_is_excluded_and_a_common_word_counts_only_as_it_is_written() {
    let brands = [brand("Lumen", &[], &["lumen per watt", "800 lumen"]), brand("Target", &[], &[])];
    assert_eq!(found(&brands, "Lumen sells bulbs of 800 lumen at 90 lumen per watt.", "en"), ["Lumen"]);
    assert_eq!(found(&brands, "Set a target, then go to Target.", "en"), ["Target"]);
    assert_eq!(found(&brands, "TARGET is a shop", "en"), Vec::<String>::new());
}

#[test]
fn of_names_that_overlap_the_longest_of_the_first_is_taken() {
    let brands = [brand("Bright", &[], &[]), brand("Bright Light", &[], &[])];
    assert_eq!(found(&brands, "Bright Light and Bright", "en"), ["Bright Light", "Bright"]);
}

const ANSWER: &str = "For a reading lamp these come up:\n\n\
    1. **Bright Ltd** - cheap, but many buyers complain about bent shades. ([source](https://bright.example/))\n\
    2. **Lamp Shop** - excellent service and beautiful brass lamps.\n\
    3. **Glow & Co** - a wide choice.\n\n\
    | Shop | Price |\n| --- | --- |\n| Lamp Shop | 40 |\n\nMore at https://lampshop.example/lamps.";

fn set() -> Vec<Brand> {
    let lamp = Brand { own: true, domains: vec!["lampshop.example".to_owned()], ..brand("Lamp Shop", &[], &[]) };
    vec![lamp, brand("Bright Ltd", &["Bright"], &[])]
}

#[test]
fn an_answer_is_read_with_ranks_zones_tones_and_names_that_nobody_configured() {
    let brands = set();
    let reading = Reader::new(&brands).read(ANSWER, "en");
    let shown: Vec<(&str, u32, u32, Zone)> =
        reading.mentions.iter().map(|it| (it.brand.as_str(), it.rank, it.times, it.zone)).collect();
    assert_eq!(shown, [("Bright Ltd", 1, 1, Zone::Sentence), ("Lamp Shop", 2, 2, Zone::Sentence)]);
    let (bright, lamp) = (&reading.mentions[0], &reading.mentions[1]);
    assert!(bright.tone.unwrap() < -0.05, "{:?}", bright.tone);
    assert!(lamp.tone.unwrap() > 0.3, "{:?}", lamp.tone);
    assert!(bright.prominence > 0.5 && lamp.prominence > 0.5, "both are high in the first list");
    let words: String = ANSWER.chars().skip(lamp.start as usize).take((lamp.end - lamp.start) as usize).collect();
    assert_eq!(words, "Lamp Shop");
    assert!(lamp.sentences[0].contains("excellent service"), "{:?}", lamp.sentences);
    assert_eq!(reading.unknown, ["Glow & Co"]);
}

#[test]
fn an_address_is_a_source_and_no_mention() {
    let brands = set();
    let reading = Reader::new(&brands).read("Read https://lampshop.example/guide first.", "en");
    assert!(reading.mentions.is_empty());
    let reading = Reader::new(&brands).read("Read lampshop.example first.", "en");
    assert_eq!(reading.mentions.len(), 1);
}

#[test]
fn praise_of_one_brand_is_not_praise_of_its_neighbour() {
    let brands = set();
    let reading = Reader::new(&brands).read("Lamp Shop is excellent, Bright Ltd is terrible.", "en");
    let tone = |name: &str| reading.mentions.iter().find(|it| it.brand == name).unwrap().tone.unwrap();
    assert!(tone("Lamp Shop") > 0.3 && tone("Bright Ltd") < -0.3);
}

#[test]
fn a_text_of_any_kind_is_read_without_a_panic() {
    let brands = set();
    let reader = Reader::new(&brands);
    for text in [
        "",
        "**",
        "1. ",
        "](",
        "[](",
        "http",
        "https://",
        "| |",
        "1. **",
        "é",
        "[Lamp Shop](https://x.example",
        "\u{202e}Lamp Shop",
    ] {
        reader.read(text, "en");
        reader.read(&text.repeat(50), "");
    }
}
