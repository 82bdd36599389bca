//! The operation `ai_visibility.run.start`.

use sdk::prelude::*;
use sdk::serde_json;
use sdk::{Answer, Fix, IsQueued, Llm, Need, Prices, json};
use site::Site;

use super::work::Payload;
use crate::brand;
use crate::prompt::of_site;
use crate::stored::{Asked, Measured, OfConnection, Prompt, Question, Run, State, questions_key};

/// Answers of one run.
const MAX_ANSWERS: u64 = 12_000;

#[args]
pub(crate) struct Start {
    /// The website.
    site_id: Id<Site>,
    /// The prompts; all of the website, or of the topic, when left out.
    prompt_refs: Option<List<Id<Prompt>, 1, 200>>,
    /// The prompts of this topic.
    topic: Option<Text<1, 120>>,
    /// The customer's language models, as `connections.list` names them; a connection of DataForSEO reads the product that people
    /// use instead of a model behind its interface.
    connections: List<Id<sdk::Connection>, 1, 6>,
    /// How often each prompt is put to each model: answers differ.
    #[default(3)]
    samples: Count<1, 10>,
    /// Whether models may search the web where the provider offers it.
    #[default(true)]
    web_search: bool,
    /// The most that the run may cost, in the connections' currency. Needs `price_in` and `price_out` among the `defaults` of
    /// each language model.
    cost_cap: Option<Decimal<1, 1_000_000_000>>,
    /// The most tokens that the run may take, where no price is known.
    token_cap: Option<Count<1_000, 1_000_000_000>>,
}

/// A run that was queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it.
    job_ref: Id<Job>,
    /// The run; ai_visibility.run.get follows it.
    run_ref: Id<Run>,
    /// Always `queued`.
    state: IsQueued,
    /// Answers that it asks for at most.
    answers: u64,
    /// Questions without an answer so far.
    failed: u64,
    tokens: super::Tokens,
    prompts: u64,
    /// Credits set aside; only stored answers are charged in the end, 1 credit for 200.
    reserved_credits: f64,
}

/// Asks prompts of chosen models through the customer's LLM connections several times each, stores answers with model, parameters and cited addresses, and detects brands and sources.
///
/// The prompt is the whole conversation: no instruction of ours, no brand and no temperature goes with it, so that what is
/// measured is the model. A language model is asked over `/responses` in the background, which the provider keeps for its own
/// period, else over `/chat/completions`, where web search is the provider's own affair. Nothing is asked twice: what is stored
/// stays stored when the run is interrupted. A run never begins an answer that might go beyond `cost_cap`, going by the dearest of its
/// answers so far, and ends with what it has. A model behind its interface is not the application that people use; a
/// connection of DataForSEO reads ChatGPT's own answers, or Google's AI Mode when `product` among its `defaults` is `ai_mode`.
#[operation(
    job,
    scope = "seo:execute",
    cost = job(unit = "answers", every = 200, most = 12000),
    native_price(unit = "answers", every = 200, credits_milli = 1000, most = 12000),
    queued(step = "answers"),
    result_operation = "ai_visibility.run.get",
    side_effects = ["puts prompts to the customer's language models, which are charged by their provider", "stores answers and their sources"],
    needs = ["store", "jobs", "credits", "connection:llm", "connection:dataforseo?"],
    outside = [
        "llm GET /models",
        "llm POST /responses change",
        "llm GET /responses/*",
        "llm POST /chat/completions change",
        "dataforseo POST /v3/ai_optimization/chat_gpt/llm_scraper/task_post change",
        "dataforseo GET /v3/ai_optimization/chat_gpt/llm_scraper/task_get/advanced/*",
        "dataforseo POST /v3/serp/google/ai_mode/task_post change",
        "dataforseo GET /v3/serp/google/ai_mode/task_get/advanced/*",
    ],
    phrasings = [
        "ask chatgpt my tracked prompts",
        "run the AI visibility check now",
        "does chatgpt recommend my brand when people ask for the best",
        "ask a model the same question five times",
        "collect answers of several language models",
    ],
    examples = [
        { "site_id": "4503599627370496", "connections": ["con_4fzzzxjylrxeu7yx2kphqvjzba"] },
        { "site_id": "4503599627370496", "connections": ["con_4fzzzxjylrxeu7yx2kphqvjzba"], "topic": "reading lamps", "samples": 5, "token_cap": 2_000_000 },
    ]
)]
pub(crate) fn start(cx: &Cx, args: Start) -> Result<Answer<Started>> {
    let site = site::get(cx, &args.site_id)?;
    brand::required(cx, &site)?;
    let questions = questions(cx, &site, &args)?;
    let asked = asked(cx, &args)?;
    let samples = u32::try_from(args.samples.get()).unwrap_or(1);
    let prompts = questions.len() as u64;
    let total = prompts * asked.len() as u64 * u64::from(samples);
    if total > MAX_ANSWERS {
        let message = format!(
            "{prompts} prompts, {} connections and {samples} samples are {total} answers; a run has {MAX_ANSWERS} at most: name prompt_refs or a topic, or take fewer samples",
            asked.len()
        );
        return Err(Fault::invalid("/samples", "too_many_answers", message)
            .detail(json!({ "answers": total, "allowed": MAX_ANSWERS })));
    }
    priced(cx, &args, &asked)?;
    idle(cx, &site)?;
    let came = asked.iter().map(|it| OfConnection { model: it.model.clone(), ..OfConnection::default() }).collect();
    let run = cx.records::<Run>().insert(Run {
        site_id: site.id.to_string(),
        job_ref: None,
        state: State::Queued,
        prompts,
        asked,
        samples,
        web_search: args.web_search,
        cost_cap: args.cost_cap.map(Decimal::get),
        token_cap: args.token_cap.and_then(|it| u64::try_from(it.get()).ok()),
        came,
        brands_version: None,
        created_ms: cx.now().millis(),
        finished_ms: None,
        mention_rate: None,
        ended_by: None,
        degraded: Vec::new(),
    })?;
    let written = serde_json::to_vec(&questions).unwrap_or_default();
    cx.blobs().write(&questions_key(run.id.as_str()), &written)?;
    let job = cx.jobs().enqueue("answers", &Payload { run: run.id.clone() })?;
    let run = cx.records::<Run>().update(&run.id, |it| it.job_ref = Some(job.clone()))?;
    #[expect(clippy::cast_precision_loss, reason = "at most 12,000")]
    let reserved_credits = total.div_ceil(200) as f64;
    let started = Started {
        job_ref: job,
        run_ref: run.id,
        state: IsQueued::Queued,
        answers: total,
        failed: 0,
        tokens: super::Tokens::default(),
        prompts,
        reserved_credits,
    };
    Ok(Answer::new(started).units(total))
}

/// What is asked: each prompt as it stands now.
fn questions(cx: &Cx, site: &Stored<Site>, args: &Start) -> Result<Vec<Question>> {
    if args.prompt_refs.is_some() && args.topic.is_some() {
        let message = "name prompt_refs or a topic, not both";
        return Err(Fault::invalid("/topic", "prompts_named_twice", message));
    }
    let prompts: Vec<Stored<Prompt>> = match (&args.prompt_refs, &args.topic) {
        (Some(named), _) => {
            let mut found: Vec<Stored<Prompt>> = Vec::with_capacity(named.len());
            for (at, id) in named.iter().enumerate() {
                let prompt = cx.records::<Prompt>().find(id).filter(|it| it.site_id == site.id.as_str());
                let prompt = prompt.ok_or_else(|| {
                    let message = "no prompt of this website has this reference; ai_visibility.prompt.list shows them";
                    Fault::not_found("prompt_not_found", message).at(format!("/prompt_refs/{at}"))
                })?;
                if found.iter().all(|it| it.id != prompt.id) {
                    found.push(prompt);
                }
            }
            found
        }
        (None, Some(topic)) => {
            of_site(cx, &site.id).filter(|it| crate::prompt::same_topic(&it.topic, topic.as_str())).collect()
        }
        (None, None) => of_site(cx, &site.id).collect(),
    };
    if prompts.is_empty() {
        let fix = Fix::new("ai_visibility.prompt.suggest", json!({ "site_id": site.id }));
        let message =
            "there is no such prompt; call ai_visibility.prompt.suggest for some, then ai_visibility.prompt.add";
        let pointer = if args.topic.is_some() { "/topic" } else { "/site_id" };
        return Err(Fault::conflict("prompts_required", message)
            .at(pointer)
            .detail(json!({ "operation_id": fix.operation_id, "arguments": fix.arguments })));
    }
    Ok(prompts.into_iter().map(question).collect())
}

fn question(prompt: Stored<Prompt>) -> Question {
    let text = prompt.question();
    let Stored { id, it, .. } = prompt;
    Question {
        prompt: id.to_string(),
        prompt_version: it.prompt_version,
        text,
        topic: it.topic,
        stage: it.stage,
        country: it.country,
        language: it.language,
    }
}

/// The models that are asked, each once.
pub(crate) fn asked(cx: &Cx, args: &Start) -> Result<Vec<Asked>> {
    let held = cx.connections().all();
    let mut out: Vec<Asked> = Vec::with_capacity(args.connections.len());
    for (at, id) in args.connections.iter().enumerate() {
        let pointer = format!("/connections/{at}");
        if out.iter().any(|it| it.connection == id.as_str()) {
            return Err(Fault::invalid(pointer, "connection_repeated", "each connection is asked once"));
        }
        let Some(connection) = held.iter().find(|it| it.reference == id.as_str()) else {
            let reason = "no language model and no DataForSEO account of yours has this reference";
            return Err(Need::LLM.missing(&pointer, reason));
        };
        out.push(if connection.kind == "dataforseo" {
            let defaults = cx.accounts().about(id.as_str()).map(|it| it.defaults).unwrap_or_default();
            let is_mode = defaults.get("product").and_then(serde_json::Value::as_str) == Some("ai_mode");
            let model = if is_mode { super::work::product::AI_MODE } else { super::work::product::CHAT_GPT };
            Asked { connection: id.to_string(), model: model.to_owned(), measured: Measured::Product }
        } else {
            let model = Llm::of(cx, id.as_str(), &pointer)?.model;
            Asked { connection: id.to_string(), model, measured: Measured::Api }
        });
    }
    Ok(out)
}

/// Refuses a cap of money where nobody knows what an answer costs.
fn priced(cx: &Cx, args: &Start, asked: &[Asked]) -> Result<()> {
    if args.cost_cap.is_none() {
        return Ok(());
    }
    let mut currency: Option<String> = None;
    for (at, it) in asked.iter().enumerate() {
        let pointer = format!("/connections/{at}");
        let own = match it.measured {
            Measured::Product => Some("USD".to_owned()),
            Measured::Api => Prices::of(cx, &it.connection).map(|it| it.currency),
        };
        let Some(own) = own else {
            let change = json!({ "connection_ref": it.connection, "defaults": { "model": it.model, "price_in": 0.25, "price_out": 2.0 } });
            let message = "what a token of this connection costs is not known, so that cost_cap cannot be kept: set price_in and price_out for a million tokens among its defaults, or give token_cap instead";
            return Err(Fault::invalid(pointer, "price_unknown", message)
                .detail(json!({ "operation_id": "connections.update", "arguments": change })));
        };
        if currency.get_or_insert_with(|| own.clone()) != &own {
            let message = "the connections are paid in different currencies, so that no one sum can be kept";
            return Err(Fault::invalid(pointer, "currencies_differ", message));
        }
    }
    Ok(())
}

/// Refuses while another run of the website is under way.
fn idle(cx: &Cx, site: &Stored<Site>) -> Result<()> {
    let newest = cx.records::<Run>().by("site_id_created_ms").equals(&site.id).descending().page(5_u64, None)?;
    match newest.items.into_iter().find(|run| super::current(cx, run).moves()) {
        None => Ok(()),
        Some(run) => {
            Err(Fault::conflict("run_under_way", "a run of this website is under way; wait for it or cancel its job")
                .at("/site_id")
                .detail(json!({ "operation_id": "ai_visibility.run.get", "arguments": { "run_ref": run.id } })))
        }
    }
}
