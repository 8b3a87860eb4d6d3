/** Which names are only a person's. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { openAdvice } from '../../../src/app/cli/check/advice.ts';
import { formatDryRun } from '../../../src/app/cli/check/dry-run-report.ts';
import { dryRunCity } from '../../../src/app/operations/dry-run-city.ts';
import { isOwnersName, looksPersonal, namesOnlyOwner } from '../../../src/register/profile/city.ts';
import { hasCompanyForm } from '../../../src/register/profile/people/company-forms.ts';
import { cutOwner } from '../../../src/register/profile/people/owners.ts';
import { namesPrivateTrust } from '../../../src/register/profile/people/private-trusts.ts';
import { aCity, csvText } from '../../a-city.ts';
import { realData } from '../../real-data.ts';

/** A test for each text of which something is so, and for each of which it is not. */
function testEach(what: string, is: (...parts: [string, string]) => boolean, yes: string, no: string) {
  const textsOf = (list: string) => list.split(/ *[;\n] */);
  for (const text of [...textsOf(yes), ...textsOf(no)]) {
    const [name = '', owner = ''] = text.split(' = ');
    const isSo = textsOf(yes).includes(text);
    test(`${what}, ${isSo ? 'yes' : 'no'}: ${text}`, () => assert.equal(is(name, owner), isSo));
  }
}

testEach(
  'only a person’s name',
  (name) => looksPersonal(name),
  `ODILE F FENWRIGHT; Fenwright, Odile; OSRIC & ODILE FENWRIGHT; Fenwright, Osrik - Fenwright, Odile
    María y José Ternwood; NGUYEN THI LAN; Ali bin Fenwright; Fenwright Folle, María
    João da Silva Fenwright e outros; A J TERNWOOD MD; Siobhan O'Tern; JEAN-LUC DE LA TERNE
    ODILE T HOUSE JR; Fenwright, Osrik & Odrusk; HAZEL & OSRIK; Fenwright Osrik & Odrusk
    O. FENWRIGHT & B. TERNWOOD`,
  `Copper Pot, The; Nail, Hair & Spa; Fenwright, Inc.; Santa Maria; Church, First; FENWRIGHT PLUMBING
    ODILE FENWRIGHT LLC; ODILE'S; FENWRIGHT & ASSOCIATES; LA PALOMA; KFC; A & S; FENWRIGHT 24; The Fenwright
    FENWRIGHT.COM; ; Fenwright & Ternwood; Fenwright, Ternwood, Hull & Tern; FENWRIGHT TERNWOOD HULL & TERN
    Fenwright Child Care; FENWRIGHT BOTANICALS; Ternwood Rheumatology; Odile Fenwright / Copper Pot Cafe`,
);

/** A shop, a person, the person's name in another order or spelling, and a company that owns itself. */
const SCRIPTS: [script: string, shop: string, person: string, owner: string, company: string][] = [
  ['Arabic', 'مخبز النور', 'ليلى الترن', 'الترن، ليلى', 'شركة النور'],
  ['Armenian', 'Արև Հացատուն', 'Անի Տերնյան', 'Տերնյան, Անի', ''],
  ['Chinese', '阳光 面包店', '滕 小明', '滕小明', '阳光食品有限公司'],
  ['Cyrillic', 'Пекарня Солнце', 'Ольга Тернова', 'Тернова, Ольга Петровна', 'ООО Пекарня Солнце'],
  ['Devanagari', 'सूर्य बेकरी', 'मीना टर्नकर', 'टर्नकर, मीना', ''],
  ['Greek', 'Αρτοποιείο Ήλιος', 'Ελένη Τέρνου', 'Τέρνου, Ελένη', 'Ήλιος Α.Ε.'],
  ['Hebrew', 'מאפיית השמש', 'מיכל טרן', 'טרן, מיכל', 'מאפיית השמש בע"מ'],
  ['Japanese', 'ひまわり パン', '寺野 さくら', '寺野さくら', 'ひまわり株式会社'],
  ['Korean', '햇살 베이커리', '테른 소라', '테른소라', '주식회사 햇살'],
  ['Thai', 'ร้านกาแฟ ตะวัน', 'มาลี เทิร์น', 'เทิร์น, มาลี', 'บริษัท ตะวัน'],
];

for (const [script, shop, person, owner, company] of SCRIPTS)
  test(`in ${script} script, a name is a person’s only if it matches the owner’s`, () => {
    for (const name of [shop, person, `${person} MD`])
      for (const isStrict of [false, true]) assert.equal(looksPersonal(name, { isStrict }), false, name);
    for (const owners of [[owner], [person], ['', owner], [company, '', owner], [shop, owner]])
      for (const order of [owners, owners.toReversed()])
        assert.equal(namesOnlyOwner(person, ...order), true, order.join('; '));
    assert.equal(namesOnlyOwner(shop, owner), false);
    assert.equal(namesOnlyOwner(`${shop} ${person}`, owner), false);
    if (company !== '') assert.equal(namesOnlyOwner(company, company), false);
  });

test('a name is a person’s if it is the name of one of the owners', () => {
  for (const name of ['Odile Fenwright', 'Hazel Ternwood'])
    assert.equal(namesOnlyOwner(name, 'Heron LLC', 'Fenwright, Odile', 'Ternwood, Hazel'), true, name);
});

for (const [name, trade] of [
  ['Odile Fenwright DBA Copper Pot', 'Copper Pot'],
  ['ODILE FENWRIGHT D/B/A COPPER POT', 'COPPER POT'],
  ['Odile Fenwright t/a Copper Pot', 'Copper Pot'],
  ['Maria Lopez aka Maria Garcia', 'Maria Garcia'],
  ['Copper Pot Cafe / Odile Fenwright', 'Copper Pot Cafe'],
  ['Copper Pot Cafe DBA Odile Fenwright', 'Copper Pot Cafe'],
  ['Fenwright LLC DBA Copper Pot', 'Fenwright LLC DBA Copper Pot'],
  ['Copper Pot / Tin Kettle', 'Copper Pot / Tin Kettle'],
  ['Odile Fenwright/Maria Lopez', 'Odile Fenwright/Maria Lopez'],
] as const)
  test(`the trade name in "${name}" is "${trade}"`, () => assert.equal(cutOwner(name), trade));

testEach(
  'the owner proves that the name is a person’s',
  namesOnlyOwner,
  `Osrik Fenwright = Osrik Fenwright; Gary Black = Black, Gary D
    Osrik Fenwright = Fern Coffee/Fenwright Osrik; Odile Fenwright = Odile Fenwright
    Fenwright Osrik M = FENWRIGHT OSRIK M; Maria & Jose Fenwright = Fenwright, Jose
    Maria Fenwright = Odile Fenwright, Bram Ternwood; Odile Fenwright RD = ODILE FENWRIGHT
    Odile Fenwright #153 = Fenwright, Odile; Odile Fenwright, cab 12 = ODILE FENWRIGHT
    Osrik Lopez = OSRIK TERNWOOD LOPEZ 01234567890; Odile Fenwright = ODILE LOPEZ FENWRIGHT ME`,
  `Fenwright Grand Casino - Ignite = Fenwright Grand Casino
    Blue Heron Blue Anchor = Blue Heron Blue Anchor; Fenwright Pierogi = Odile Fenwright
    Fenwright Accounting = A Fenwright; Henry James = James Fenwright, Rebecca Fenwright
    Fenwright II = Fenwright II, LLC; Odile Plumbing #5 = Odile Plumbing; Heron Troop 151 = Heron Troop 151
    Wild Heron #5 = Wild Heron Stores; Odile Fenwright = Fenwright Holdings LLC; Odile = Odile
    Otterfall Moveis = OTTERFALL MOVEIS ME; Loja Fenwright = ODILE FENWRIGHT 01234567890`,
);

testEach(
  'a trust of people',
  namesPrivateTrust,
  `FENWRIGHT FAMILY TRUST; Fenwright Odile F Revoc Living TR; Osric & Odile Fenwright Revocable Living Tru
    Odile & Bram Fenwright Trust; Fenwright Trust Dated 10/09/2002`,
  `Fenwright Title & Trust of Otterfall; Family Trust Insurance; Fenwright Family Trust LLC
    Community Land Trust; Family Trust`,
);

test('a short legal form after two words, or after one word that is not a person’s name, marks a company', () => {
  const names = ['Odile Fenwright Ou', 'Bakery Ou', 'Odile Ou', 'Odile Fenwright Sa'];
  assert.deepEqual(names.map(hasCompanyForm), [true, true, false, true]);
});

test('check counts the names that it cannot judge by their words', async () => {
  const city = aCity();
  city.change('import { csv,', 'import { csv, looksPersonal, PERSONAL_NAME,');
  city.change('return opening(', 'if (looksPersonal(row.NAME)) return skip(PERSONAL_NAME); return opening(');
  const names = [...SCRIPTS.map(([, shop]) => shop), 'Odile Fenwright', 'Otter Bakery'];
  const from = city.file('a.csv', csvText(names.map((name, i) => ({ id: String(i), name }))));
  const reports = await dryRunCity(city.config, { from });
  const [report] = reports;
  assert.deepEqual([report!.openings, report!.notJudged], [SCRIPTS.length + 1, SCRIPTS.length]);
  assert.deepEqual(Object.entries(report!.skipped), [['personal name', 1]]);
  assert.match(
    formatDryRun(reports, openAdvice(city.config.city)),
    /\n {2}not judged, 10 of 11 names: .*\n\nPassed\n {2}dropped-businesses/s,
  );
});

test('a profile can say that a surname is a business word in its city', () => {
  assert.equal(looksPersonal('BIXBY FENWRIGHT'), true);
  assert.equal(looksPersonal('BIXBY FENWRIGHT', { businessWords: ['bixby'] }), false);
  assert.equal(looksPersonal('ODILE HOUSE', { businessWords: ['house'] }), true, 'after a given name');
  assert.equal(looksPersonal('HOUSE FENWRIGHT'), false, 'not before a single name');
});

testEach(
  'certainly a person, by a common given name, a title, an initial or the surname first',
  (name) => looksPersonal(name, { isStrict: true }),
  `HAZEL TERNWOOD; Dr. Fenwright Ternwood; TERNWOOD, HAZEL; Fenwright, Osrik; OSRIK M FENWRIGHT
    Fenwright Saldivar Montejano`,
  `OSRIK FENWRIGHT; Mr. Softwright; Surf N Turfwright; Tern Gordita; HAZEL TERNWOOD PLUMBING`,
);

testEach(
  'the name is made of the names of its owner',
  isOwnersName,
  `Odile F. Fenwright = Fenwright, Odile F; O Fenwright = Fenwright, Odile
    Odile J Fenwright = Fenwright, Odile; ODILE FENWRIGHT = Fenwright, O
    Odile Fern Fenwright = Fenwright, Odile F; Odile & Osric Fenwright = Fenwright, Osric & Odile
    Odile Fenwright MD = Fenwright, Odile`,
  `Fenwright Plumbing = Fenwright, Odile; Odile Ternwood = Fenwright, Odile; O = Fenwright, Odile
     = Fenwright, Odile; Odile Fenwright = `,
);

const register = realData('long-beach/business_licenses.csv');
test('Shingle recognizes at least 90 % of sole owners without a trade name, and takes at most 8 % of trade names for people', {
  skip: register.skip,
}, () => {
  const rows: string[][] = parse(readFileSync(register.path), { from: 2, bom: true });
  const share = (names: string[]) => names.filter((name) => looksPersonal(name)).length / names.length;
  const businesses = rows.filter((row) => !row[5]!.startsWith('Rental '));
  const alone = businesses.filter((row) => ['SOLE', 'PARTNER'].includes(row[6]!) && row[9] === '');
  const companies = businesses.filter((row) => ['CORP', 'LLC'].includes(row[6]!) && row[9] !== '');
  assert.ok(alone.length > 5000 && companies.length > 5000);
  assert.ok(share(alone.map((row) => row[12]!)) >= 0.9, 'sole owners');
  assert.ok(share(companies.map((row) => row[9]!)) <= 0.08, 'trade names');
});
