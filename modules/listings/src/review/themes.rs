//! What reviews speak of: fourteen aspects in four languages, each with the tone of its clause.

use sdk::prelude::*;

use super::stored::{Said, Tone};

/// An aspect of a business.
#[value]
pub(crate) enum Theme {
    Staff,
    Wait,
    Price,
    Cleanliness,
    Place,
    Parking,
    Quality,
    Delivery,
    Selection,
    Food,
    Opening,
    Booking,
    Advice,
    Complaint,
}

/// Beginnings of words that speak of an aspect: English, German, French, Spanish. A `=` before one is the whole word.
const WORDS: [(Theme, &str, &str, &str, &str); 14] = [
    (
        Theme::Staff,
        "staff waiter waitress employee employees owner team manager receptionist assistant friendly rude polite =service",
        "personal mitarbeiter kellner bedienung verkäufer inhaber chef =team freundlich unfreundlich unhöflich service",
        "personnel équipe serveu vendeu patron accueil employé aimable impoli =service",
        "personal empleado camarer dueñ equipo atención amable maleducad trato =servicio",
    ),
    (
        Theme::Wait,
        "wait waited waiting queue queued slow quick quickly minutes hour hours late delay",
        "warte wartezeit gewartet schlange langsam schnell minuten stunde verspät",
        "attent attendu queue lent rapide minutes heure retard",
        "esper cola lento lenta rápid minutos hora retras tard",
    ),
    (
        Theme::Price,
        "price prices priced expensive cheap overpriced value cost costs bill charged",
        "preis teuer günstig billig kosten rechnung überteuert",
        "prix cher chère coût facture tarif abordable",
        "precio caro cara barat cuesta cuenta factura económic",
    ),
    (
        Theme::Cleanliness,
        "clean dirty hygien filthy smell spotless tidy",
        "sauber schmutz dreckig hygien geruch stinkt ordentlich",
        "propre sale hygiène saleté odeur",
        "limpi suci higien olor sucio",
    ),
    (
        Theme::Place,
        "atmosphere ambience ambiance decor interior cosy cozy view noisy loud location room rooms terrace",
        "atmosphäre ambiente einrichtung gemütlich aussicht laut lage zimmer terrasse raum",
        "ambiance décor cadre vue bruyant emplacement chambre terrasse salle",
        "ambiente decoración acogedor vista ruido ubicación habitación terraza sala",
    ),
    (
        Theme::Parking,
        "parking park car-park",
        "parkplatz parkplätze parken parkhaus",
        "parking stationn garer",
        "aparca parking estacion",
    ),
    (
        Theme::Quality,
        "quality broke broken repair repaired mended works working flicker defect faulty sturdy bent",
        "qualität kaputt repar defekt funktioniert hochwertig mangel beschädigt",
        "qualité cassé réparé défaut fonctionne abîmé solide",
        "calidad rot roto repar defect funciona dañad",
    ),
    (
        Theme::Delivery,
        "deliver delivery delivered shipping shipped arrived package parcel courier",
        "liefer geliefert versand paket zustell angekommen",
        "livraison livré colis expédi arrivé",
        "entrega entregad envío paquete llegó pedido",
    ),
    (
        Theme::Selection,
        "selection choice range variety stock assortment",
        "auswahl sortiment angebot vorrätig vielfalt",
        "choix sélection gamme variété stock",
        "selección variedad surtido opciones stock",
    ),
    (
        Theme::Food,
        "food meal dish dishes tasty delicious taste menu pizza coffee cake breakfast dinner lunch bread",
        "essen gericht lecker geschmack speise pizza kaffee kuchen frühstück brot",
        "plat repas délicieu goût menu pizza café gâteau déjeuner dîner pain nourriture",
        "comida plato rico rica delicios sabor menú pizza café pastel desayuno cena pan",
    ),
    (
        Theme::Opening,
        "opening closed open hours",
        "öffnungszeit geschlossen geöffnet offen",
        "horaire fermé ouvert ouverture",
        "horario cerrad abiert apertura",
    ),
    (
        Theme::Booking,
        "booking booked reservation appointment reserved",
        "termin buchung reserv gebucht",
        "réserv rendez-vous rdv",
        "reserv cita",
    ),
    (
        Theme::Advice,
        "advice advised explained explain knowledgeable helpful expert competent professional",
        "berat erklär kompetent hilfreich fachkundig kenntnis professionell",
        "conseil expliqu compétent utile professionnel",
        "consej asesor explic competent útil profesional",
    ),
    (
        Theme::Complaint,
        "refund complaint complain returned return warranty ignored",
        "reklam beschwer erstatt rückgabe garantie umtausch ignoriert",
        "rembours réclam plainte retour garantie ignor",
        "reembols queja reclam devol garantía ignor",
    ),
];

/// The aspects of a text in a language, each once for each tone, in the order of the text.
pub(crate) fn themes(reader: &tone::Reader, text: &str, language: &str) -> Vec<Said> {
    let mut all: Vec<Said> = Vec::new();
    for clause in tone::clauses(text, language) {
        let tone = reader.tone(clause, language).map(Tone::from);
        for theme in of_clause(clause, language) {
            let said = Said { theme, tone };
            if !all.contains(&said) {
                all.push(said);
            }
        }
    }
    all
}

/// The aspects that a clause speaks of.
pub(crate) fn of_clause(clause: &str, language: &str) -> Vec<Theme> {
    let lower = clause.to_lowercase();
    let words: Vec<&str> = kit::text::words(&lower).collect();
    let list = |row: &(Theme, &'static str, &'static str, &'static str, &'static str)| match language {
        "de" => row.2,
        "fr" => row.3,
        "es" => row.4,
        _ => row.1,
    };
    // Where no list is known, nothing is said: an English one would find its words by chance.
    if !matches!(language, "en" | "de" | "fr" | "es") {
        return Vec::new();
    }
    let has = |list: &str| {
        list.split(' ').any(|wanted| match wanted.strip_prefix('=') {
            Some(whole) => words.contains(&whole),
            // Short beginnings would begin other words too.
            None if wanted.chars().count() < 5 => {
                words.iter().any(|it| *it == wanted || it.strip_suffix('s') == Some(wanted))
            }
            None => words.iter().any(|it| it.starts_with(wanted)),
        })
    };
    WORDS.iter().filter(|row| has(list(row))).map(|row| row.0).collect()
}
