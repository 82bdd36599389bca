//! The checks of what stands around a profile: how it is reached, what it shows, and what people say.

use sdk::{Fix, json};

use super::{Checks, DAY, Group};
use crate::nap::compare::Grade;
use crate::nap::phone;
use crate::post::policy;
use crate::review::stored::{ReplyState, Review};

impl Checks<'_> {
    pub(super) fn contact(&mut self) {
        let (known, group) = (self.known, Group::Contact);
        let profile = &known.profile;
        let nap = known.nap.as_ref();
        let same =
            nap.zip(profile.phones.primary.as_ref()).map(|(nap, own)| phone::same(&nap.phone, own, &nap.country));
        let in_additional =
            nap.is_some_and(|nap| profile.phones.additional.iter().any(|it| phone::same(&nap.phone, it, &nap.country)));
        // A tracking number is right as the primary one where the real one stands beside it.
        let pass = same.map(|same| same || in_additional);
        self.add(
            group,
            "phone_equals_record",
            3,
            pass,
            profile.phones.primary.clone().unwrap_or_else(|| "none".to_owned()),
            self.set_phone(),
        );
        let valid = profile
            .phones
            .primary
            .as_ref()
            .zip(profile.address.as_ref())
            .map(|(number, address)| phone::e164(number, &address.country.to_string()).is_some());
        self.add(
            group,
            "phone_valid",
            2,
            valid,
            profile.phones.primary.clone().unwrap_or_else(|| "none".to_owned()),
            self.set_phone(),
        );
        let address = nap.map(|nap| {
            let differences = crate::nap::set::grade_of_address(nap, profile.address.as_ref());
            matches!(differences, Grade::Exact | Grade::Near)
        });
        self.add(
            group,
            "address_equals_record",
            3,
            address,
            profile.address.as_ref().map_or_else(|| "none".to_owned(), crate::address::Address::line),
            self.set_address(),
        );
        let status = known.website_status;
        self.add(
            group,
            "website_answers",
            3,
            status.map(|it| it == 200),
            status.map_or_else(|| "not known".to_owned(), |it| format!("status {it}")),
            self.get(),
        );
        let secure = profile.website.as_ref().map(|it| it.starts_with("https://"));
        self.add(
            group,
            "website_https",
            1,
            secure,
            profile.website.clone().unwrap_or_else(|| "none".to_owned()),
            self.get(),
        );
    }

    pub(super) fn description(&mut self) {
        let group = Group::DescriptionPolicy;
        let text = self.known.profile.description.clone();
        let problem = text.as_deref().and_then(policy::in_description);
        self.add(
            group,
            "description_policy",
            2,
            text.as_ref().map(|_| problem.is_none()),
            problem.unwrap_or("nothing that Google refuses"),
            self.get(),
        );
        let priced = text.as_deref().map(|it| {
            it.split_whitespace().any(|word| word.starts_with(['$', '€', '£']) || word.ends_with(['€', '%']))
        });
        self.add(
            group,
            "description_without_prices",
            1,
            priced.map(|it| !it),
            if priced == Some(true) { "prices or percentages stand in it" } else { "no prices" },
            self.get(),
        );
    }

    pub(super) fn photos(&mut self) {
        let known = self.known;
        let group = Group::Photos;
        let count = |kinds: &[&str]| {
            known.media.as_ref().map(|all| all.iter().filter(|it| kinds.contains(&it.0.as_str())).count())
        };
        let upload = self.get();
        for (id, weight, least, kinds) in [
            ("logo", 2, 1, &["LOGO", "PROFILE"][..]),
            ("cover", 2, 1, &["COVER"][..]),
            ("photos_outside", 1, 3, &["EXTERIOR"][..]),
            ("photos_inside", 1, 3, &["INTERIOR", "COMMON_AREA"][..]),
            ("photos_of_team_or_products", 1, 3, &["TEAMS", "PRODUCT", "AT_WORK", "FOOD_AND_DRINK", "MENU"][..]),
        ] {
            let count = count(kinds);
            self.add(
                group,
                id,
                weight,
                count.map(|it| it >= least),
                count.map_or_else(|| "not known".to_owned(), |it| format!("{it} of at least {least}")),
                upload.clone(),
            );
        }
        let newest = known.media.as_ref().map(|all| all.iter().filter_map(|it| it.1).max());
        let days = newest.flatten().map(|at| known.now.since(at) / DAY);
        let pass = newest.map(|_| days.is_some_and(|it| it < 90));
        self.add(
            group,
            "photo_of_90_days",
            1,
            pass,
            days.map_or_else(|| "none".to_owned(), |it| format!("the newest is {it} days old")),
            upload,
        );
    }

    pub(super) fn posts(&mut self) {
        let known = self.known;
        let newest = known.posts.as_ref().map(|all| all.iter().filter_map(|it| it.created_at).max());
        let days = newest.flatten().map(|at| known.now.since(at) / DAY);
        let draft = self.call("listings.post.draft", json!({ "topic": kit::text::clip(&known.profile.name, 300) }));
        self.add(
            Group::Posts,
            "post_of_30_days",
            2,
            newest.map(|_| days.is_some_and(|it| it <= 30)),
            days.map_or_else(|| "no post".to_owned(), |it| format!("the newest is {it} days old")),
            draft,
        );
        let rejected = known.posts.as_ref().map(|all| all.iter().filter(|it| it.state == "REJECTED").count());
        let list = self.call("listings.post.list", json!({}));
        self.add(
            Group::Posts,
            "no_rejected_post",
            1,
            rejected.map(|it| it == 0),
            rejected.map_or_else(|| "not known".to_owned(), |it| format!("{it} posts are refused by Google")),
            list,
        );
    }

    pub(super) fn reviews(&mut self) {
        let (known, group) = (self.known, Group::Reviews);
        let report = self.call("listings.review.report", json!({}));
        let count = known.reviews.as_ref().map(Vec::len);
        let votes = known
            .leaders
            .as_ref()
            .map(|it| it.all.iter().filter_map(|it| it.votes).map(|it| it as f64).collect::<Vec<_>>())
            .filter(|it| !it.is_empty());
        let median = votes.map(|it| kit::statistics::median(&it));
        let pass = count.zip(median).map(|(own, median)| own as f64 >= median);
        let invite = self.call("listings.review.invite.create", json!({ "language": "en" }));
        self.add(
            group,
            "reviews_as_leaders",
            2,
            pass,
            format!(
                "{} reviews, and leaders have {} in the middle",
                count.map_or("unknown".to_owned(), |it| it.to_string()),
                median.map_or("an unknown number".to_owned(), |it| format!("{it:.0}"))
            ),
            invite,
        );
        let stars: Option<Vec<f64>> = known
            .reviews
            .as_ref()
            .map(|all| all.iter().filter(|it| it.stars > 0).map(|it| f64::from(it.stars)).collect());
        let average = stars.filter(|it| !it.is_empty()).map(|it| kit::statistics::mean(&it));
        self.add(
            group,
            "rating",
            3,
            average.map(|it| it >= 4.0),
            average.map_or_else(|| "no reviews are known".to_owned(), |it| format!("{it:.2} of 5")),
            report.clone(),
        );
        let recent = |it: &&Review| known.now.millis().saturating_sub(it.created_ms) <= 90 * DAY;
        let recent: Option<Vec<&Review>> = known.reviews.as_ref().map(|all| all.iter().filter(recent).collect());
        let recent = recent.filter(|it| !it.is_empty());
        let replied = recent
            .as_ref()
            .map(|all| all.iter().filter(|it| it.reply_state != ReplyState::None).count() as f64 / all.len() as f64);
        let open = self.draft_for(|it| it.reply_state == ReplyState::None);
        self.add(
            group,
            "replies",
            2,
            replied.map(|it| it >= 0.8),
            replied.map_or_else(
                || "no reviews of the last 90 days are known".to_owned(),
                |it| format!("{:.0} % of the last 90 days have an answer", it * 100.0),
            ),
            open.clone(),
        );
        let hours: Option<Vec<f64>> = recent.as_ref().map(|all| {
            all.iter().filter_map(|it| Some(it.reply_ms?.saturating_sub(it.created_ms) as f64 / 3_600_000.0)).collect()
        });
        let median = hours.filter(|it| !it.is_empty()).map(|it| kit::statistics::median(&it));
        self.add(
            group,
            "reply_speed",
            1,
            median.map(|it| it < 72.0),
            median.map_or_else(
                || "no answers of the last 90 days are known".to_owned(),
                |it| format!("{it:.0} hours in the middle"),
            ),
            open,
        );
        let bad = known.reviews.as_ref().map(|all| {
            all.iter().filter(|it| (1..=2).contains(&it.stars) && it.reply_state == ReplyState::None).count()
        });
        let fix = self.draft_for(|it| (1..=2).contains(&it.stars) && it.reply_state == ReplyState::None);
        self.add(
            group,
            "bad_reviews_answered",
            3,
            bad.map(|it| it == 0),
            bad.map_or_else(
                || "no reviews are known".to_owned(),
                |it| format!("{it} reviews of one or two stars have no answer"),
            ),
            fix,
        );
    }

    /// The call that drafts answers to the first reviews that hold.
    fn draft_for(&self, holds: impl Fn(&Review) -> bool) -> Fix {
        let open = self.known.reviews.iter().flatten().filter(|it| holds(it)).take(20);
        let refs: Vec<_> = open.map(|it| crate::review::stored::review_id(&it.location, &it.review_id)).collect();
        Fix::new("listings.review.reply.draft", json!({ "review_refs": refs }))
    }

    pub(super) fn landing_page(&mut self) {
        let landing = self.known.landing.clone();
        let evidence = landing.as_ref().map_or_else(
            || "not known: it needs a record and a website that answers".to_owned(),
            |(score, first)| {
                let first = first.as_ref().map_or_else(String::new, |it| format!(", first `{it}`"));
                format!("{score} of 100{first}")
            },
        );
        let fix = self.call("listings.landing_page.check", json!({}));
        self.add(Group::LandingPage, "landing_page", 2, landing.map(|it| it.0 >= 80.0), evidence, fix);
    }
}
