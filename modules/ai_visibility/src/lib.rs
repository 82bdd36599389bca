//! Presence in answers of assistants: what models say when people ask, which brands they name, what they cite, and whether
//! their bots can read the website.

mod accuracy;
mod agent_readiness;
mod ai_overview;
mod answer;
mod brand;
mod citation;
mod citation_gap;
mod consistency;
mod crawler_access;
mod fanout;
mod figures;
mod llms_txt;
mod measured;
mod mention;
mod prompt;
mod referral;
mod run;
mod schedule;
mod sentiment;
mod share_of_voice;
mod stored;
mod trend;
#[cfg(test)]
mod trial;

sdk::module! {
    operations: [
        brand::set,
        prompt::suggest::suggest as prompt::suggest,
        prompt::add::add as prompt::add,
        prompt::list::list as prompt::list,
        prompt::remove::remove as prompt::remove,
        run::start::start as run::start,
        run::get,
        run::list::list as run::list,
        schedule::set,
        answer::list::list as answer::list,
        answer::get::get as answer::get,
        mention::report,
        share_of_voice::report,
        sentiment::report,
        trend::report,
        citation::list::list as citation::list,
        citation_gap::analyze,
        consistency::report,
        accuracy::check,
        fanout::expand,
        ai_overview::check,
        crawler_access::check,
        referral::report,
        agent_readiness::check,
        llms_txt::generate::generate as llms_txt::generate,
        llms_txt::validate::validate as llms_txt::validate,
    ],
    steps: [run::work::answers as answers],
    collections: [
        brand::BrandSet,
        stored::Prompt,
        stored::Run,
        stored::Answer,
        stored::Citation,
        stored::Tally,
        schedule::Kept,
    ],
    raw: [stored::ANSWER_TEXTS],
    untrusted: [web, provider],
}

#[cfg(test)]
mod tests;
