/** Each word of `city.yaml` with both outcomes: what it changes, and what it leaves. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOf } from '../../../src/register/profile/key-of.ts';
import { aMappedSource, judged, outcomeOf } from './a-mapping.ts';

type Lines = Record<string, string>;
type Cells = Record<string, string>;
/** Lines of the register, cells of the row, and what becomes of it: the facts that matter, or the reason. */
type Case = [what: string, lines: Lines, cells: Cells, wanted: string | Record<string, unknown>];

const filed = (how: string) => ({ filed: `{ column: Day, format: ${how} }` });
const ENDED = { ended: '{ column: End, format: YYYY-MM-DD }' };
const EXPIRES = { expires: '{ column: End, format: YYYY-MM-DD }' };
const STATUS = { status: '{ column: State, open: [ACTIVE], closed: [Gone, ""], never: [Pending] }' };
const RENEWALS = { renewals: '{ column: Why, values: [RENEWAL] }' };
const OPENS = { opens: '{ column: Why, values: [ISSUE] }' };
const TOWN = { town: '{ column: City, keep: [Otterfall] }' };
const INSIDE = { inside: '{ column: In, values: [Y] }' };
const STALLS = { skip: '[{ column: Type, values: [Stall], because: special event }]' };
const NO_TYPE = { skip: '[{ column: Type, values: [N/A], because: no type }]' };
const DISTRICT = { neighborhood: '{ column: Area, prefix: "District " }' };
const POINT = { longitude: '-122.5', latitude: '45.1' };
const X_AND_Y = { X: '-122.5', Y: '45.1' };
const PERSON = { person: '{ column: Form, values: [Individual] }' };
const TRADE = { name: 'Trade' };
const OWNER = { ...TRADE, owner: 'Owner' };
const AGENTS = { ...TRADE, namesLikePeople: '{ column: Type, values: [Agent] }' };
const CERTAIN = { ...TRADE, namesLikePeople: 'certain' };
const ODILE = 'ODILE FENWRIGHT';
const HAZEL = { Trade: 'Hazel Ternwood', Owner: 'Fenwright, Odile' };
const OPENING = { kind: 'opening', key: '7', name: 'Blue Heron', status: 'open', filedOn: '2026-03-02' };
const RENEWAL = { kind: 'update', key: '7', termOn: '2026-03-02', name: undefined };
const ZIP = { neighborhood: '{ postalCode: Zip }' };
const ODILES = { Trade: 'Fenwright O', Legal: 'Odile Fenwright' };
const PERSONAL = 'skip: personal name';

const CASES: Case[] = [
  ['an opening', {}, {}, OPENING],
  ['name: the first that is not empty', {}, { Trade: 'n/a' }, { name: 'Heron Foods LLC' }],
  ['name: none', {}, { Trade: '***', Legal: '-' }, 'skip: no name'],
  ['missing: its own text', { missing: '[see file]' }, { Trade: 'SEE FILE' }, { name: 'Heron Foods LLC' }],
  ['key: several columns', { key: '[No, Site]' }, { Site: '2' }, { key: '7-2' }],
  ['key: a part is empty', { key: '[No, Site]' }, { Site: 'NULL' }, { key: '' }],
  ['key: with the name', { key: '{ nameAnd: [S] }' }, { S: '2 Elm' }, { key: keyOf('Blue Heron', '2 Elm') }],
  ['key: the name alone', { key: '{ nameAnd: [] }' }, {}, { key: keyOf('Blue Heron') }],
  ['filed: empty', {}, { Day: '' }, 'skip: no filing date'],
  ['filed: unreadable', {}, { Day: '2/30/2026' }, 'reject: unreadable filing date'],
  ['filed: swapped, and no day', {}, { Day: '30/2/2026' }, 'reject: unreadable filing date'],
  ['filed: swapped', {}, { Day: '28/2/2026' }, 'reject: filing date with day and month swapped'],
  ...['1987-01-01', '1/1/1987'].map((day): Case => {
    const lines = filed(`M/D/YYYY, unknown: [${day}]`);
    return [`filed: not known, as ${day}`, lines, { Day: '01/01/1987' }, 'skip: filing date not known'];
  }),
  ['filed: a second format', filed('[YYYY-MM-DD, M/D/YYYY]'), {}, { filedOn: '2026-03-02' }],
  ['filed: a pivot', filed('M/D/YY, pivot: 2029'), { Day: '3/2/31' }, { filedOn: '1931-03-02' }],
  ['filed: local', filed('instant'), { Day: '2026-03-02T03:30:00Z' }, { filedOn: '2026-03-01' }],
  ['ended: passed', ENDED, { End: '2026-09-30' }, { status: 'closed' }],
  ['ended: to come', ENDED, { End: '2026-10-01' }, { status: 'open' }],
  ['expires', EXPIRES, { End: '2027-01-01' }, { expiresOn: '2027-01-01' }],
  ['expires: empty', EXPIRES, { End: '-' }, { expiresOn: undefined }],
  ['status: a word, in any case', STATUS, { State: 'active' }, { status: 'open' }],
  ['status: an empty cell that means something', STATUS, { State: 'N/A' }, { status: 'closed' }],
  ['status: another word', STATUS, { State: 'Frozen' }, { status: 'unknown' }],
  ['status: a name of JavaScript', STATUS, { State: 'constructor' }, { status: 'unknown' }],
  ['status: never opened', STATUS, { State: 'PENDING' }, 'skip: never opened: Pending, filed 2026-03-02'],
  ['renewals: one', RENEWALS, { Why: 'Renewal' }, RENEWAL],
  ['renewals: none', RENEWALS, { Why: 'NEW' }, { kind: 'opening' }],
  [
    'renewals: an ended business',
    { ...ENDED, ...STATUS, ...RENEWALS },
    { Why: 'RENEWAL', State: 'x', End: '2026-01-01' },
    { kind: 'update', status: 'closed' },
  ],
  [
    'renewals: a word that is not listed leaves the status',
    { ...STATUS, ...RENEWALS },
    { Why: 'RENEWAL', State: 'x' },
    { kind: 'update', status: undefined },
  ],
  ['opens: a row that says so', OPENS, { Why: 'Issue' }, { kind: 'opening' }],
  ['opens: another word', OPENS, { Why: 'toString' }, 'reject: unknown Why'],
  ['town: in', TOWN, { City: 'OTTERFALL, OR 97003' }, { kind: 'opening' }],
  ['town: empty', TOWN, { City: '' }, { kind: 'opening' }],
  ['town: out', TOWN, { City: 'Northbank' }, 'skip: outside the city'],
  ['inside: in', INSIDE, { In: 'y' }, { kind: 'opening' }],
  ['inside: out', INSIDE, { In: '__proto__' }, 'skip: outside the city'],
  ['skip', STALLS, { Type: 'STALL' }, 'skip: special event'],
  ['skip: another value', STALLS, { Type: 'Shop' }, { kind: 'opening' }],
  ...['', 'None', 'n/a'].map((Type): Case => [`skip: empty "${Type}"`, NO_TYPE, { Type }, 'skip: no type']),
  ['neighborhood: text', { neighborhood: 'Area' }, { Area: 'FERRY HILL' }, { neighborhood: 'Ferry Hill' }],
  ['neighborhood: a number', DISTRICT, { Area: '04' }, { neighborhood: 'District 4' }],
  ['neighborhood: no number', DISTRICT, { Area: 'NA' }, { neighborhood: '' }],
  ['neighborhood: a ZIP area', ZIP, { Zip: '97003-1234' }, { neighborhood: 'ZIP 97003' }],
  [
    'address, postal code and town',
    { address: '[House, Street]', postalCode: 'Zip', ...TOWN },
    { House: '12', Street: 'Ferry St', Zip: '97003', City: 'Otterfall' },
    { address: '12 Ferry St', zip: '97003', town: 'Otterfall' },
  ],
  ['point: two columns', { point: '{ longitude: X, latitude: Y }' }, X_AND_Y, { point: POINT }],
  ['point: one column', { point: '{ column: Where }' }, { Where: 'POINT (-122.5 45.1)' }, { point: POINT }],
  ...['722511', '722511 Full-Service Restaurants'].map((Code): Case => {
    return [`NAICS ${Code}`, { category: '{ naics: Code }' }, { Code }, { category: 'Restaurants' }];
  }),
  ['official text', { category: '{ text: Type }' }, { Type: 'Beauty salon' }, { category: 'Beauty & Hair' }],
  ['category: the name', {}, { Trade: 'HERON BAKERY' }, { category: 'Cafes & Bakeries' }],
  ['person: no trade name', PERSON, { Form: 'Individual', Trade: '', Legal: 'Fenwright' }, PERSONAL],
  ['person: a trade name that is the owner’s', PERSON, { Form: 'INDIVIDUAL', ...ODILES }, PERSONAL],
  ['person: with a trade name', PERSON, { Form: 'Individual', Legal: ODILE }, { name: 'Blue Heron' }],
  [
    'person: a company is none, whatever its name looks like',
    PERSON,
    { Form: 'Corporation', Trade: '', Legal: ODILE },
    { name: 'Odile Fenwright' },
  ],
  ['owner: the same name', OWNER, { Trade: 'Odile F. Fenwright', Owner: 'Fenwright, Odile' }, PERSONAL],
  ['owner: a name that only looks like a person’s is another’s', OWNER, HAZEL, { name: 'Hazel Ternwood' }],
  [
    'owner: in two columns',
    { ...TRADE, owner: '[First, Last]' },
    { Trade: ODILE, First: 'Odile', Last: 'Fenwright' },
    PERSONAL,
  ],
  ['owner: an empty cell tells nothing', OWNER, { Trade: ODILE, Owner: '' }, PERSONAL],
  ['names like people: skipped', TRADE, { Trade: ODILE }, PERSONAL],
  ['people: kept', { ...TRADE, namesLikePeople: 'keep' }, { Trade: ODILE }, { name: 'Odile Fenwright' }],
  ['names like people: under a value', AGENTS, { Trade: ODILE, Type: 'Agent' }, PERSONAL],
  ['names like people: not this value', AGENTS, { Trade: ODILE, Type: 'Shop' }, { name: 'Odile Fenwright' }],
  ['names like people: certain, and it is', CERTAIN, { Trade: ODILE }, PERSONAL],
  ['names like people: not certain', CERTAIN, { Trade: 'BRISCO FENWRIGHT' }, { name: 'Brisco Fenwright' }],
  ['names like people: skipped, though not certain', TRADE, { Trade: 'BRISCO FENWRIGHT' }, PERSONAL],
  ['names without word lists stay', TRADE, { Trade: 'Пекарня Солнце' }, { name: 'Пекарня Солнце' }],
  ['a legal name that stands in for a trade name', {}, { Trade: '', Legal: ODILE }, PERSONAL],
];

for (const [what, lines, cells, wanted] of CASES)
  test(what, () => {
    const outcome = outcomeOf(judged(aMappedSource(lines), cells));
    const found =
      typeof wanted === 'string'
        ? outcome
        : Object.fromEntries(Object.keys(wanted).map((fact) => [fact, (outcome as Lines)[fact]]));
    assert.deepEqual(found, wanted, JSON.stringify(outcome));
  });
