//! Plans and what they cost: settings of the operator, in hundredths of one currency.

use serde::Deserialize;

/// What the operator asks customers to pay.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Billing {
    /// ISO 4217.
    pub currency: String,
    /// On top of every price, in whole percent.
    pub tax_percent: u32,
    /// Who issues the invoices: name, address and tax number, a line each.
    pub seller: Vec<String>,
    /// How to pay, a line each.
    pub payment: Vec<String>,
    /// The first one is everybody's until they choose another.
    pub plans: Vec<Plan>,
}

/// A subscription plan.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Its name in calls: lower-case letters, digits and `_`.
    pub reference: String,
    /// As shown.
    pub name: String,
    /// Of a calendar month.
    pub price_cents: u64,
    /// Of one ordered credit.
    pub credit_price_cents: u64,
}

impl Default for Billing {
    fn default() -> Self {
        let plan = |reference: &str, name: &str, price_cents, credit_price_cents| Plan {
            reference: reference.to_owned(),
            name: name.to_owned(),
            price_cents,
            credit_price_cents,
        };
        Self {
            currency: "EUR".to_owned(),
            tax_percent: 0,
            seller: vec!["Espalier".to_owned()],
            payment: vec!["Please pay by bank transfer and name the reference.".to_owned()],
            plans: vec![
                plan("pay_as_you_go", "Pay as you go", 0, 100),
                plan("studio", "Studio", 2_900, 90),
                plan("agency", "Agency", 14_900, 75),
            ],
        }
    }
}

impl Billing {
    /// The plan of this reference.
    pub fn plan(&self, reference: &str) -> Option<&Plan> {
        self.plans.iter().find(|plan| plan.reference == reference)
    }

    /// What everybody has who has chosen none, or one that is not offered any more.
    pub fn first(&self) -> &Plan {
        // A list without plans is refused when the settings are read.
        &self.plans[0]
    }

    /// Why these settings cannot be used.
    pub fn fault(&self) -> Option<String> {
        if self.plans.is_empty() {
            return Some("billing.plans names no plan".to_owned());
        }
        let letters = |text: &str, most: usize, fits: fn(u8) -> bool| {
            !text.is_empty() && text.len() <= most && text.bytes().all(fits)
        };
        if !letters(&self.currency, 3, |it| it.is_ascii_uppercase()) || self.currency.len() != 3 {
            return Some("billing.currency has three capital letters".to_owned());
        }
        if self.tax_percent > 100 {
            return Some("billing.tax_percent is at most 100".to_owned());
        }
        let named = |plan: &Plan| {
            letters(&plan.reference, 40, |it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
        };
        let odd = self.plans.iter().find(|plan| !named(plan) || self.plan(&plan.reference) != Some(*plan));
        odd.map(|plan| format!("billing.plans: {:?} is not a name of its own in small letters", plan.reference))
    }

    /// The tax on a net sum, rounded half up.
    pub fn tax(&self, net: i64) -> i64 {
        (net * i64::from(self.tax_percent) + 50).div_euclid(100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plans_that_come_with_the_host_can_be_used() {
        let billing = Billing::default();
        assert_eq!(billing.fault(), None);
        assert_eq!(billing.first().reference, "pay_as_you_go");
        assert_eq!(billing.plan("agency").map(|plan| plan.credit_price_cents), Some(75));
        assert_eq!(billing.plan("other"), None);
    }

    #[test]
    fn settings_without_plans_or_with_two_of_one_name_are_refused() {
        let none = Billing { plans: Vec::new(), ..Billing::default() };
        assert!(none.fault().is_some_and(|fault| fault.contains("no plan")));
        let mut twice = Billing::default();
        twice.plans[2].reference = "studio".to_owned();
        assert!(twice.fault().is_some_and(|fault| fault.contains("studio")));
        let currency = Billing { currency: "euro".to_owned(), ..Billing::default() };
        assert!(currency.fault().is_some());
    }

    #[test]
    fn tax_is_rounded_to_the_nearest_hundredth() {
        let billing = Billing { tax_percent: 19, ..Billing::default() };
        assert_eq!([billing.tax(100), billing.tax(50), billing.tax(3), billing.tax(0)], [19, 10, 1, 0]);
    }
}
