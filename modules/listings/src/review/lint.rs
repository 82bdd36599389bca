//! What must stand in no answer to a review and in no invitation: private data, incentives, and filters by satisfaction.
//!
//! Sources: support.google.com/contributionpolicy/answer/7400114 (fake engagement, rewards, selective solicitation), 16 CFR part 465
//! of the United States' Federal Trade Commission, and article 7 (6) of directive 2005/29/EC as amended by 2019/2161.

use sdk::prelude::*;

use crate::post::policy::has_phone;

/// What is wrong with a text.
#[value]
pub(crate) enum Problem {
    /// A telephone number, mail address, or order or booking number.
    PrivateData,
    /// It tells what somebody bought, booked or suffers from.
    VisitDetails,
    /// Something is offered for a review or its change.
    Incentive,
    /// The author is asked to change the review.
    AsksToChange,
    /// Only those who are content are asked.
    Gating,
    /// A number of stars is asked for.
    RatingAsked,
    /// Some people alone are asked.
    OnlySome,
    /// People are asked while staff look on, or for the sake of staff.
    Pressure,
    TooLong,
}

impl Problem {
    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::PrivateData => "a telephone number, mail address, or order or booking number stands in it",
            Self::VisitDetails => "it tells others what this person bought, booked or suffers from",
            Self::Incentive => "it offers something for a review",
            Self::AsksToChange => "it asks for the review to be changed",
            Self::Gating => "it asks those who are content alone for a review",
            Self::RatingAsked => "it asks for a number of stars",
            Self::OnlySome => "it is for some people alone",
            Self::Pressure => "it puts people under pressure",
            Self::TooLong => "it is too long",
        }
    }
}

/// Words of one kind beside words of another within a sentence make a problem; beginnings of words, by language. A word with
/// `=` before it is the whole word.
struct Rule {
    problem: Problem,
    one: &'static str,
    other: &'static str,
}

const REVIEW: &str = "review rating feedback bewertung rezension bewerten avis évalu reseña opinión valoración";

/// Rules of answers.
const ANSWERS: [Rule; 4] = [
    Rule {
        problem: Problem::Incentive,
        one: "discount voucher refund gift =free =coupon rabatt gutschein erstatt geschenk gratis remise bon cadeau rembours descuento vale regalo reembols",
        other: "change update remove delete edit revise änder lösch entfern anpass modifi supprim chang cambi elimin borr exchange return gegenzug échange cambio",
    },
    Rule {
        problem: Problem::AsksToChange,
        one: REVIEW,
        other: "change update remove delete revise reconsider änder lösch entfern anpass überdenk modifi supprim reconsid cambi elimin borr",
    },
    Rule {
        problem: Problem::VisitDetails,
        one: "=your =ihr =ihre =ihrer =ihren =votre =vos =su =tu",
        other: "=order =booking =reservation =stay =appointment treatment prescription diagnosis illness surgery pregnan bestellung buchung aufenthalt \
                behandlung diagnose rezept krankheit schwanger commande réservation séjour traitement ordonnance maladie pedido reserva estancia tratamiento \
                receta enfermedad",
    },
    Rule {
        problem: Problem::VisitDetails,
        one: "=you =sie =du =vous =usted",
        other: "bought ordered booked paid owe complained gekauft bestellt gebucht bezahlt schulden acheté commandé réservé payé compró pidió reservó pagó",
    },
];

/// Rules of invitations.
const INVITATIONS: [Rule; 6] = [
    Rule {
        problem: Problem::Gating,
        one: "happy satisfied enjoyed liked loved zufrieden gefallen begeistert satisfait content aimé plu satisfech content gust encant",
        other: "=if =when =falls =wenn =sofern =si =cuando =only =nur =solo =sólo =seulement",
    },
    Rule {
        problem: Problem::Gating,
        one: "unhappy dissatisfied problem complaint otherwise instead unzufrieden problem beschwerde andernfalls sonst insatisf problème plainte sinon insatisf problema queja",
        other: "email write call contact directly instead schreib mail ruf kontakt direkt écri appel contact directement escrib llam contact directamente",
    },
    Rule {
        problem: Problem::Incentive,
        one: "discount voucher =gift reward raffle prize points =free coupon win =off cashback rabatt gutschein geschenk verlosung gewinn punkte gratis prämie \
              remise bon cadeau tirage gagne points gratuit descuento vale regalo sorteo premio puntos gratis",
        other: REVIEW,
    },
    Rule {
        problem: Problem::RatingAsked,
        one: "5-star five-star =5 five fünf cinq cinco fünf-sterne best positive positiv top positiva",
        other: "star stars rating review sterne bewertung rezension étoile avis estrella reseña valoración",
    },
    Rule {
        problem: Problem::OnlySome,
        one: "selected chosen loyal best regular exclusively ausgewählt treue stamm beste sélectionn fidèle meilleur seleccionad fiel mejor",
        other: "customers guests clients kunden gäste client clientes huéspedes",
    },
    Rule {
        problem: Problem::Pressure,
        one: "now here before right jetzt hier bevor sofort maintenant ici avant ahora aquí antes boss chef job bonus target",
        other: "leave leaving waiting counter till staff tablet gehen verlassen kasse theke personal tablet partir quittez caisse personnel salir irse caja personal \
                depends rely abhängt dépend depende",
    },
];

/// What is wrong with an answer to a review.
pub(crate) fn in_reply(text: &str) -> Vec<Problem> {
    let mut all = found(text, &ANSWERS);
    if has_private(text) {
        all.push(Problem::PrivateData);
    }
    if text.len() > 4_096 {
        all.push(Problem::TooLong);
    }
    sorted(all)
}

/// What is wrong with an invitation to review.
pub(crate) fn in_invitation(text: &str) -> Vec<Problem> {
    sorted(found(text, &INVITATIONS))
}

fn sorted(mut all: Vec<Problem>) -> Vec<Problem> {
    all.sort();
    all.dedup();
    all
}

fn found(text: &str, rules: &[Rule]) -> Vec<Problem> {
    let mut all = Vec::new();
    // A question and what follows it are one thought: "A problem? Write to us."
    let mut asked = String::new();
    for sentence in text.lines().flat_map(kit::sentence::sentences) {
        let lower = format!("{asked}{}", sentence.to_lowercase());
        asked = if sentence.trim_end().ends_with('?') { format!("{lower} ") } else { String::new() };
        let words: Vec<&str> = lower
            .split(|c: char| !(c.is_alphanumeric() || c == '-'))
            .map(|it| it.trim_matches('-'))
            .filter(|it| !it.is_empty())
            .collect();
        for rule in rules {
            // One word does not stand for both sides.
            let one = places(&words, rule.one);
            let other = places(&words, rule.other);
            if one.iter().any(|a| other.iter().any(|b| a != b)) {
                all.push(rule.problem);
            }
        }
    }
    all
}

fn places(words: &[&str], list: &str) -> Vec<usize> {
    let is = |word: &str| {
        list.split_whitespace().any(|wanted| match wanted.strip_prefix('=') {
            Some(whole) => word == whole,
            None if wanted.chars().count() < 5 => word == wanted || word.strip_suffix('s') == Some(wanted),
            None => word.starts_with(wanted),
        })
    };
    words.iter().enumerate().filter(|(_, word)| is(word)).map(|(at, _)| at).collect()
}

/// A telephone number, a mail address, or a word for a number of an order beside such a number.
fn has_private(text: &str) -> bool {
    const NUMBERED: [&str; 12] = [
        "order",
        "booking",
        "reservation",
        "invoice",
        "bestellung",
        "buchung",
        "rechnung",
        "commande",
        "réservation",
        "facture",
        "pedido",
        "factura",
    ];
    let is_mail = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        bare.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
    };
    let lower = text.to_lowercase();
    let tokens: Vec<&str> = lower.split_whitespace().collect();
    let has_digits = |word: &str| word.chars().filter(char::is_ascii_digit).count() >= 3;
    let numbered = tokens.iter().enumerate().any(|(at, word)| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        NUMBERED.iter().any(|it| bare.starts_with(it)) && tokens[at + 1..].iter().take(3).any(|it| has_digits(it))
    });
    has_phone(text) || numbered || text.split_whitespace().any(is_mail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<&str> {
        text.lines().map(str::trim).filter(|it| !it.is_empty()).collect()
    }

    #[test]
    fn thirty_answers_are_refused_and_thirty_pass() {
        let (refused, passing) =
            (lines(include_str!("tests/replies_refused.txt")), lines(include_str!("tests/replies_passing.txt")));
        assert_eq!((refused.len(), passing.len()), (30, 30));
        for text in refused {
            assert!(!in_reply(text).is_empty(), "{text}");
        }
        for text in passing {
            assert_eq!(in_reply(text), [], "{text}");
        }
    }

    #[test]
    fn thirty_invitations_are_refused_and_thirty_pass() {
        let (refused, passing) = (
            lines(include_str!("tests/invitations_refused.txt")),
            lines(include_str!("tests/invitations_passing.txt")),
        );
        assert_eq!((refused.len(), passing.len()), (30, 30));
        for text in refused {
            assert!(!in_invitation(text).is_empty(), "{text}");
        }
        for text in passing {
            assert_eq!(in_invitation(text), [], "{text}");
        }
    }
}
