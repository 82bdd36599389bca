//! The shop's prose, in two languages: sentences put together by a seed, so that no two pages read alike.

use crate::document::Language;

const ENGLISH: [&str; 20] = [
    "Good light falls where the work is and nowhere else.",
    "Brass wears in; paint wears off.",
    "A cord that can be changed keeps a lamp for a lifetime.",
    "Warm light calms an evening, cool light wakes a morning.",
    "The shade decides more than the bulb does.",
    "Two small lamps beat one large one in most rooms.",
    "Dust takes a tenth of the light each year.",
    "Every part we use can be bought on its own.",
    "A heavy foot keeps a tall lamp where it was put.",
    "Linen lets light through evenly and yellows slowly.",
    "Switches are the first thing to break and the easiest to replace.",
    "Place the lamp on the side of the hand that does not write.",
    "A dimmer saves less power than people think and more eyes than they notice.",
    "We solder every joint and test it before it leaves the bench.",
    "Glass from the valley has bubbles, and we like them.",
    "Our workshop opens on Saturdays for lamps that went dark.",
    "The socket takes any common bulb up to forty watts.",
    "Steel is honest, and it rusts honestly too.",
    "Whoever reads in bed needs a narrow beam and a quiet switch.",
    "Height matters: the lower edge of the shade should be at eye level.",
];

const GERMAN: [&str; 20] = [
    "Gutes Licht fällt dorthin, wo gearbeitet wird, und nirgendwo sonst.",
    "Messing wird mit den Jahren schöner, Lack wird es nicht.",
    "Ein Kabel, das man tauschen kann, erhält eine Lampe ein Leben lang.",
    "Warmes Licht beruhigt den Abend, kaltes weckt den Morgen.",
    "Der Schirm entscheidet mehr als die Birne.",
    "Zwei kleine Lampen sind in den meisten Zimmern besser als eine große.",
    "Staub nimmt jedes Jahr ein Zehntel des Lichts.",
    "Jedes Teil, das wir verbauen, gibt es einzeln zu kaufen.",
    "Ein schwerer Fuß hält eine hohe Lampe an ihrem Platz.",
    "Leinen lässt das Licht gleichmäßig durch und vergilbt langsam.",
    "Schalter gehen zuerst kaputt und sind am leichtesten zu ersetzen.",
    "Die Lampe gehört auf die Seite der Hand, die nicht schreibt.",
    "Ein Dimmer spart weniger Strom, als man denkt, und schont die Augen mehr, als man merkt.",
    "Wir löten jede Verbindung und prüfen sie, bevor sie die Werkbank verlässt.",
    "Glas aus dem Tal hat Blasen, und wir mögen sie.",
    "Unsere Werkstatt ist samstags für dunkle Lampen geöffnet.",
    "Die Fassung nimmt jede übliche Birne bis vierzig Watt.",
    "Stahl ist ehrlich, und er rostet auch ehrlich.",
    "Wer im Bett liest, braucht einen schmalen Strahl und einen leisen Schalter.",
    "Auf die Höhe kommt es an: Der untere Rand des Schirms gehört auf Augenhöhe.",
];

/// A stream of numbers from a name (FNV-1a, then a linear congruence): equal names, equal prose.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn of(name: &str) -> Self {
        Self(
            name.bytes()
                .fold(0xcbf2_9ce4_8422_2325, |state, byte| (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)),
        )
    }

    /// A number from 0 up to, not including, the bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// So many paragraphs about something, each of five different sentences and one that names the subject.
pub(crate) fn paragraphs(language: Language, subject: &str, count: usize) -> String {
    let mut dice = Dice::of(subject);
    let sentences = match language {
        Language::English => &ENGLISH,
        Language::German => &GERMAN,
    };
    let paragraph = |number: usize| {
        let (start, stride) = (dice.below(sentences.len()), [1, 3, 7, 9][dice.below(4)]);
        let text: Vec<&str> = (0..5).map(|step| sentences[(start + step * stride) % sentences.len()]).collect();
        match language {
            Language::English => format!("<p>{} So much for {subject}, part {number}.</p>", text.join(" ")),
            Language::German => format!("<p>{} So viel zu {subject}, Teil {number}.</p>", text.join(" ")),
        }
    };
    (1..=count).map(paragraph).collect()
}
