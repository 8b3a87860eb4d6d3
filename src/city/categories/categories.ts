/**
 * The categories, the same for every city, with a description and the NAICS 2017/2022 prefixes of each.
 * The list is closed: a profile maps to it and never adds to it.
 */

import { UNCATEGORIZED } from '../../listings/listing.ts';

type Definition = { means: string; naics: string };

const DEFINITIONS = {
  Restaurants: { means: 'Sit-down, fast food, take-out and delivery kitchens', naics: '722' },
  'Bars & Nightlife': { means: 'Bars, taverns, lounges, clubs and night clubs', naics: '7224' },
  'Cafes & Bakeries': {
    means: 'Coffee, tea, juice, ice cream, donuts, bread and cakes',
    naics: '3118 722515 445291 445292',
  },
  'Food Trucks & Catering': { means: 'Food trucks and carts, caterers, ghost kitchens', naics: '7223' },
  'Grocery & Convenience': { means: 'Food stores, markets, butchers, convenience stores', naics: '445' },
  'Liquor & Tobacco': {
    means: 'Liquor, wine, tobacco, vape and cannabis shops',
    naics: '4453 453991 459991',
  },
  'Clothing & Jewelry': { means: 'Clothes, shoes, accessories, jewelry', naics: '448 458' },
  'Home & Garden Stores': {
    means: 'Furniture, hardware, appliances, building supplies, nurseries and florists',
    naics: '442 444 449 4531 4593',
  },
  'Health & Beauty Stores': { means: 'Pharmacies, opticians, cosmetics and supplements', naics: '446 456' },
  'Specialty Retail': {
    means: 'Every other shop: gifts, books, toys, sport, phones, used goods, general goods',
    naics: '443 451 452 453 455 459',
  },
  'Online & Direct Sales': {
    means: 'Selling without a shop: online, mail order, door to door',
    naics: '454',
  },
  'Auto Repair': { means: 'Repair, body work, smog tests, detailing, car washes', naics: '8111' },
  'Auto Sales & Parts': {
    means: 'Vehicles, boats, tires and parts; vehicle rental',
    naics: '441 4231 5321',
  },
  'Gas Stations': { means: 'Fuel, with or without a store', naics: '447 457' },
  'Transportation & Delivery': {
    means: 'Trucking, couriers, taxis, towing, parking, storage, shipping',
    naics: '48 49 53113 81293',
  },
  'Beauty & Hair': { means: 'Hair, barbers, nails, skin care, tattoos', naics: '8121' },
  'Spas & Massage': { means: 'Massage, day spas, tanning, weight loss', naics: '81219' },
  'Fitness & Recreation': {
    means: 'Gyms, yoga, dance, martial arts, sport and amusement',
    naics: '713 61162',
  },
  Medical: {
    means: 'Physicians, clinics, eye care, chiropractors, therapists, laboratories',
    naics: '621 622',
  },
  Dental: { means: 'Dentists, orthodontists and dental laboratories', naics: '6212 339116' },
  'Mental Health': {
    means: 'Psychologists, psychiatrists, counselling, addiction care',
    naics: '62133 621112 62142',
  },
  'Senior & Social Care': {
    means: 'Residential care, home care, social services, shelters',
    naics: '623 624 6216',
  },
  Childcare: { means: 'Day care, preschools and family child care', naics: '6244' },
  'Education & Training': { means: 'Schools, tutoring, driving, music and trade lessons', naics: '611' },
  'Pets & Veterinary': {
    means: 'Veterinarians, grooming, boarding, pet shops',
    naics: '54194 81291 45391 45991',
  },
  'Personal Services': {
    means: 'Funeral homes, dating, fortune telling and other personal services',
    naics: '812 8114',
  },
  'Laundry & Tailoring': {
    means: 'Laundromats, dry cleaners, tailors, shoe repair',
    naics: '8123 81143 81149',
  },
  Legal: { means: 'Attorneys, notaries, paralegals', naics: '5411' },
  'Accounting & Tax': { means: 'Accountants, bookkeeping, payroll, tax preparation', naics: '5412' },
  'Real Estate': { means: 'Agents, brokers, property management, developers', naics: '531' },
  Insurance: { means: 'Insurers, agents and brokers', naics: '524' },
  'Banking & Finance': { means: 'Banks, lenders, investment, check cashing, pawn shops', naics: '52' },
  Consulting: { means: 'Management, environmental, scientific and other consulting', naics: '5416 5417 55' },
  'Business Services': {
    means: 'Staffing, security, printing, mailing, offices that serve other businesses',
    naics: '54 561 3231 5322 5323 5324 533',
  },
  'Marketing & Design': {
    means: 'Advertising, public relations, graphic, interior and fashion design, signs',
    naics: '5414 5418 33995',
  },
  'Architecture & Engineering': {
    means: 'Architects, engineers, surveyors, inspectors, testing',
    naics: '5413',
  },
  Technology: { means: 'Software, computers, web, telecommunications', naics: '51 5415 8112' },
  'Construction & Trades': {
    means: 'Builders and trades: electric, plumbing, roofing, painting, heating',
    naics: '23',
  },
  'Home Services': {
    means: 'Handymen, pest control, pools, locksmiths, appliance repair, hauling, moving',
    naics: '5617 562 561622 8113 81141 81142 48421',
  },
  Cleaning: { means: 'House, office, window and carpet cleaning', naics: '56172 56174' },
  Landscaping: { means: 'Gardeners, landscaping, tree care', naics: '56173' },
  'Hotels & Lodging': { means: 'Hotels, motels, bed and breakfasts, rooming houses, camps', naics: '721' },
  'Arts & Entertainment': {
    means: 'Photography, film, music, artists, theaters, museums',
    naics: '711 712 512 54192',
  },
  'Travel & Events': { means: 'Travel agencies, tours, party planning and rental', naics: '5615 56192 487' },
  Manufacturing: { means: 'Making goods: food plants, machine shops, assembly', naics: '31 32 33' },
  Wholesale: { means: 'Selling to other businesses, import and export', naics: '42' },
  'Nonprofits & Community': {
    means: 'Churches, charities, clubs, associations, public bodies',
    naics: '813 92',
  },
  'Farms, Energy & Mining': { means: 'Farming, fishing, oil and gas, mining, utilities', naics: '11 21 22' },
  [UNCATEGORIZED]: { means: 'The filing does not say, and neither does the name', naics: '' },
} as const satisfies Record<string, Definition>;

/** The kind of a business. */
export type Category = keyof typeof DEFINITIONS;

/** Every category, `Uncategorized` last. */
export const CATEGORIES = Object.keys(DEFINITIONS) as Category[];

/** What belongs to a category, and the NAICS prefixes that lead to it. */
export function definitionOf(category: Category): { means: string; naics: string[] } {
  const { means, naics } = DEFINITIONS[category];
  return { means, naics: naics.split(' ').filter((prefix) => prefix !== '') };
}

const PREFIXES = new Map<string, Category>(
  CATEGORIES.flatMap((category) =>
    definitionOf(category).naics.map((prefix): [string, Category] => [prefix, category]),
  ),
);

/**
 * The category of a NAICS code of two to six digits; `undefined` for ranges (`4400-4599`), unknown sectors (`00`, `59`)
 * and anything else that is not a code. The publisher's code may be a number written as text (`722511.0`).
 */
export function naicsCategory(code: string): Category | undefined {
  const digits = /^\s*(\d{2,6})(?:\.0+)?\s*$/.exec(code)?.[1] ?? '';
  for (let length = digits.length; length >= 2; length--) {
    const category = PREFIXES.get(digits.slice(0, length));
    if (category !== undefined) return category;
  }
  return undefined;
}

/** Whether a code is a two-digit sector with several categories (`54`: lawyers, designers, engineers). */
export function isBroadCode(code: string): boolean {
  const digits = /^\s*(\d\d)(?:\.0+)?\s*$/.exec(code)?.[1];
  if (digits === undefined) return false;
  const category = PREFIXES.get(digits);
  return [...PREFIXES].some(([prefix, other]) => prefix.startsWith(digits) && other !== category);
}
