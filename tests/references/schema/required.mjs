// Writes modules/schema/fixtures/required.json.gz: 150 items with properties left out or spoiled, and the errors that
// @adobe/structured-data-validator finds in each.
//
//     npm install @adobe/structured-data-validator@1.7.1 && node required.mjs node_modules

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { pathToFileURL } from 'node:url';

const modules = path.resolve(process.argv[2]);
const { default: Validator } = await import(pathToFileURL(path.join(modules, '@adobe/structured-data-validator/src/index.js')));

// The same every time: a small generator of Lehmer's kind.
let state = 20261123;
const dice = () => (state = (state * 48271) % 2147483647) / 2147483647;
const pick = (all) => all[Math.floor(dice() * all.length)];

const rating = () => ({ '@type': 'Rating', ratingValue: pick([4, '4.5', 7, 3]), bestRating: pick([5, 10]), worstRating: 1 });
const person = () => ({ '@type': 'Person', name: 'Ada' });
const shipping = () => ({
  '@type': 'OfferShippingDetails',
  shippingRate: { '@type': 'MonetaryAmount', value: 3, currency: 'EUR' },
  shippingDestination: { '@type': 'DefinedRegion', addressCountry: 'DE', postalCode: '10115' },
  deliveryTime: {
    '@type': 'ShippingDeliveryTime',
    handlingTime: { '@type': 'QuantitativeValue', minValue: 0, maxValue: 1, unitCode: 'DAY' },
    transitTime: { '@type': 'QuantitativeValue', minValue: 1, maxValue: 5, unitCode: 'DAY' },
  },
});
const policy = () => ({ '@type': 'MerchantReturnPolicy', applicableCountry: 'DE', returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow', merchantReturnDays: 30 });
const offer = () => ({
  '@type': 'Offer', price: pick([89, '89.00', 'cheap']), priceCurrency: 'EUR', availability: 'https://schema.org/InStock',
  shippingDetails: shipping(), hasMerchantReturnPolicy: policy(),
  priceSpecification: { '@type': 'UnitPriceSpecification', price: 89, priceCurrency: 'EUR', referenceQuantity: { '@type': 'QuantitativeValue', value: 1, unitCode: 'C62' } },
});
const makers = [
  () => ({ '@type': 'Product', name: 'Lamp', image: ['https://shop.example/l.png'], offers: pick([offer, () => [offer(), offer()], () => ({ '@type': 'AggregateOffer', lowPrice: 8, highPrice: 9, priceCurrency: pick(['EUR', 'euro']), offerCount: 2 })])(), brand: { '@type': 'Brand', name: 'Brass' }, aggregateRating: { '@type': 'AggregateRating', ratingValue: pick([4, 9]), reviewCount: 12 }, review: { '@type': 'Review', author: person(), reviewRating: rating() }, hasCertification: { '@type': 'Certification', name: 'A', issuedBy: { '@type': 'Organization', name: 'EU' } }, size: { '@type': 'SizeSpecification', name: 'M' } }),
  () => ({ '@type': 'Recipe', name: 'Soup', image: pick([['https://a.example/1.png'], 'https://a.example/1.png', ['data:image/png;base64,x']]), nutrition: { '@type': 'NutritionInformation', calories: '270 calories' }, recipeYield: '4', recipeInstructions: [{ '@type': 'HowToStep', text: 'Stir' }, { '@type': 'HowToSection', name: 'Serve', itemListElement: [{ '@type': 'HowToStep', itemListElement: [{ '@type': 'HowToDirection', text: 'Pour' }, { '@type': 'HowToTip', text: 'Hot' }] }] }], author: person() }),
  () => ({ '@type': 'VideoObject', name: 'How', thumbnailUrl: 'https://a.example/t.png', uploadDate: pick(['2026-01-02', '2026-01-02T10:00:00Z', 'soon enough']), hasPart: [{ '@type': 'Clip', name: 'One', startOffset: pick([30, 'late']), url: 'https://a.example/?t=30' }], potentialAction: { '@type': 'SeekToAction', target: 'https://a.example/?t={s}', 'startOffset-input': 'required name=s' }, publication: { '@type': 'BroadcastEvent', isLiveBroadcast: true, startDate: '2026-01-02', endDate: '2026-01-02' } }),
  () => ({ '@type': 'JobPosting', title: 'Baker', description: 'Bake', datePosted: pick(['2026-02-03', 'never ever']), hiringOrganization: { '@type': 'Organization', name: 'Shop' }, jobLocation: { '@type': 'Place', address: { '@type': 'PostalAddress', addressCountry: 'DE' } }, jobLocationType: pick(['TELECOMMUTE', 'OFFICE']), applicantLocationRequirements: { '@type': 'Country', name: 'DE' } }),
  () => ({ '@type': 'BreadcrumbList', itemListElement: [{ '@type': 'ListItem', position: 1, name: 'Home', item: 'https://a.example/' }, { '@type': 'ListItem', position: 2, item: { '@id': 'https://a.example/b', name: pick(['B', 7]) } }] }),
  () => ({ '@type': 'Review', author: person(), reviewRating: rating(), itemReviewed: { '@type': 'Product', name: 'Lamp', image: 'a.png', offers: offer() }, datePublished: '2026-01-01' }),
  () => ({ '@type': 'AggregateRating', ratingValue: pick([4, 6, '5']), ratingCount: pick([3, 'many']), itemReviewed: { '@type': 'Organization', name: 'Shop' } }),
  () => ({ '@type': 'ImageObject', contentUrl: 'https://a.example/i.png', url: 'https://a.example/i', license: 'https://a.example/l', creator: person(), creditText: 'Ada', copyrightNotice: 'Ada' }),
  () => ({ '@type': 'Organization', name: 'Shop', hasMerchantReturnPolicy: pick([policy, () => ({ '@type': 'MerchantReturnPolicy', merchantReturnLink: 'https://a.example/r' })])() }),
  () => ({ '@type': 'Person', name: 'Ada' }),
  () => ({ '@type': '3DModel', encoding: { '@type': 'MediaObject', contentUrl: 'https://a.example/m.glb' } }),
  () => ({ '@type': 'PriceSpecification', price: pick([3, '3', 'three']), minPrice: 1, maxPrice: 5, priceCurrency: 'EUR' }),
  () => offer(),
  () => shipping(),
  () => policy(),
];

const OPTIONAL = new Set(['@type']);

/** Leaves out or empties properties anywhere in an item. */
function spoil(node, chance) {
  for (const name of Object.keys(node)) {
    const value = node[name];
    if (OPTIONAL.has(name)) continue;
    if (dice() < chance) {
      if (dice() < 0.25 && typeof value === 'string') node[name] = '';
      else delete node[name];
    } else if (Array.isArray(value)) {
      value.filter((it) => it && typeof it === 'object').forEach((it) => spoil(it, chance));
    } else if (value && typeof value === 'object') {
      spoil(value, chance);
    }
  }
  return node;
}

/** The place of a finding: properties and places in lists, as a JSON pointer. */
const pointer = (steps) => steps.slice(1).map((it) => `/${it.property}${it.index === undefined ? '' : `/${it.index}`}`).join('');

const out = [];
for (let at = 0; at < 150; at += 1) {
  const item = spoil(makers[at % makers.length](), pick([0, 0.08, 0.2, 0.35]));
  const data = { jsonld: { [item['@type']]: [JSON.parse(JSON.stringify(item))] } };
  const issues = await new Validator().validate(data);
  const errors = issues.filter((it) => it.severity === 'ERROR').map((it) => `${pointer(it.path)} ${it.fieldNames.join('|')}`);
  out.push({ item, errors: errors.sort() });
}
writeFileSync(new URL('../../../modules/schema/fixtures/required.json.gz', import.meta.url), gzipSync(`[${out.map((it) => JSON.stringify(it)).join(',\n')}]\n`, { level: 9 }));
console.log(out.length, 'items,', out.reduce((sum, it) => sum + it.errors.length, 0), 'errors');
