/** Each word of `city.yaml` with both outcomes: what it changes, and what it leaves. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOf } from '../../../src/register/profile/key-of.ts';
import { aMappedSource, judged, outcomeOf } from './a-mapping.ts';

type Lines = Record<string, string>;
type Cells = Record<string, string>;
/** Lines of the register, cells of the row, and what becomes of it: the facts that matter, or the reason. */
type Case = [what: string, lines: Lines, cells: Cells, wanted: string | Record<string, unknown>];

const STATUS = { status: '{ column: State, open: [ACTIVE], closed: [Gone, ""], never: [Pending] }' };
const PERSON = { person: '{ column: Form, values: [Individual] }' };
const OWNER = { name: 'Trade', owner: 'Owner' };
const ODILE = 'ODILE FENWRIGHT';

const CASES: Case[] = [
  [
    'an opening',
    {},
    {},
    { kind: 'opening', key: '7', name: 'Blue Heron', status: 'open', filedOn: '2026-03-02' },
  ],
  ['name: the first that is not empty', {}, { Trade: 'n/a' }, { name: 'Heron Foods LLC' }],
  ['name: none', {}, { Trade: '***', Legal: '-' }, 'skip: no name'],
  [
    'missing: a text of its own',
    { missing: '[see file]' },
    { Trade: 'SEE FILE' },
    { name: 'Heron Foods LLC' },
  ],
  ['key: several columns', { key: '[No, Site]' }, { Site: '2' }, { key: '7-2' }],
  ['key: a part is empty', { key: '[No, Site]' }, { Site: 'NULL' }, { key: '' }],
  [
    'key: the name and a column',
    { key: '{ nameAnd: [Site] }' },
    { Site: '2 Elm' },
    { key: keyOf('Blue Heron', '2 Elm') },
  ],
  ['key: the name alone', { key: '{ nameAnd: [] }' }, {}, { key: keyOf('Blue Heron') }],
  ['filed: empty', {}, { Day: '' }, 'skip: no filing date'],
  ['filed: unreadable', {}, { Day: '2/30/2026' }, 'reject: unreadable filing date'],
  ['filed: swapped', {}, { Day: '30/2/2026' }, 'reject: unreadable filing date'],
  ['filed: swapped', {}, { Day: '28/2/2026' }, 'reject: filing date with day and month swapped'],
  [
    'filed: not known',
    { filed: '{ column: Day, format: M/D/YYYY, unknown: [1987-01-01] }' },
    { Day: '1/1/1987' },
    'skip: filing date not known',
  ],
  [
    'filed: not known, as in the file',
    { filed: '{ column: Day, format: M/D/YYYY, unknown: [1/1/1987] }' },
    { Day: '01/01/1987' },
    'skip: filing date not known',
  ],
  [
    'filed: a second format',
    { filed: '{ column: Day, format: [YYYY-MM-DD, M/D/YYYY] }' },
    {},
    { filedOn: '2026-03-02' },
  ],
  [
    'filed: a pivot',
    { filed: '{ column: Day, format: M/D/YY, pivot: 2029 }' },
    { Day: '3/2/31' },
    { filedOn: '1931-03-02' },
  ],
  [
    'filed: a moment is the day in the city',
    { filed: '{ column: Day, format: instant }' },
    { Day: '2026-03-02T03:30:00Z' },
    { filedOn: '2026-03-01' },
  ],
  [
    'ended: passed',
    { ended: '{ column: End, format: YYYY-MM-DD }' },
    { End: '2026-09-30' },
    { status: 'closed' },
  ],
  [
    'ended: to come',
    { ended: '{ column: End, format: YYYY-MM-DD }' },
    { End: '2026-10-01' },
    { status: 'open' },
  ],
  [
    'expires',
    { expires: '{ column: End, format: YYYY-MM-DD }' },
    { End: '2027-01-01' },
    { expiresOn: '2027-01-01' },
  ],
  [
    'expires: empty',
    { expires: '{ column: End, format: YYYY-MM-DD }' },
    { End: '-' },
    { expiresOn: undefined },
  ],
  ['status: a word, in any case', STATUS, { State: 'active' }, { status: 'open' }],
  ['status: an empty cell that means something', STATUS, { State: 'N/A' }, { status: 'closed' }],
  ['status: another word', STATUS, { State: 'Frozen' }, { status: 'unknown' }],
  ['status: a name of JavaScript', STATUS, { State: 'constructor' }, { status: 'unknown' }],
  ['status: never opened', STATUS, { State: 'PENDING' }, 'skip: never opened: Pending, filed 2026-03-02'],
  [
    'renewals: one',
    { renewals: '{ column: Why, values: [RENEWAL] }' },
    { Why: 'Renewal' },
    { kind: 'update', key: '7', termOn: '2026-03-02', name: undefined },
  ],
  ['renewals: none', { renewals: '{ column: Why, values: [RENEWAL] }' }, { Why: 'NEW' }, { kind: 'opening' }],
  [
    'renewals: an ended business',
    {
      ended: '{ column: End, format: YYYY-MM-DD }',
      ...STATUS,
      renewals: '{ column: Why, values: [RENEWAL] }',
    },
    { Why: 'RENEWAL', State: 'x', End: '2026-01-01' },
    { kind: 'update', status: 'closed' },
  ],
  [
    'renewals: a word that is not listed leaves the status',
    { ...STATUS, renewals: '{ column: Why, values: [RENEWAL] }' },
    { Why: 'RENEWAL', State: 'x' },
    { kind: 'update', status: undefined },
  ],
  [
    'opens: a row that says so',
    { opens: '{ column: Why, values: [ISSUE] }' },
    { Why: 'Issue' },
    { kind: 'opening' },
  ],
  [
    'opens: another word',
    { opens: '{ column: Why, values: [ISSUE] }' },
    { Why: 'toString' },
    'reject: unknown Why',
  ],
  [
    'town: in',
    { town: '{ column: City, keep: [Otterfall] }' },
    { City: 'OTTERFALL, OR 97003' },
    { kind: 'opening' },
  ],
  ['town: empty', { town: '{ column: City, keep: [Otterfall] }' }, { City: '' }, { kind: 'opening' }],
  [
    'town: out',
    { town: '{ column: City, keep: [Otterfall] }' },
    { City: 'Northbank' },
    'skip: outside the city',
  ],
  ['inside: in', { inside: '{ column: In, values: [Y] }' }, { In: 'y' }, { kind: 'opening' }],
  ['inside: out', { inside: '{ column: In, values: [Y] }' }, { In: '__proto__' }, 'skip: outside the city'],
  [
    'skip',
    { skip: '[{ column: Type, values: [Stall], because: special event }]' },
    { Type: 'STALL' },
    'skip: special event',
  ],
  ...['', 'None', 'n/a'].map((Type): (typeof CASES)[number] => [
    `skip: an empty cell, as "${Type}"`,
    { skip: '[{ column: Type, values: [N/A], because: no type }]' },
    { Type },
    'skip: no type',
  ]),
  [
    'skip: another value',
    { skip: '[{ column: Type, values: [Stall], because: special event }]' },
    { Type: 'Shop' },
    { kind: 'opening' },
  ],
  [
    'neighborhood: a column',
    { neighborhood: 'Area' },
    { Area: 'FERRY HILL' },
    { neighborhood: 'Ferry Hill' },
  ],
  [
    'neighborhood: a number',
    { neighborhood: '{ column: Area, prefix: "District " }' },
    { Area: '04' },
    { neighborhood: 'District 4' },
  ],
  [
    'neighborhood: no number',
    { neighborhood: '{ column: Area, prefix: "District " }' },
    { Area: 'NA' },
    { neighborhood: '' },
  ],
  [
    'neighborhood: a ZIP area',
    { neighborhood: '{ postalCode: Zip }' },
    { Zip: '97003-1234' },
    { neighborhood: 'ZIP 97003' },
  ],
  [
    'address, postal code and town',
    { address: '[House, Street]', postalCode: 'Zip', town: '{ column: City, keep: [Otterfall] }' },
    { House: '12', Street: 'Ferry St', Zip: '97003', City: 'Otterfall' },
    { address: '12 Ferry St', zip: '97003', town: 'Otterfall' },
  ],
  [
    'point: two columns',
    { point: '{ longitude: X, latitude: Y }' },
    { X: '-122.5', Y: '45.1' },
    { point: { longitude: '-122.5', latitude: '45.1' } },
  ],
  [
    'point: one column',
    { point: '{ column: Where }' },
    { Where: 'POINT (-122.5 45.1)' },
    { point: { longitude: '-122.5', latitude: '45.1' } },
  ],
  [
    'category: a NAICS code',
    { category: '{ naics: Code }' },
    { Code: '722511' },
    { category: 'Restaurants' },
  ],
  [
    'category: a NAICS code with its title',
    { category: '{ naics: Code }' },
    { Code: '722511 Full-Service Restaurants' },
    { category: 'Restaurants' },
  ],
  [
    'category: an official text',
    { category: '{ text: Type }' },
    { Type: 'Beauty salon' },
    { category: 'Beauty & Hair' },
  ],
  ['category: the name', {}, { Trade: 'HERON BAKERY' }, { category: 'Cafes & Bakeries' }],
  [
    'person: without a trade name',
    PERSON,
    { Form: 'Individual', Trade: '', Legal: 'Fenwright' },
    'skip: personal name',
  ],
  [
    'person: a trade name that is the owner’s',
    PERSON,
    { Form: 'INDIVIDUAL', Trade: 'Fenwright O', Legal: 'Odile Fenwright' },
    'skip: personal name',
  ],
  [
    'person: with a trade name of its own',
    PERSON,
    { Form: 'Individual', Legal: ODILE },
    { name: 'Blue Heron' },
  ],
  [
    'person: a company is none, whatever its name looks like',
    PERSON,
    { Form: 'Corporation', Trade: '', Legal: ODILE },
    { name: 'Odile Fenwright' },
  ],
  [
    'owner: the name is the owner’s',
    OWNER,
    { Trade: 'Odile F. Fenwright', Owner: 'Fenwright, Odile' },
    'skip: personal name',
  ],
  [
    'owner: a name that only looks like a person’s is another’s',
    OWNER,
    { Trade: 'Hazel Ternwood', Owner: 'Fenwright, Odile' },
    { name: 'Hazel Ternwood' },
  ],
  [
    'owner: in two columns',
    { name: 'Trade', owner: '[First, Last]' },
    { Trade: ODILE, First: 'Odile', Last: 'Fenwright' },
    'skip: personal name',
  ],
  ['owner: an empty cell tells nothing', OWNER, { Trade: ODILE, Owner: '' }, 'skip: personal name'],
  ['names like people: skipped', { name: 'Trade' }, { Trade: ODILE }, 'skip: personal name'],
  [
    'names like people: kept',
    { name: 'Trade', namesLikePeople: 'keep' },
    { Trade: ODILE },
    { name: 'Odile Fenwright' },
  ],
  [
    'names like people: under a value',
    { name: 'Trade', namesLikePeople: '{ column: Type, values: [Agent] }' },
    { Trade: ODILE, Type: 'Agent' },
    'skip: personal name',
  ],
  [
    'names like people: under another value',
    { name: 'Trade', namesLikePeople: '{ column: Type, values: [Agent] }' },
    { Trade: ODILE, Type: 'Shop' },
    { name: 'Odile Fenwright' },
  ],
  [
    'names like people: certain, and it is',
    { name: 'Trade', namesLikePeople: 'certain' },
    { Trade: ODILE },
    'skip: personal name',
  ],
  [
    'names like people: certain, and it is not',
    { name: 'Trade', namesLikePeople: 'certain' },
    { Trade: 'BRISCO FENWRIGHT' },
    { name: 'Brisco Fenwright' },
  ],
  [
    'names like people: skipped, though not certain',
    { name: 'Trade' },
    { Trade: 'BRISCO FENWRIGHT' },
    'skip: personal name',
  ],
  [
    'names like people: in a script without word lists the name stays',
    { name: 'Trade' },
    { Trade: 'Пекарня Солнце' },
    { name: 'Пекарня Солнце' },
  ],
  ['a legal name that stands in for a trade name', {}, { Trade: '', Legal: ODILE }, 'skip: personal name'],
];

for (const [what, lines, cells, wanted] of CASES)
  test(what, () => {
    const outcome = outcomeOf(judged(aMappedSource(lines), cells));
    if (typeof wanted === 'string') assert.equal(outcome, wanted);
    else
      for (const [fact, value] of Object.entries(wanted))
        assert.deepEqual(
          (outcome as Record<string, unknown>)[fact],
          value,
          `${fact} of ${JSON.stringify(outcome)}`,
        );
  });
