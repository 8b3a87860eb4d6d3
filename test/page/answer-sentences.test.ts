/** The sentences that answer questions, and what they say of words that they did not use: no more than the register tells. */

import { test } from 'node:test';
import { CITY } from '../service/web/a-door.ts';
import { aRegister, assertPages, BAKERIES, no, times } from './a-page.ts';

const COUNTS = [
  ['Restaurants', 'Naples', 2024, 4],
  ['Restaurants', 'Naples', 2025, 8],
  ['Restaurants', 'Wrigley', 2025, 3],
  ['Restaurants', 'Wrigley', 2026, 2],
  ['Restaurants', 'Belmont', 2024, 1],
  ['Restaurants', 'Harbor', 2024, 1],
  ['Legal', 'Naples', 2024, 2],
  ['Legal', 'Wrigley', 2025, 10],
  ['Dental', 'Unknown', 2022, 1],
  ['Dental', 'Unknown', 2023, 7],
  ['Dental', 'Unknown', 2024, 5],
] as const;
const NAMES: Record<string, string> = { '4 0': 'Yankee Two', '0 1': 'Zorba Grill' };
/** No two numbers of it are equal. */
const REGISTER = aRegister(
  COUNTS.flatMap(([category, neighborhood, year, count], at) =>
    times(count, (i) => ({
      ...{ name: NAMES[`${at} ${i}`] ?? `Shop ${at} ${i}`, category, neighborhood },
      ...{ filedOn: `${year}-02-${10 + i}`, status: i === 0 ? 'closed' : 'open' },
    })),
  ),
);

/** What the page answers, and says beside it. */
const ANSWERS = {
  denied:
    'No results for “denied” We cannot answer “denied” because our listings tell only these statuses: no closing on record and closed. No name, kind or neighborhood matches these words. The business may be registered under another name.   Why a business can be missing',
  'which neighborhoods have the fewest restaurants':
    'Belmont and Harbor have had the fewest, each with 1 restaurant registered',
  'which neighborhood has the second most restaurants': 'Number 2 is Wrigley, with 5 restaurants registered',
  'which neighborhood has the second fewest restaurants':
    'Number 2 from the bottom is Harbor, with 1 restaurant registered Tied with 1 more.',
  'how many neighborhoods have restaurants':
    'Neighborhoods: 4. Naples has had the most: 12 restaurants registered',
  'which neighborhoods have no lawyers':
    'Belmont and Harbor have none of the 12 businesses matching “lawyers” registered',
  'which area has more restaurants than wrigley':
    'Naples has more than Wrigley, which has 5 restaurants registered',
  'which area has fewer restaurants than naples':
    'Belmont, Harbor, and Wrigley have fewer than Naples, which has 12 restaurants registered',
  'which area has more restaurants than naples': 'Naples has had the most: 12 restaurants registered',
  'which area had the fewest new restaurants':
    'Belmont and Harbor have none of the 9 restaurants registered (February 12, 2025 – February 11, 2026) The data ends on February 11, 2026.',
  'how many years': 'Years: 5. 2025 has had the most: 21 businesses registered',
  'which month has the most lawyers':
    'February has had the most: 12 businesses matching “lawyers” registered We count each month in whole years only (2023 – 2025), so that months are comparable.',
  'which neighborhood has the most businesses':
    'Wrigley has had the most: 15 businesses registered Not counted, because their neighborhood is unknown: 13 of 44 businesses.',
  'are there more dentists than restaurants':
    '19 restaurants registered, 6 more than “dentists” Of “dentists”, we count only those that say it in their name or type. The whole kind is 13 dental practices. A difference this small could be chance.',
  'more restaurants than lawyers in naples':
    '12 restaurants registered in Naples, 10 more than “lawyers” Of “lawyers”, we count only those that say it in their name or type. The whole kind is 2 legal practices in Naples.',
  'did fewer restaurants open in 2024 than in 2025':
    'Yes: 6 restaurants registered in 2024, 5 fewer than in 2025 A difference this small could be chance.',
  'lawyers in naples vs wrigley':
    '10 businesses matching “lawyers” registered in Wrigley, 8 more than in Naples',
  '2025 vs 2024':
    '21 businesses registered in 2025, 8 more than in 2024 A difference this small could be chance.',
  'how many restaurants in 2025':
    '11 restaurants registered in 2025 That is 5 more than in 2024 (6). A difference this small could be chance. Marked as closed: 2 of 11.',
  'how many dentists in 2024':
    '5 businesses matching “dentists” registered in 2024 Our listings begin in February 2022, so businesses from before then may be counted as new in its first year. Marked as closed: 1 of 5.',
  'how many restaurants in 2026':
    '2 restaurants registered in 2026, to February 11 That is 2 fewer than in the same period of 2025 (4). A difference this small could be chance. Marked as closed: 1 of 2.',
  'restaurants in belmont vs harbor': '1 restaurant registered in Belmont, as many as in Harbor',
  'restaurants that closed in 2024':
    'Restaurants in Rivermouth: 6 of 19 are marked closed We ignored “2024” because listings say when a business registered, not when it closed. The dates show when a business registered, not when it closed.',
  'restaurants that are open in naples':
    '10 restaurants in Naples: no closing on record The register has no opening hours and does not say what is open now.',
  'zeppelins in naples': 'No listing says “zeppelins”. These are all 14 businesses in Naples.',
  'zeppelins 2025':
    'No listing says “zeppelins”. These are all 21 businesses in 2025. Marked as closed: 3 of 21.',
  'how many zeppelins in naples': 'No listing says “zeppelins”. These are all 14 businesses in Naples.',
  'restaurants zyzzyva':
    '19 restaurants No listing has “zyzzyva” in its name, kind or neighborhood, so we searched without it. Marked as closed: 6 of 19.',
  'restaurants in 90801':
    '19 restaurants We ignored “90801” because the listings have no ZIP codes. Choose a neighborhood instead. Marked as closed: 6 of 19.',
  'restaurants in Springfield':
    '19 restaurants No neighborhood of Rivermouth is named “Springfield”, and this register covers only Rivermouth. Marked as closed: 6 of 19.',
  'airbnb restaurants':
    '19 restaurants We ignored “airbnb” because it matches no business: a home that is rented out does not count as a new business. Marked as closed: 6 of 19.',
  'which day had the most restaurants':
    '19 restaurants registered We cannot answer “which day” because a listing has only a name, a kind, a neighborhood, a status and the day it was registered. Marked as closed: 6 of 19.',
  'restaurants not mall':
    '19 restaurants We left out nothing for “not mall”: none of these businesses says it in its name or kind, and our listings say no more, though the register may. Marked as closed: 6 of 19.',
  'restaurants at 12 quay st':
    '19 restaurants We ignored “12 quay st” because the listings have no addresses or phone numbers, only neighborhoods. Marked as closed: 6 of 19.',
  'busiest street for restaurants':
    'Naples has had the most: 12 restaurants registered We ignored “busiest street” because the listings have no addresses or phone numbers, only neighborhoods.',
  'restaurants like zorba but cheaper':
    '19 restaurants registered We cannot answer “like zorba, cheaper” because a listing has only a name, a kind, a neighborhood, a status and the day it was registered. Marked as closed: 6 of 19.',
  'is zorba older than yankee':
    'No: Yankee Two, registered February 10, 2024, came before Zorba Grill, registered February 11, 2024 These are the earliest filings for “zorba” and “yankee” in our listings, which begin in February 2022. A business may have opened before it registered.',
  'which opened first, zorba or xyzzy':
    'No business here matches “xyzzy”. The earliest of the other: Zorba Grill, registered February 11, 2024 These are the earliest filings for “zorba” in our listings, which begin in February 2022. A business may have opened before it registered.',
};

test('the answer to a question has the right numbers and names, and says what was not used', () =>
  assertPages(REGISTER, ANSWERS));

test('the page says which words are left out, and by which other words or kind it found listings', async () => {
  await assertPages(BAKERIES, {
    'bakery without dough': /\d business(?:es)? matching “bakery” without “dough”/,
    'bakery not in naples': /aria-label="Remove not Naples"/,
    'shoe repair':
      /No results for “shoe repair”<.*category=Laundry%20%26%20Tailoring"[^>]*>1 laundry or tailor</s,
  });
  await assertPages(aRegister([{ name: 'Corner Cafe', category: 'Cafes & Bakeries' }]), {
    coffee: /1 business matching “coffee”<.*“coffee” also finds names with cafe\./s,
  });
});

test('the page leads to all of a type with other trades, and says what a ranking and a comparison leave out', async () => {
  const rows = [
    ...times(20, { category: 'Beauty & Hair', type: 'barber beauty booth' }),
    { name: 'Ann Barber', category: 'Beauty & Hair', neighborhood: 'Naples' },
    { category: 'Uncategorized' },
  ];
  await assertPages(aRegister(rows), {
    barbers:
      /We count businesses with “barbers” in their name\. <a href="\/\?q=%22barber%20beauty%20booth%22" rel="nofollow">See all “barber beauty booth”</,
    'most common kind': /Not counted, because their kind is unknown: 1 of 22 businesses/,
    'barbers vs grommet makers': /None for “grommet makers”: no name or kind here says it/,
  });
  // under 1 % change nothing
  await assertPages(aRegister([...rows, ...times(99)]), { 'most common kind': no(/kind is unknown/) });
});

test('an expired license or a name given up is no closing, as yes or no or in a comparison', async () => {
  const answer = /<h1[^>]*>Alder 3, registered [^:<]+: [a-z ]+ \(as filed\)\.<.*may have closed/s;
  for (const status of ['expired', 'abandoned'] as const) {
    const statuses = ['open', 'closed', 'closed', status] as const;
    await assertPages(aRegister(statuses.map((one, i) => ({ name: `Alder ${i}`, status: one }))), {
      'is alder 3 closed': answer,
      'is alder 3 still open': answer,
      'are more businesses closed than open': [
        no(/>(?:Yes|No):/),
        ...(status === 'expired' ? [/Neither number has the 1 with the status “license expired”\./] : []),
      ],
    });
  }
});

test('most listings of two sides that are the same ones are counted on both, which the answer says', async () => {
  await assertPages(aRegister([{ name: 'Hotel Motel' }, { name: 'Motel Hotel' }, { name: 'Grand Hotel' }]), {
    'hotel vs motel': /Counted on both sides: 2\./,
  });
  await assertPages(aRegister([{ name: 'Old Hotel' }, { name: 'Old Motel' }]), {
    'hotel vs motel': no(/Counted on both/),
  });
});

test('the largest of many differences is more often made by chance than one alone', () => {
  const filed = (year: number) => times(20, (i) => ({ neighborhood: `Ward ${i}`, filedOn: `${year}-03-01` }));
  const more = times(5, { neighborhood: 'Lincoln Park', filedOn: '2025-03-01' });
  return assertPages(aRegister([...filed(2024), ...filed(2025), ...more]), {
    'fastest growing neighborhood':
      />Nothing clearly grew: Lincoln Park rose most, from 0 to 5 registrations</,
  });
});

test('the data of an archive ends on one day on all pages, though a few filings are later', () => {
  const rows = times(200, (i) => ({ filedOn: `2025-0${1 + (i % 3)}-${10 + (i % 18)}` }));
  const ends = [/data (?:(?:up )?to|stops on) March\s27, 2025/, no(/June\s1, 2025/)];
  const archive = { ...aRegister([...rows, { filedOn: '2025-06-01' }]), city: { ...CITY, archive: true } };
  return assertPages(archive, { '/': ends, '/about': ends });
});

const UNCHECKED =
  /register covers all of Oregon.*businesses of one town.*has not yet compared the listings with the register/;

test('the page calls a pack unchecked until its operator has checked it', async () => {
  for (const [words, said] of [
    [{ pack: 'Oregon' }, UNCHECKED],
    [{ pack: 'Oregon', checked: 'live' }, no(UNCHECKED)],
    [{}, no(UNCHECKED)],
  ] as const)
    await assertPages({ city: { ...CITY, sources: [{ ...CITY.sources[0]!, ...words }] } }, { '/': said });
});
