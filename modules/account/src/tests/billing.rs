//! Balance, ledger, orders, points, budgets, plans and invoices.

use sdk::serde_json::{self, Value};
use sdk::{Fake, Fault, PlatformAction, json};
use site::Site;

fn budgets() -> Value {
    json!({ "budgets": [
        { "scope": "workspace", "target": "", "unit": "credits", "daily": 20_000, "monthly": null, "used_today": 1_500, "used_month": 9_250 },
        { "scope": "site", "target": "81", "unit": "points", "daily": null, "monthly": 700, "used_today": 3, "used_month": 40 }
    ] })
}

fn change(total: i64) -> Value {
    json!({
        "change_ref": "chg_1", "effective_at": 1_790_812_800_000_u64, "currency": "EUR", "total_cents": total,
        "proration": [
            { "words": "agency, the rest of September", "days": 3, "of_days": 30, "amount_cents": 990 },
            { "words": "standard, given back", "days": 3, "of_days": 30, "amount_cents": 990 - total }
        ]
    })
}

#[test]
fn the_balance_is_in_whole_credits_with_the_caps_beside_it() {
    let fake = crate::fake();
    fake.platform("balance", Ok(crate::tests::balance(12_345)));
    fake.platform("budgets", Ok(budgets()));
    let balance = fake.call("account.credit.balance.get", json!({})).unwrap();
    assert_eq!((&balance["credits"], &balance["reserved"]), (&json!(12.345), &json!(1.5)));
    assert_eq!((&balance["points"], &balance["allowance_left"]), (&json!(4_200), &json!(120)));
    assert_eq!(
        balance["budgets"][0],
        json!({ "scope": "workspace", "target": null, "unit": "credits", "daily": 20.0, "monthly": null, "used_today": 1.5, "used_month": 9.25 })
    );
    assert_eq!((&balance["budgets"][1]["target"], &balance["budgets"][1]["monthly"]), (&json!("81"), &json!(700.0)));
}

#[test]
fn the_ledger_shows_each_amount_in_its_own_unit_and_the_totals_of_all() {
    let fake = crate::fake();
    let line = |unit: &str, amount: i64| {
        json!({
            "line_ref": "lin_1", "at": 1_790_553_600_000_u64, "type": "refund", "state": "released", "operation": "crawl.run.start",
            "request_or_job": "job_1", "unit": unit, "amount": amount, "from": "held", "to": "credits"
        })
    };
    fake.platform(
        "ledger",
        Ok(json!({
            "lines": [line("credits_milli", 2_500), line("points", 12)],
            "totals": { "points_charged": 90, "credits_charged_milli": 4_000, "credits_added_milli": 500_000, "points_bought": 2_000 },
            "next": "more"
        })),
    );
    let ledger = fake.call("account.credit.ledger.list", json!({ "type": "refund" })).unwrap();
    let amounts: Vec<(&Value, &Value)> =
        ledger["lines"].as_array().unwrap().iter().map(|it| (&it["unit"], &it["amount"])).collect();
    assert_eq!(amounts, [(&json!("credits"), &json!(2.5)), (&json!("points"), &json!(12.0))]);
    assert_eq!(
        ledger["totals"],
        json!({ "points_charged": 90, "credits_charged": 4.0, "credits_added": 500.0, "points_bought": 2_000 })
    );
    assert!(ledger["next_cursor"].as_str().is_some_and(|it| it.starts_with("more~")), "{ledger}");
    assert!(format!("{:?}", fake.asked_platform()).contains("kind: Some(\"refund\")"));
}

#[test]
fn an_order_is_placed_once_and_only_within_its_bounds() {
    let fake = crate::fake();
    fake.platform(
        "order-credits",
        Ok(json!({ "order_ref": "ord_1", "invoice_ref": "inv_1", "state": "open", "total_cents": 49_500, "currency": "EUR", "placed_at": 1_790_553_600_000_u64 })),
    );
    let order = fake.call("account.credit.order.create", json!({ "credits": 500, "reference": "PO 7" })).unwrap();
    assert_eq!((&order["amount"], &order["currency"], &order["state"]), (&json!(495.0), &json!("EUR"), &json!("open")));
    let said = fake.done_by_platform();
    let [PlatformAction::OrderCredits(order)] = &said[..] else { panic!("one order") };
    assert_eq!((order.credits, order.reference.as_deref()), (500, Some("PO 7")));
    for wrong in [json!({ "credits": 9 }), json!({ "credits": 1_000_001 }), json!({}), json!({ "credits": 10.5 })] {
        assert_eq!(fake.refusal("account.credit.order.create", wrong).code, "invalid_arguments");
    }
}

#[test]
fn points_are_bought_with_whole_credits_at_a_price_that_is_in_the_contract() {
    let fake = crate::fake();
    fake.platform("buy-points", Ok(json!({ "points_added": 5_000, "points": 9_200, "credits_milli": 7_345 })));
    let bought = fake.call("account.points.buy", json!({ "credits": 5 })).unwrap();
    assert_eq!(bought, json!({ "points_added": 5_000, "points_balance": 9_200, "credits_balance": 7.345 }));
    assert!(matches!(fake.done_by_platform()[..], [PlatformAction::BuyPoints(5)]));
    assert_eq!(fake.refusal("account.points.buy", json!({ "credits": 0 })).code, "invalid_arguments");

    let contracts: Value = serde_json::from_str(&crate::contracts()).unwrap();
    let buy = contracts["operations"].as_array().unwrap().iter().find(|it| it["id"] == "account.points.buy").unwrap();
    let price = json!({ "unit": "1000 points", "every": 1, "credits_milli": 1_000, "most": { "argument": "credits", "otherwise": 10_000 } });
    assert_eq!(buy["native_price"], price);
}

#[test]
fn a_cap_is_set_and_its_use_comes_back() {
    let fake =
        crate::fake().with_as("81", Site { domain: "shop.example".into(), order: "1".into(), ..Site::default() });
    fake.platform("set-budget", Ok(budgets()));
    let set = fake
        .call("account.budget.set", json!({ "scope": "site", "target": "81", "unit": "points", "monthly": 700 }))
        .unwrap();
    assert_eq!((&set["used_today"], &set["used_month"]), (&json!(3.0), &json!(40.0)));
    let said = fake.done_by_platform();
    let [PlatformAction::SetBudget(budget)] = &said[..] else { panic!("one budget") };
    assert_eq!(
        (budget.scope.as_str(), budget.target.as_str(), budget.daily, budget.monthly),
        ("site", "81", None, Some(700))
    );
}

#[test]
fn a_cap_without_amounts_is_taken_away_and_has_no_use() {
    let fake = crate::fake();
    fake.platform("set-budget", Ok(json!({ "budgets": [] })));
    let set =
        fake.call("account.budget.set", json!({ "scope": "module", "target": "crawl", "unit": "credits" })).unwrap();
    assert_eq!(set, json!({ "budgets": [], "used_today": null, "used_month": null }));
}

#[test]
fn a_target_is_needed_by_every_scope_but_the_workspace() {
    let fake = crate::fake();
    for (arguments, code, pointer) in [
        (json!({ "scope": "workspace", "target": "crawl", "unit": "points" }), "target_not_wanted", "/target"),
        (json!({ "scope": "module", "unit": "points" }), "target_required", "/target"),
        (json!({ "scope": "site", "unit": "points" }), "target_required", "/target"),
        (json!({ "scope": "client", "unit": "points" }), "target_required", "/target"),
        (json!({ "scope": "site", "target": "99", "unit": "points" }), "website_not_found", "/target"),
        (json!({ "scope": "workspace", "unit": "points", "daily": -1 }), "invalid_arguments", "/daily"),
        (json!({ "scope": "workspace", "unit": "euros" }), "invalid_arguments", "/unit"),
    ] {
        let fault = fake.refusal("account.budget.set", arguments);
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), (code, Some(pointer)));
    }
    assert!(fake.done_by_platform().is_empty());
    fake.platform("set-budget", Err(Fault::invalid("/target", "invalid_budget", "there is no module crowl")));
    let fault = fake.refusal("account.budget.set", json!({ "scope": "module", "target": "crowl", "unit": "points" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("invalid_budget", Some("/target")));
}

fn plans(current: &str) -> Fake {
    let fake = crate::fake();
    let limits = |requests: i64, websites: &Value| json!({ "requests_per_minute": requests, "heavy_per_minute": 20, "connections": 50, "websites": websites });
    fake.platform(
        "plans",
        Ok(json!({
            "current": current, "period_ends_at": 1_790_812_800_000_u64,
            "plans": [
                { "plan_ref": "standard", "name": "Standard", "price_cents": 4_900, "credit_price_cents": 110, "currency": "EUR", "limits": limits(120, &json!(10)) },
                { "plan_ref": "agency", "name": "Agency", "price_cents": 19_900, "credit_price_cents": 99, "currency": "EUR", "limits": limits(600, &json!(null)) }
            ]
        })),
    );
    fake
}

#[test]
fn plans_are_compared_with_the_one_in_force() {
    let listed = plans("standard").call("account.plan.list", json!({})).unwrap();
    assert_eq!(
        (&listed["current"], &listed["period_ends_at"]),
        (&json!("standard"), &json!("2026-10-01T00:00:00.000Z"))
    );
    assert_eq!((&listed["plans"][0]["current"], &listed["plans"][0]["delta"]), (&json!(true), &json!(null)));
    let agency = &listed["plans"][1];
    assert_eq!((&agency["price"], &agency["credit_price"]), (&json!(199.0), &json!(0.99)));
    let limits = json!({ "requests_per_minute": 480, "heavy_per_minute": 0, "connections": 0, "websites": null });
    assert_eq!(agency["delta"], json!({ "price": 150.0, "credit_price": -0.11, "limits": limits }));
}

#[test]
fn a_plan_that_is_no_longer_offered_is_compared_with_nothing() {
    let listed = plans("founders").call("account.plan.list", json!({})).unwrap();
    assert!(listed["plans"].as_array().unwrap().iter().all(|it| it["delta"].is_null() && it["current"] == false));
}

#[test]
fn a_plan_changes_when_the_total_is_the_one_that_was_agreed_to() {
    let fake = crate::fake();
    fake.platform("plan-change", Ok(change(745)));
    fake.platform("change-plan", Ok(change(745)));
    let arguments = json!({ "plan_ref": "agency", "effective": "now", "expected_total": 7.45 });
    let changed = fake.call("account.plan.change", arguments).unwrap();
    assert_eq!((&changed["change_ref"], &changed["total"]), (&json!("chg_1"), &json!(7.45)));
    assert_eq!(changed["effective_at"], "2026-10-01T00:00:00.000Z");
    assert_eq!(
        changed["proration"][0],
        json!({ "description": "agency, the rest of September", "days": 3, "of_days": 30, "amount": 9.9 })
    );
    let said = fake.done_by_platform();
    let [PlatformAction::ChangePlan(done)] = &said[..] else { panic!("one change") };
    assert_eq!((done.plan.as_str(), done.now), ("agency", true));
}

#[test]
fn another_total_changes_nothing_and_says_what_it_is() {
    let fake = crate::fake();
    fake.platform("plan-change", Ok(change(745)));
    for wrong in [7.44, 7.451, 0.0, -7.45, 745.0] {
        let fault = fake.refusal("account.plan.change", json!({ "plan_ref": "agency", "expected_total": wrong }));
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("total_changed", Some("/expected_total")));
        let detail: Value = serde_json::from_str(&fault.detail.unwrap()).unwrap();
        assert_eq!((&detail["total"], &detail["currency"]), (&json!(7.45), &json!("EUR")));
        assert_eq!(detail["proration"].as_array().unwrap().len(), 2);
    }
    assert!(fake.done_by_platform().is_empty());
}

#[test]
fn a_change_that_gives_something_back_is_agreed_to_with_a_negative_total() {
    let fake = crate::fake();
    fake.platform("plan-change", Ok(change(-1_230)));
    fake.platform("change-plan", Ok(change(-1_230)));
    let changed =
        fake.call("account.plan.change", json!({ "plan_ref": "basic", "effective": "now", "expected_total": -12.3 }));
    assert_eq!(changed.unwrap()["total"], -12.3);
}

#[test]
fn a_plan_that_nobody_offers_or_that_is_in_force_is_refused_as_the_service_says() {
    for code in ["unknown_plan", "plan_in_force"] {
        let fake = crate::fake();
        fake.platform("plan-change", Err(Fault::conflict(code, "no")));
        let fault = fake.refusal("account.plan.change", json!({ "plan_ref": "x", "expected_total": 0 }));
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), (code, Some("/plan_ref")));
    }
}

#[test]
fn an_invoice_has_its_lines_and_its_tax() {
    let fake = crate::fake();
    fake.platform(
        "invoices",
        Ok(json!({
            "invoices": [{
                "invoice_ref": "inv_1", "kind": "pro_forma", "state": "open", "issued_at": 1_790_553_600_000_u64, "paid_at": null,
                "period": null, "currency": "EUR", "lines": [{ "words": "credits", "quantity": 500, "unit_cents": 99, "amount_cents": 49_500 }],
                "net_cents": 49_500, "tax_percent": 19, "tax_cents": 9_405, "total_cents": 58_905, "reference": "PO 7", "pdf_url": null
            }],
            "next": null
        })),
    );
    let invoices = fake.call("account.invoice.list", json!({ "invoice_ref": "inv_1" })).unwrap();
    let invoice = &invoices["invoices"][0];
    assert_eq!((&invoice["net"], &invoice["tax"], &invoice["total"]), (&json!(495.0), &json!(94.05), &json!(589.05)));
    assert_eq!(
        invoice["lines"],
        json!([{ "description": "credits", "quantity": 500.0, "unit_price": 0.99, "amount": 495.0 }])
    );
    assert!(format!("{:?}", fake.asked_platform()).contains("reference: Some(\"inv_1\")"));

    let fake = crate::fake();
    fake.platform("invoices", Err(Fault::not_found("invoice_not_found", "there is no such invoice")));
    let fault = fake.refusal("account.invoice.list", json!({ "invoice_ref": "inv_9" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("invoice_not_found", Some("/invoice_ref")));
}

#[test]
fn an_answer_in_another_shape_is_the_services_fault_and_costs_nothing() {
    let fake = crate::fake();
    fake.platform("plans", Ok(json!({ "plans": "many" })));
    assert_eq!(fake.refusal("account.plan.list", json!({})).code, "platform_unreadable");
}
