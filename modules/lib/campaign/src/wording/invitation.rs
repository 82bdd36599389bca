//! The invitation that people get: where it leads, what it is for, and who pays for it.

/// What one person reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// The invitation.
    pub text: String,
    /// Who pays for it, and that nothing is expected.
    pub disclosure: String,
}

/// Words by language: to share, to look at, and the disclosure.
const WORDS: [(&str, &[&str], [&str; 3]); 6] = [
    (
        "de",
        &["AT", "CH", "DE"],
        [
            "{site} möchte Ihnen etwas zeigen. Wenn es Freunden gefallen könnte, teilen Sie es gern.",
            "{site} ist in Ihrer Nähe und lädt Sie ein, sich dort umzusehen.",
            "Diese Einladung bezahlt {site}. Sie müssen nichts tun, und niemand erfährt, was Sie tun.",
        ],
    ),
    (
        "fr",
        &["BE", "FR"],
        [
            "{site} aimerait vous montrer quelque chose. Si cela peut plaire à vos amis, partagez-le.",
            "{site} est près de chez vous et vous invite à venir voir.",
            "Cette invitation est payée par {site}. Rien n'est attendu de vous, et personne ne saura ce que vous faites.",
        ],
    ),
    (
        "es",
        &["AR", "CL", "CO", "ES", "MX"],
        [
            "{site} quiere enseñarte algo. Si crees que gustará a tus amigos, compártelo.",
            "{site} está en tu zona y te invita a conocerlo.",
            "Esta invitación la paga {site}. No tienes que hacer nada, y nadie sabrá lo que haces.",
        ],
    ),
    (
        "it",
        &["IT"],
        [
            "{site} vorrebbe mostrarti qualcosa. Se può piacere ai tuoi amici, condividilo.",
            "{site} è nella tua zona e ti invita a passare.",
            "Questo invito è pagato da {site}. Non devi fare nulla, e nessuno saprà che cosa fai.",
        ],
    ),
    (
        "nl",
        &["NL"],
        [
            "{site} wil je graag iets laten zien. Denk je dat vrienden het leuk vinden, deel het dan gerust.",
            "{site} is bij jou in de buurt en nodigt je uit om eens te komen kijken.",
            "Deze uitnodiging wordt betaald door {site}. Je hoeft niets te doen, en niemand hoort wat je doet.",
        ],
    ),
    (
        "en",
        &[],
        [
            "{site} would like to show you something. If your friends may like it, feel free to share it.",
            "{site} is near you and invites you to have a look.",
            "This invitation is paid for by {site}. Nothing is expected of you, and nobody learns what you do.",
        ],
    ),
];

/// What the invitation is to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum To {
    /// To share a link.
    Share,
    /// To look at a place or page.
    Visit,
}

/// The invitation of a site in the language of a country, English where that is not known. `own` are the campaign's own
/// words, which were checked; they stand before the rest.
#[must_use]
pub fn invitation(site: &str, to: To, country: Option<&str>, own: Option<&str>) -> Invitation {
    let known = country.and_then(|code| WORDS.iter().find(|(_, countries, _)| countries.contains(&code)));
    let (_, _, [share, visit, disclosure]) = known.unwrap_or(&WORDS[WORDS.len() - 1]);
    let asks = match to {
        To::Share => share,
        To::Visit => visit,
    };
    let text = own.map_or_else(|| (*asks).to_owned(), |own| format!("{own}\n\n{asks}"));
    Invitation { text: text.replace("{site}", site), disclosure: disclosure.replace("{site}", site) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wording::lint;

    #[test]
    fn every_invitation_passes_the_lint_and_says_who_pays() {
        for country in WORDS.iter().flat_map(|(_, countries, _)| countries.iter().copied()).chain(["XX"]) {
            for to in [To::Share, To::Visit] {
                let invitation = invitation("shop.example", to, Some(country), None);
                assert_eq!(lint(&invitation.text), [], "{country}");
                assert_eq!(lint(&invitation.disclosure), [], "{country}");
                assert!(invitation.disclosure.contains("shop.example") && !invitation.text.contains('{'));
            }
        }
    }

    #[test]
    fn the_campaigns_own_words_come_first() {
        let invitation = invitation("shop.example", To::Share, Some("DE"), Some("Neu: Lampen aus Holz."));
        assert!(invitation.text.starts_with("Neu: Lampen aus Holz.\n\nshop.example möchte"));
    }
}
