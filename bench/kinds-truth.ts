/**
 * The categories that a licence allows, to measure how well names alone work: one if the licence is specific; several if its text
 * covers several; none (left out, and counted) if it says how something is sold or made, and not what.
 */

import { EXACT as CHICAGO, NO_SHOP as CHICAGO_NO_SHOP, kindOfActivity } from '../cities/chicago/kinds.ts';
import { EXACT as LONG_BEACH } from '../cities/long-beach/kinds.ts';
import type { Category } from '../src/shared/city/categories.ts';

/** A channel, not a trade: anything may be sold wholesale, by mail, used, imported, from a cart or a stall. */
const CHANNEL =
  /^wholesale|^import\/export|^farmers market|mail order|mobile food|food vending|mobile frozen|food processing|manufactur|used merchandise|secondhand|pop-up|promoting|^retail|shared kitchen|auction|consignment|gift basket|swap meet|navy pier|special event/i;

/** Licences whose own words, or the law behind them, cover more than one of our kinds. */
const SEVERAL: [licence: RegExp, kinds: Category[]][] = [
  [/ready to eat foods|food prepared onsite/i, ['Restaurants', 'Cafes & Bakeries']],
  [/handyman/i, ['Home Services', 'Construction & Trades']],
  [
    /barber|beauty|aesthetician|nails|manicure|body wrap|massage|cosmet/i,
    ['Beauty & Hair', 'Spas & Massage'],
  ],
  // a mortgage broker in California holds a real estate broker's licence (Business and Professions Code 10131)
  [/real estate office|real estate agent/i, ['Real Estate', 'Banking & Finance']],
  [/day care\/preschool/i, ['Childcare', 'Education & Training']],
  [/programming\/consulting/i, ['Technology', 'Consulting']],
  [/medical\/dental/i, ['Medical', 'Dental']],
  [/drafting\/graphics/i, ['Marketing & Design', 'Architecture & Engineering']],
  [/jewelry/i, ['Clothing & Jewelry', 'Personal Services']],
  [/gardening\/landscape/i, ['Landscaping', 'Home Services']],
  // landscapers who build hold a contractor's licence in California (class C-27)
  [/contracting - misc/i, ['Construction & Trades', 'Landscaping']],
  // psychiatrists are physicians, and their names say `MD`
  [/psychiatry/i, ['Mental Health', 'Medical']],
  [/parts with installation/i, ['Auto Sales & Parts', 'Auto Repair']],
];

/** Licences too broad for a profile to go by, whose own words cover these kinds and no others. */
const BROAD = new Map<string, Category[]>([
  ['Restaurant & Ready to Eat Foods', ['Restaurants', 'Cafes & Bakeries']],
  // liquor stores hold either, smoke shops the first
  ['Food Retail Store', ['Grocery & Convenience', 'Liquor & Tobacco', 'Cafes & Bakeries']],
  ['Food Retail Store w/ Alcohol', ['Grocery & Convenience', 'Liquor & Tobacco']],
  ['Instructor/Personal Trainer', ['Education & Training', 'Fitness & Recreation']],
]);

export type Truth = { kinds: readonly Category[] } | 'channel' | undefined;

/** What Long Beach's LICCATDESC allows for; `undefined` where our table does not tell. */
export function longBeachTruth(licence: string): Truth {
  return truthOf(licence, LONG_BEACH.get(licence));
}

/** What Chicago's LICENSE DESCRIPTION and BUSINESS ACTIVITY allow for; no shop opens with a valet's permit, whose name it has. */
export function chicagoTruth(description: string, activity: string): Truth {
  if (CHICAGO_NO_SHOP.has(description)) return undefined;
  return truthOf(`${description} ${activity}`, CHICAGO.get(description) ?? kindOfActivity(activity));
}

function truthOf(licence: string, kind: Category | undefined): Truth {
  const broad = BROAD.get(licence.trim());
  if (broad !== undefined) return { kinds: broad };
  if (kind === undefined) return undefined;
  if (CHANNEL.test(licence)) return 'channel';
  const several = SEVERAL.find(([words, kinds]) => words.test(licence) && kinds.includes(kind));
  return { kinds: several?.[1] ?? [kind] };
}
