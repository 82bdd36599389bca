//! The fingerprints of shop systems and of what takes payments.

use super::super::mark::Category::{Payment, Shop};
use super::super::mark::{
    Mark, attribute, class, cookie, embed, generator, header, id, inline, link, mark, meta, on, script,
};

pub(super) const MARKS: &[Mark] = &[
    mark(
        "Shopify",
        Shop,
        &[
            header("x-shopify-stage", "", 98),
            header("x-shopid", "", 95),
            header("powered-by", "shopify", 95),
            script("cdn.shopify.com/s/files", 80),
            script("/cdn/shop/", 80),
            link("/cdn/shop/", 75),
            inline("Shopify.theme", 95),
            cookie("_shopify_*", 90),
        ],
    ),
    on(
        "WooCommerce",
        Shop,
        &["WordPress"],
        &[
            generator("WooCommerce"),
            class("woocommerce", 70),
            class("woocommerce-*", 60),
            script("/plugins/woocommerce/", 95),
            link("/plugins/woocommerce/", 90),
            cookie("woocommerce_*", 95),
        ],
    ),
    on(
        "Magento",
        Shop,
        &["PHP"],
        &[
            script("/static/version", 45),
            script("/mage/", 60),
            attribute("data-mage-init", 95),
            cookie("mage-*", 90),
            header("x-magento-tags", "", 98),
            header("x-magento-cache-debug", "", 98),
        ],
    ),
    on(
        "PrestaShop",
        Shop,
        &["PHP"],
        &[
            generator("PrestaShop"),
            header("powered-by", "prestashop", 95),
            inline("var prestashop", 95),
            cookie("PrestaShop-*", 98),
        ],
    ),
    on(
        "OpenCart",
        Shop,
        &["PHP"],
        &[cookie("OCSESSID", 95), script("catalog/view/javascript", 90), link("catalog/view/theme", 90)],
    ),
    on(
        "Shopware",
        Shop,
        &["PHP"],
        &[
            generator("Shopware"),
            script("/bundles/storefront/", 90),
            link("/bundles/storefront/", 85),
            cookie("sw-context-token", 95),
            attribute("data-offcanvas-cart", 85),
        ],
    ),
    on(
        "OXID eShop",
        Shop,
        &["PHP"],
        &[link("/out/wave/", 80), link("/out/flow/", 80), script("/out/wave/", 80), cookie("oxidshop", 90)],
    ),
    on(
        "JTL-Shop",
        Shop,
        &["PHP"],
        &[cookie("JTLSHOP", 98), script("/templates/nova/", 70), link("/templates/nova/", 70)],
    ),
    mark(
        "BigCommerce",
        Shop,
        &[
            script("cdn11.bigcommerce.com", 85),
            link("cdn11.bigcommerce.com", 85),
            cookie("SHOP_SESSION_TOKEN", 90),
            inline("BCData", 60),
        ],
    ),
    mark("Ecwid", Shop, &[script("app.ecwid.com/script.js", 97), id("my-store-*", 50)]),
    on("nopCommerce", Shop, &["ASP.NET"], &[generator("nopCommerce"), cookie(".Nop.*", 95)]),
    mark(
        "Salesforce Commerce Cloud",
        Shop,
        &[
            cookie("dwsid", 85),
            cookie("dwanonymous_*", 95),
            embed("/on/demandware.static/", 95),
            script("/on/demandware.static/", 97),
            link("/on/demandware.static/", 97),
        ],
    ),
    on("SAP Commerce", Shop, &["Java"], &[cookie("acceleratorSecureGUID", 95), link("/_ui/responsive/theme-", 80)]),
    mark("Snipcart", Shop, &[script("cdn.snipcart.com", 97), class("snipcart-add-item", 85)]),
    on("Spree", Shop, &["Ruby"], &[inline("SpreePaths", 85), inline("Spree.api_token", 90)]),
    mark(
        "Lightspeed",
        Shop,
        &[
            meta("generator", "Lightspeed", 95),
            link("cdn.shoplightspeed.com", 95),
            script("cdn.shoplightspeed.com", 95),
        ],
    ),
    mark("Stripe", Payment, &[script("js.stripe.com/", 97)]),
    mark("PayPal", Payment, &[script("www.paypal.com/sdk/js", 97), script("www.paypalobjects.com", 80)]),
    mark("Klarna", Payment, &[script("klarnaservices.com", 95), script("x.klarnacdn.net", 90)]),
    mark("Braintree", Payment, &[script("js.braintreegateway.com", 97)]),
    mark("Adyen", Payment, &[script("checkoutshopper-live.adyen.com", 97), script("/adyen-checkout/", 70)]),
    mark(
        "Amazon Pay",
        Payment,
        &[script("static-eu.payments-amazon.com", 95), script("static-na.payments-amazon.com", 95)],
    ),
];
