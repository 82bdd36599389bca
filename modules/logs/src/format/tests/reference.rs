//! 100,000 made lines, held against what advertools reads in them (`tests/references/logs/lines.py`).

use kit::text::{hex, sha256};

use super::{AT, reader};
use crate::format::{Format, Read};

const HASHES: &str = include_str!("../../../data/lines.txt");
const WORDS: [&str; 10] =
    ["lamps", "desk", "guides", "blog", "cart", "help", "feed.xml", "img.png", "a%20b", "caf\u{e9}"];
const AGENTS: [&str; 4] = [
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    "curl/8.5.0",
    "-",
];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A linear congruential generator (Knuth, MMIX), as in the script.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % most as u64).expect("small")
    }

    fn line(&mut self) -> String {
        let client = if self.below(7) == 0 {
            format!("2001:db8::{:x}", self.below(65_536))
        } else {
            let parts: Vec<String> = (0..4).map(|_| (1 + self.below(254)).to_string()).collect();
            parts.join(".")
        };
        let user = ["-", "ada", "bob@shop.example"][self.below(3)];
        let (day, month) = (1 + self.below(28), MONTHS[self.below(12)]);
        let (hour, minute, second) = (self.below(24), self.below(60), self.below(60));
        let zone = ["+0000", "-0700", "+0530"][self.below(3)];
        let method = ["GET", "POST", "HEAD"][self.below(3)];
        let parts = self.below(4);
        let parts: Vec<&str> = (0..parts).map(|_| WORDS[self.below(WORDS.len())]).collect();
        let mut path = format!("/{}", parts.join("/"));
        if self.below(4) == 0 {
            path.push_str(&format!("?page={}", self.below(100)));
        }
        let version = ["1.0", "1.1", "2.0"][self.below(3)];
        let status = [200, 301, 304, 404, 500][self.below(5)];
        let size = if self.below(10) == 0 { "-".to_owned() } else { self.below(100_000).to_string() };
        let referrer =
            if self.below(3) == 0 { "-".to_owned() } else { format!("https://x.example/{}", self.below(1_000)) };
        let agent = AGENTS[self.below(4)];
        format!(
            "{client} - {user} [{day:02}/{month}/2025:{hour:02}:{minute:02}:{second:02} {zone}] \"{method} {path} \
             HTTP/{version}\" {status} {size} \"{referrer}\" \"{agent}\""
        )
    }
}

#[test]
fn every_field_of_100_000_lines_is_that_of_advertools() {
    let mut chance = Chance(1);
    let mut combined = reader(Format::Combined, None, None);
    for (block, wanted) in HASHES.lines().enumerate() {
        let mut all = Vec::new();
        for _ in 0..10_000 {
            let text = chance.line();
            let Read::Line(it) = combined.read(text.as_bytes()) else { panic!("{text}") };
            assert!(it.second < AT, "all are of 2025");
            let second = it.second.to_string();
            let (status, size) = (it.status.to_string(), it.bytes.map(|it| it.to_string()).unwrap_or_default());
            let fields: [&[u8]; 8] = [
                &it.address,
                second.as_bytes(),
                &it.method,
                &it.target,
                status.as_bytes(),
                size.as_bytes(),
                &it.referrer,
                &it.agent,
            ];
            all.extend(fields.join(&b'\x1f'));
            all.push(b'\n');
        }
        assert_eq!(hex(&sha256(&all)), wanted, "lines {} to {}", block * 10_000, (block + 1) * 10_000);
    }
}
