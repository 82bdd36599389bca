//! The catalog: search with filters, and a page for each contract, made from the contract.

mod samples;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use model::contract::{Contract, Kind};
use model::refusal::{About, Class, Refusal};
use model::scope::Scope;
use service::Service;
use service::oauth::form::Parameters;
use service::portal::catalog::{Wanted, price};

use super::frame::Frame;
use super::page::{Leads, page, problem};
use super::prose::Prose;
use super::schema::{Field, fields};
use super::{either, enter_at, sentence};
use samples::Samples;

/// Operations on one page.
const PAGE: usize = 30;

#[derive(Template)]
#[template(path = "catalog.html")]
struct List {
    frame: Frame,
    revision: String,
    size: usize,
    query: String,
    module: String,
    kind: String,
    modules: Vec<String>,
    kinds: [&'static str; 4],
    total: usize,
    entries: Vec<Entry>,
    is_filtered: bool,
    before: Option<String>,
    after: Option<String>,
    first: usize,
    last: usize,
}

struct Entry {
    id: String,
    summary: Prose,
    kind: &'static str,
    tone: &'static str,
    is_queued: bool,
    price: String,
}

#[derive(Template)]
#[template(path = "contract.html")]
struct One {
    frame: Frame,
    revision: String,
    id: String,
    module: String,
    summary: Prose,
    description: Vec<Prose>,
    kind: &'static str,
    tone: &'static str,
    mode: &'static str,
    scopes: Vec<(&'static str, &'static str)>,
    points: String,
    most: Option<u64>,
    native: Option<String>,
    side_effects: Vec<Prose>,
    needs: Vec<String>,
    needs_key: bool,
    result_operation: Option<String>,
    arguments: Vec<Field>,
    result: Vec<Field>,
    samples: Samples,
    examples: Vec<String>,
    digest: String,
}

fn tone(kind: Kind) -> &'static str {
    match kind {
        Kind::Read => "",
        Kind::Write => "calm",
        Kind::Job => "firm",
        Kind::Destructive => "grave",
    }
}

const KINDS: [Kind; 4] = [Kind::Read, Kind::Write, Kind::Job, Kind::Destructive];

pub(super) async fn list(State(service): State<Service>, headers: HeaderMap, uri: Uri) -> Response {
    let shown = async {
        let inside = enter_at(service.core.authority(), &headers, &uri).await?;
        let asked = Parameters::read(uri.query().unwrap_or_default());
        let field = |name: &str| asked.one(name).ok().flatten().unwrap_or_default().trim().to_owned();
        let (query, module, kind) = (field("query"), field("module"), field("kind"));
        let wanted = Wanted {
            words: query.chars().take(160).collect(),
            module: (!module.is_empty()).then(|| module.clone()),
            kind: KINDS.into_iter().find(|known| known.as_str() == kind),
        };
        let shelf = service.portal.browse(&inside.session, &wanted).map_err(|refusal| refused(&refusal))?;
        let total = shelf.found.len();
        let page_number = field("page").parse::<usize>().unwrap_or(1).clamp(1, total.div_ceil(PAGE).max(1));
        let start = (page_number - 1) * PAGE;
        let entries: Vec<Entry> = shelf.found.iter().skip(start).take(PAGE).map(|contract| entry(contract)).collect();
        let address = |number: usize| {
            let mut written = url::form_urlencoded::Serializer::new(String::new());
            for (name, value) in [("query", &query), ("module", &module), ("kind", &kind)] {
                if !value.is_empty() {
                    written.append_pair(name, value);
                }
            }
            format!("/catalog?{}", written.append_pair("page", &number.to_string()).finish())
        };
        let template = List {
            frame: inside.frame("/catalog"),
            revision: shelf.revision.to_string(),
            size: shelf.size,
            is_filtered: !(query.is_empty() && module.is_empty() && kind.is_empty()),
            before: (page_number > 1).then(|| address(page_number - 1)),
            after: (start + entries.len() < total).then(|| address(page_number + 1)),
            first: start + 1,
            last: start + entries.len(),
            query,
            module,
            kind,
            modules: shelf.modules,
            kinds: KINDS.map(Kind::as_str),
            total,
            entries,
        };
        Ok(page(StatusCode::OK, &template, &Leads::Inside))
    };
    either(shown.await)
}

fn entry(contract: &Contract) -> Entry {
    Entry {
        id: contract.id.clone(),
        summary: Prose::new(&contract.summary),
        kind: contract.kind.as_str(),
        tone: tone(contract.kind),
        is_queued: contract.mode == model::contract::Mode::Queued,
        price: price(contract),
    }
}

pub(super) async fn one(
    State(service): State<Service>,
    Path(id): Path<String>,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    let shown = async {
        let inside = enter_at(service.core.authority(), &headers, &uri).await?;
        let card = service.portal.card(&inside.session, &id).map_err(|refusal| refused(&refusal))?;
        let contract = &*card.contract;
        let pretty = |value| serde_json::to_string_pretty(value).unwrap_or_default();
        let template = One {
            frame: inside.frame("/catalog"),
            revision: card.revision.to_string(),
            id: contract.id.clone(),
            module: contract.module().to_owned(),
            summary: Prose::new(&contract.summary),
            description: contract.description.split("\n\n").filter(|text| !text.is_empty()).map(Prose::new).collect(),
            kind: contract.kind.as_str(),
            tone: tone(contract.kind),
            mode: contract.mode.as_str(),
            scopes: contract.scopes.iter().map(|scope: Scope| (scope.as_str(), scope.words())).collect(),
            points: card.described["cost"]["words"].as_str().unwrap_or_default().to_owned(),
            most: card.described["cost"]["maximum_points"].as_u64(),
            native: card.described["native_price"]["words"].as_str().map(str::to_owned),
            side_effects: contract.side_effects.iter().map(|effect| Prose::new(effect)).collect(),
            needs: contract.needs.clone(),
            needs_key: contract.kind.mutates(),
            result_operation: contract.result_operation.clone(),
            arguments: fields(&contract.arguments, &contract.arguments),
            result: fields(&contract.result, &contract.result),
            samples: Samples::of(contract, service.core.config()),
            examples: contract.examples.iter().skip(1).map(pretty).collect(),
            digest: card.described["contract_digest"].as_str().unwrap_or_default().to_owned(),
        };
        Ok(page(StatusCode::OK, &template, &Leads::Inside))
    };
    either(shown.await)
}

/// A refusal as a page.
pub(super) fn refused(refusal: &Refusal) -> Response {
    match refusal.class {
        Class::NotFound => {
            let words = match refusal.about.as_deref() {
                Some(About::Nearest(near)) if !near.is_empty() => {
                    format!("The catalog has no operation of this name. Near to it are: {}.", near.join(", "))
                }
                _ => "The catalog has no operation of this name.".to_owned(),
            };
            problem(StatusCode::NOT_FOUND, "No such operation", &words)
        }
        Class::Limited => {
            let mut response =
                problem(StatusCode::TOO_MANY_REQUESTS, "Too many pages at once", &sentence(&refusal.message));
            if let Some(seconds) = refusal.retry_after {
                response.headers_mut().insert(RETRY_AFTER, seconds.into());
            }
            response
        }
        _ => problem(StatusCode::SERVICE_UNAVAILABLE, "One moment, please", &sentence(&refusal.message)),
    }
}
