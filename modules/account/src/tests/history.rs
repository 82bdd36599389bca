//! Grants, the trail and jobs.

use sdk::serde_json::Value;
use sdk::{ActivityFilter, Fault, JobFilter, Paging, PlatformAction, PlatformQuestion, Span, json};

fn job(state: &str, progress: &Value, outcome: &Value) -> Value {
    json!({
        "job_ref": "job_1", "operation_id": "crawl.run.start", "module": "crawl", "site_id": "81", "state": state,
        "progress": progress, "outcome": outcome, "units": 40, "points": 11, "credits_milli": 1_000, "points_held": 9,
        "credits_held_milli": 4_000, "created_at": 1_790_553_600_000_u64, "changed_at": 1_790_553_660_000_u64,
        "client_name": "Agent", "result_operation": "crawl.run.get"
    })
}

#[test]
fn grants_are_shown_without_tokens_and_the_services_cursor_is_passed_on() {
    let fake = crate::fake();
    fake.platform(
        "grants",
        Ok(json!({
            "grants": [{
                "grant_ref": "grt_1", "client_name": "Agent", "kind": "oauth", "scopes": ["assets:read"],
                "created_at": 1_790_553_600_000_u64, "last_used_at": null, "expires_at": 1_793_145_600_000_u64
            }],
            "next": "page two"
        })),
    );
    let reply = fake.reply("account.grant.list", json!({ "limit": 1 })).unwrap();
    assert_eq!(reply.units, 1);
    let next = reply.data["next_cursor"].clone();
    assert_eq!(
        reply.data,
        json!({
            "grants": [{
                "grant_ref": "grt_1", "client_name": "Agent", "kind": "oauth", "scopes": ["assets:read"],
                "created_at": "2026-09-28T00:00:00.000Z", "last_used_at": null, "expires_at": "2026-10-28T00:00:00.000Z"
            }],
            "next_cursor": next
        })
    );
    fake.reply("account.grant.list", json!({ "limit": 1, "cursor": next })).unwrap();
    let asked = |after: Option<&str>| PlatformQuestion::Grants(Paging { after: after.map(Into::into), limit: 1 });
    assert_eq!(said(&fake.asked_platform()), said(&[asked(None), asked(Some("page two"))]));
}

#[test]
fn a_grant_is_revoked_with_its_tokens_and_an_unknown_one_is_not_found() {
    let fake = crate::fake();
    fake.platform("revoke-grant", Ok(json!({ "tokens_revoked": 3 })));
    let revoked = fake.call("account.grant.revoke", json!({ "grant_ref": "grt_1" })).unwrap();
    assert_eq!(revoked, json!({ "revoked": true, "tokens_revoked": 3 }));
    assert_eq!(said(&fake.done_by_platform()), said(&[PlatformAction::RevokeGrant("grt_1".into())]));

    let fake = crate::fake();
    fake.platform("revoke-grant", Err(Fault::not_found("grant_not_found", "there is no such grant")));
    let fault = fake.refusal("account.grant.revoke", json!({ "grant_ref": "grt_9" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("grant_not_found", Some("/grant_ref")));
    assert!(fake.done_by_platform().is_empty());
}

#[test]
fn the_trail_is_asked_for_what_is_wanted_and_shows_names_of_arguments_alone() {
    let fake = crate::fake();
    fake.platform(
        "activity",
        Ok(json!({
            "entries": [{
                "seq": 7, "at": 1_790_553_600_000_u64, "operation": "websites.delete", "kind": "destructive",
                "outcome": "denied", "code": "insufficient_scope", "points": 0, "credits_milli": 0, "grant_ref": "grt_1",
                "client_name": "Agent", "request": "req_1", "intent_ref": null, "arguments": ["site_id"]
            }, {
                "seq": 6, "at": 1_790_553_500_000_u64, "operation": "websites.list", "kind": null, "outcome": "ok", "code": "ok",
                "points": 2, "credits_milli": 1_500, "grant_ref": null, "client_name": null, "request": null, "intent_ref": "int_1"
            }],
            "next": null, "stopped_at": 1_790_467_200_000_u64
        })),
    );
    let arguments = json!({ "kind": "destructive", "outcome": "denied", "module": "websites", "from": "2026-09-01", "to": "2026-09-02" });
    let trail = fake.call("account.activity.list", arguments).unwrap();
    assert_eq!(trail["searched_back_to"], "2026-09-27T00:00:00.000Z");
    assert!(trail["next_cursor"].is_null());
    let entry = &trail["entries"][0];
    assert_eq!((&entry["operation_id"], &entry["arguments"]), (&json!("websites.delete"), &json!(["site_id"])));
    assert_eq!(entry["code"], "insufficient_scope");
    let well = &trail["entries"][1];
    assert_eq!((&well["code"], &well["credits"], &well["arguments"]), (&json!(null), &json!(1.5), &json!([])));
    let wanted = PlatformQuestion::Activity(ActivityFilter {
        operation: None,
        module: Some("websites".into()),
        kind: Some("destructive".into()),
        outcome: Some("denied".into()),
        span: Span { from: Some(1_788_220_800_000), until: Some(1_788_393_600_000) },
        paging: Paging { after: None, limit: 25 },
    });
    assert_eq!(said(&fake.asked_platform()), said(&[wanted]));
}

#[test]
fn days_the_wrong_way_round_are_refused_before_anybody_is_asked() {
    for id in ["account.activity.list", "account.credit.ledger.list", "account.invoice.list"] {
        let fake = crate::fake();
        let fault = fake.refusal(id, json!({ "from": "2026-09-02", "to": "2026-09-01" }));
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("period_reversed", Some("/from")), "{id}");
        assert!(fake.asked_platform().is_empty());
    }
}

#[test]
fn jobs_of_every_module_are_listed_in_one_shape() {
    let fake = crate::fake();
    let crawling = job("running", &json!({ "phase": "pages", "fetched": 40 }), &json!(null));
    let counting = job("running", &json!({ "done": 3, "total": 9, "step": "links" }), &json!(null));
    let waiting = job("queued", &json!({}), &json!(null));
    fake.platform("jobs", Ok(json!({ "jobs": [crawling, counting, waiting], "next": null })));
    let jobs =
        fake.call("account.job.list", json!({ "site_id": "81", "state": "running", "module": "crawl" })).unwrap();
    let progress: Vec<&Value> = jobs["jobs"].as_array().unwrap().iter().map(|it| &it["progress"]).collect();
    assert_eq!(
        json!(progress),
        json!([
            { "done": 40, "total": null, "step": "pages" },
            { "done": 3, "total": 9, "step": "links" },
            { "done": 40, "total": null, "step": "queued" }
        ])
    );
    let charge = json!({ "points": 11, "credits": 1.0, "points_held": 9, "credits_held": 4.0 });
    assert_eq!(
        (&jobs["jobs"][0]["charge"], &jobs["jobs"][0]["started_at"]),
        (&charge, &json!("2026-09-28T00:00:00.000Z"))
    );
    let wanted = JobFilter {
        site: Some("81".into()),
        state: Some("running".into()),
        module: Some("crawl".into()),
        paging: Paging { after: None, limit: 25 },
    };
    assert_eq!(said(&fake.asked_platform()), said(&[PlatformQuestion::Jobs(wanted)]));
}

#[test]
fn a_job_that_ended_says_where_its_result_is_and_what_went_wrong_on_the_way() {
    let fake = crate::fake();
    let outcome = json!({ "run_ref": "run_7", "fetched": 40, "warnings": ["two pages timed out", { "message": "robots.txt was slow" }], "degraded": ["two pages timed out"] });
    fake.platform("job", Ok(job("succeeded", &json!({ "phase": "ended" }), &outcome)));
    let job = fake.call("account.job.get", json!({ "job_ref": "job_1" })).unwrap();
    assert_eq!(job["warnings"], json!(["two pages timed out", "robots.txt was slow"]));
    assert_eq!(job["result_operation"], "crawl.run.get");
    assert_eq!(job["result_arguments"], json!({ "run_ref": "run_7" }));
    assert_eq!((&job["result"], &job["error"]), (&outcome, &json!(null)));
}

#[test]
fn what_the_service_knows_of_the_result_operation_comes_first() {
    let fake = crate::fake();
    let mut running = job("running", &json!({ "other_ref": "x" }), &json!(null));
    running["result_arguments"] = json!({ "run_ref": "run_7" });
    fake.platform("job", Ok(running));
    let job = fake.call("account.job.get", json!({ "job_ref": "job_1" })).unwrap();
    assert_eq!((&job["result_arguments"], &job["result"]), (&json!({ "run_ref": "run_7" }), &json!(null)));
}

#[test]
fn a_result_that_is_read_here_is_cut_to_its_plain_members_when_it_is_too_large() {
    let fake = crate::fake();
    let mut ended = job(
        "succeeded",
        &json!({}),
        &json!({ "download_ref": "https://host.example/r/1", "manifest": ["x".repeat(800_000)] }),
    );
    ended["result_operation"] = json!("account.job.get");
    fake.platform("job", Ok(ended));
    let job = fake.call("account.job.get", json!({ "job_ref": "job_1" })).unwrap();
    assert_eq!(job["result_operation"], "account.job.get");
    assert_eq!(job["result_arguments"], json!({ "job_ref": "job_1" }));
    assert_eq!(job["result"], json!({ "download_ref": "https://host.example/r/1" }), "what is too large is left out");
    assert!(job["warnings"][0].as_str().unwrap().contains("too large"));
}

#[test]
fn a_job_that_failed_says_why_and_an_unknown_one_is_not_found() {
    let fake = crate::fake();
    fake.platform(
        "job",
        Ok(job("failed", &json!({}), &json!({ "code": "blocked", "message": "the site asks for people" }))),
    );
    fake.platform("job", Err(Fault::not_found("job_not_found", "there is no such job")));
    let job = fake.call("account.job.get", json!({ "job_ref": "job_1" })).unwrap();
    assert_eq!(job["error"], json!({ "code": "blocked", "message": "the site asks for people" }));
    assert_eq!(job["result"], json!(null));
    let fault = fake.refusal("account.job.get", json!({ "job_ref": "job_2" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("job_not_found", Some("/job_ref")));
}

#[test]
fn a_cancelled_job_keeps_and_charges_what_was_done() {
    let fake = crate::fake();
    let mut ended = job("cancelled", &json!({ "done": 40, "total": 90 }), &json!(null));
    (ended["points_held"], ended["credits_held_milli"]) = (json!(0), json!(0));
    fake.platform("cancel-job", Ok(ended));
    fake.platform("cancel-job", Err(Fault::conflict("job_ended", "this job has ended already")));
    let cancelled = fake.call("account.job.cancel", json!({ "job_ref": "job_1" })).unwrap();
    assert_eq!(
        cancelled,
        json!({
            "state": "cancelled",
            "work_done": { "done": 40, "total": 90, "step": "cancelled" },
            "charge_settled": { "points": 11, "credits": 1.0, "points_held": 0, "credits_held": 0.0 }
        })
    );
    assert_eq!(fake.refusal("account.job.cancel", json!({ "job_ref": "job_1" })).code, "job_ended");
    assert_eq!(said(&fake.done_by_platform()), said(&[PlatformAction::CancelJob("job_1".into())]));
}

/// Questions and actions of the boundary are not comparable.
fn said(all: &[impl std::fmt::Debug]) -> String {
    format!("{all:?}")
}
