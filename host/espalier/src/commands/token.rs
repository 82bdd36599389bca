//! `espalier token`: bearer tokens for programs without a browser.

use std::time::Duration;

use anyhow::{Context as _, bail};
use model::id::{CustomerId, GrantId};
use model::scope::ScopeSet;
use serde_json::{Value, json};

use super::Say;
use crate::assembly;
use crate::cli::{Place, Token};
use crate::settings::Settings;

pub(super) async fn run(place: &Place, command: Token, say: Say) -> anyhow::Result<()> {
    let authority = assembly::authority(&Settings::read(place)?).await?;
    match command {
        Token::Issue { customer, scopes, name, days } => {
            let scopes: ScopeSet = scopes.parse().context("--scopes")?;
            let life = Duration::from_secs(u64::from(days) * 24 * 60 * 60);
            let made = authority.issue_token(&CustomerId::from(customer), scopes, &name, life).await?;
            let (token, expires) = (made.secret.reveal(), made.expires_at.rfc3339());
            say.value(
                &json!({ "access_token": token, "expires_at": expires, "grant": made.grant }),
                &format!("{token}\n\nIt is shown this once, and works until {expires}."),
            );
        }
        Token::List { customer } => {
            let rows: Vec<Value> = authority
                .connections(&CustomerId::from(customer))
                .await?
                .into_iter()
                .map(|grant| {
                    json!({
                        "grant": grant.id,
                        "name": grant.name,
                        "client": grant.client,
                        "scopes": grant.scopes,
                        "created_at": grant.created_at.rfc3339(),
                        "expires_at": grant.expires_at.map(|at| at.rfc3339()),
                        "state": format!("{:?}", grant.state),
                    })
                })
                .collect();
            let words: Vec<String> = rows
                .iter()
                .map(|row| {
                    format!(
                        "{}  {}",
                        row["grant"].as_str().unwrap_or_default(),
                        row["name"].as_str().unwrap_or_default()
                    )
                })
                .collect();
            say.value(&Value::Array(rows), &words.join("\n"));
        }
        Token::Revoke { grant } => {
            let grant = GrantId::from(grant);
            let ended = match authority.store().identity.owner_of(&grant).await? {
                Some(customer) => authority.disconnect(&customer, &grant).await?,
                None => false,
            };
            if !ended {
                bail!("there is no live grant {grant}; `espalier token list` shows them");
            }
            say.value(&json!({ "revoked": grant }), "revoked; running hosts refuse it from the next request on");
        }
    }
    Ok(())
}
