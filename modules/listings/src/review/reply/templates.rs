//! Answers by template, in four languages: by stars and by what is spoken of, with three ways to say each.

use crate::review::themes::Theme;

struct Language {
    code: &'static str,
    /// For four and five stars, with a theme and without.
    good: [&'static str; 3],
    good_on: [&'static str; 3],
    /// For three stars.
    middling: [&'static str; 3],
    /// For one and two stars, with a theme and without.
    bad: [&'static str; 3],
    bad_on: [&'static str; 3],
    themes: [&'static str; 14],
}

const LANGUAGES: [Language; 4] = [
    Language {
        code: "en",
        good: [
            "Thank you for taking the time to write. We are glad that you came by.",
            "Thank you, it is good to read this. We look forward to seeing you again.",
            "Many thanks for these words. The whole team is happy about them.",
        ],
        good_on: [
            "Thank you for taking the time to write. It is good to read what you say about {theme}.",
            "Thank you, we are glad that {theme} was to your liking. We look forward to seeing you again.",
            "Many thanks. We pass your words about {theme} on to the team.",
        ],
        middling: [
            "Thank you for the open words. We take them as a hint where we can do better.",
            "Thank you for writing. We would like to know what we can do better, and are there for you.",
            "Thank you. We talk about what you describe in the team.",
        ],
        bad: [
            "Thank you for telling us. We are sorry that it was not as it should be, and would like to put it right: please come by or write to us.",
            "We are sorry to read this. Please get in touch, so that we can look into it.",
            "That is not what we want to offer, and we are sorry. Please speak to us, so that we find out what went wrong.",
        ],
        bad_on: [
            "Thank you for telling us about {theme}. We are sorry, and would like to put it right: please come by or write to us.",
            "We are sorry about {theme}. Please get in touch, so that we can look into it.",
            "What you write about {theme} is not what we want to offer. We are sorry and talk about it in the team.",
        ],
        themes: [
            "our team",
            "the waiting",
            "our prices",
            "cleanliness",
            "our rooms",
            "parking",
            "quality",
            "the delivery",
            "our selection",
            "the food",
            "our opening hours",
            "appointments",
            "our advice",
            "how we dealt with a complaint",
        ],
    },
    Language {
        code: "de",
        good: [
            "Vielen Dank, dass Sie sich die Zeit genommen haben. Schön, dass Sie da waren.",
            "Danke, das lesen wir gern. Wir freuen uns auf ein Wiedersehen.",
            "Herzlichen Dank für diese Worte. Das ganze Team freut sich darüber.",
        ],
        good_on: [
            "Vielen Dank, dass Sie sich die Zeit genommen haben. Was Sie zu {theme} schreiben, freut uns sehr.",
            "Danke, schön, dass wir mit {theme} überzeugen konnten. Bis bald.",
            "Herzlichen Dank. Ihre Worte zu {theme} geben wir gern weiter.",
        ],
        middling: [
            "Danke für die offenen Worte. Wir nehmen sie als Hinweis, wo wir besser werden können.",
            "Danke für die Rückmeldung. Was können wir besser machen? Sprechen Sie uns gern an.",
            "Vielen Dank. Wir besprechen im Team, was Sie schildern.",
        ],
        bad: [
            "Danke für den Hinweis. Es tut uns leid, dass es nicht so war, wie es sein soll. Bitte sprechen Sie uns an, damit wir es in Ordnung bringen.",
            "Das tut uns leid. Bitte melden Sie sich bei uns, damit wir der Sache nachgehen können.",
            "So soll es bei uns nicht sein, das tut uns leid. Bitte sprechen Sie mit uns, damit wir verstehen, was schiefging.",
        ],
        bad_on: [
            "Danke für den Hinweis zu {theme}. Das tut uns leid. Bitte sprechen Sie uns an, damit wir es in Ordnung bringen.",
            "Was Sie zu {theme} schreiben, tut uns leid. Bitte melden Sie sich bei uns, damit wir der Sache nachgehen können.",
            "So soll es bei {theme} nicht sein. Das tut uns leid, und wir besprechen es im Team.",
        ],
        themes: [
            "unserem Team",
            "den Wartezeiten",
            "unseren Preisen",
            "der Sauberkeit",
            "unseren Räumen",
            "den Parkplätzen",
            "der Qualität",
            "der Lieferung",
            "unserer Auswahl",
            "dem Essen",
            "unseren Öffnungszeiten",
            "den Terminen",
            "unserer Beratung",
            "einer Reklamation",
        ],
    },
    Language {
        code: "fr",
        good: [
            "Merci d'avoir pris le temps d'écrire. Nous sommes heureux de votre passage.",
            "Merci, cela fait plaisir à lire. Au plaisir de vous revoir.",
            "Un grand merci pour ces mots. Toute l'équipe s'en réjouit.",
        ],
        good_on: [
            "Merci d'avoir pris le temps d'écrire. Vos mots sur {theme} nous font plaisir.",
            "Merci, nous sommes heureux que {theme} vous ait plu. Au plaisir de vous revoir.",
            "Un grand merci. Nous transmettons vos mots sur {theme} à l'équipe.",
        ],
        middling: [
            "Merci pour votre franchise. Nous y voyons une piste pour progresser.",
            "Merci pour ce retour. Dites-nous ce que nous pouvons améliorer.",
            "Merci. Nous en parlons en équipe.",
        ],
        bad: [
            "Merci de nous l'avoir signalé. Nous sommes désolés et souhaitons y remédier : passez nous voir ou écrivez-nous.",
            "Nous sommes désolés de lire cela. Prenez contact avec nous, afin que nous puissions comprendre.",
            "Ce n'est pas ce que nous voulons offrir, et nous en sommes désolés. Parlez-nous-en, afin que nous comprenions.",
        ],
        bad_on: [
            "Merci de nous avoir parlé : {theme} doit être mieux. Nous sommes désolés et souhaitons y remédier.",
            "Nous sommes désolés au sujet de ce point : {theme}. Prenez contact avec nous, afin que nous puissions comprendre.",
            "Ce que vous écrivez ({theme}) n'est pas ce que nous voulons offrir. Nous en parlons en équipe.",
        ],
        themes: [
            "notre équipe",
            "l'attente",
            "nos prix",
            "la propreté",
            "nos salles",
            "le parking",
            "la qualité",
            "la livraison",
            "notre choix",
            "la cuisine",
            "nos horaires",
            "la prise de rendez-vous",
            "nos conseils",
            "le suivi d'une réclamation",
        ],
    },
    Language {
        code: "es",
        good: [
            "Gracias por tomarse el tiempo de escribir. Nos alegra que viniera.",
            "Gracias, da gusto leerlo. Esperamos volver a verle.",
            "Muchas gracias por estas palabras. Todo el equipo se alegra.",
        ],
        good_on: [
            "Gracias por tomarse el tiempo de escribir. Nos alegra lo que dice de {theme}.",
            "Gracias, nos alegra que {theme} le haya gustado. Esperamos volver a verle.",
            "Muchas gracias. Pasamos al equipo lo que dice de {theme}.",
        ],
        middling: [
            "Gracias por la franqueza. Lo tomamos como una pista para mejorar.",
            "Gracias por escribir. Díganos qué podemos hacer mejor.",
            "Gracias. Lo hablamos en el equipo.",
        ],
        bad: [
            "Gracias por decírnoslo. Lo sentimos y queremos arreglarlo: venga a vernos o escríbanos.",
            "Sentimos leer esto. Póngase en contacto con nosotros para que podamos verlo.",
            "No es lo que queremos ofrecer, y lo sentimos. Hable con nosotros para que entendamos qué falló.",
        ],
        bad_on: [
            "Gracias por hablarnos de {theme}. Lo sentimos y queremos arreglarlo: venga a vernos o escríbanos.",
            "Sentimos lo que escribe de {theme}. Póngase en contacto con nosotros para que podamos verlo.",
            "Lo que escribe de {theme} no es lo que queremos ofrecer. Lo hablamos en el equipo.",
        ],
        themes: [
            "nuestro equipo",
            "la espera",
            "nuestros precios",
            "la limpieza",
            "nuestras salas",
            "el aparcamiento",
            "la calidad",
            "la entrega",
            "nuestra selección",
            "la comida",
            "nuestro horario",
            "las citas",
            "nuestros consejos",
            "una reclamación",
        ],
    },
];

/// Whether there are templates in a language.
pub(super) fn has(language: &str) -> bool {
    LANGUAGES.iter().any(|it| it.code == language)
}

/// The answer to a review with these stars that speaks of a theme; `way` chooses one of three, so that neighbours differ.
pub(super) fn answer(stars: u32, theme: Option<Theme>, language: &str, way: usize) -> String {
    let texts = LANGUAGES.iter().find(|it| it.code == language).unwrap_or(&LANGUAGES[0]);
    let named = theme.map(|it| texts.themes[it as usize]);
    let list = match (stars, named) {
        (4.., Some(_)) => texts.good_on,
        (4.., None) => texts.good,
        (3, _) => texts.middling,
        (_, Some(_)) => texts.bad_on,
        (_, None) => texts.bad,
    };
    list[way % 3].replace("{theme}", named.unwrap_or_default())
}
