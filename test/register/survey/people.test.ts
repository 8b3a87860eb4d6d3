/** A draft serves trade names and leaves out people, whatever the register shows of its owners. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { command } from '../../a-command.ts';
import { lastJson } from '../../a-process.ts';
import {
  countSkipped,
  draftRows,
  env,
  familyOf,
  folder,
  givenOf,
  isoOf,
  makeRecords,
  nameOf,
  tradeOf,
  usOf,
} from './a-register.ts';

const COUNT = 400;

/** The same person in the ways registers write one. */
const ownName = (i: number) =>
  [
    `${givenOf(i)} ${familyOf(i)}`,
    `${givenOf(i)} M. ${familyOf(i)}`,
    `${familyOf(i)}, ${givenOf(i)}`,
    `${givenOf(i)[0]} ${familyOf(i)}`,
    `${givenOf(i)} & ${givenOf(i + 3)} ${familyOf(i)}`,
  ][i % 5]!;

test('a trade name that is the owner’s name in another order is left out, and every other trade name is served', async () => {
  const isOwn = (i: number) => i % 4 === 0;
  const drafted = await draftRows(COUNT, (i) => ({
    'Acct #': `A${10_000 + i}`,
    DBA: isOwn(i) ? ownName(i) : nameOf(i),
    'Owner Name 1': i % 3 === 2 && !isOwn(i) ? `${nameOf(i)} Inc` : `${familyOf(i)}, ${givenOf(i)} M`,
    'Business type': tradeOf(i),
    'Start date': isoOf(i),
  }));
  assert.equal(countSkipped(drafted, 'personal name'), COUNT / 4, drafted.text);
  assert.equal(drafted.listings.length, COUNT - COUNT / 4);
});

test('a restaurant is served under a trade name that looks like a person’s, and skipped if it has only a person’s legal name', async () => {
  const people = (i: number) => i % 5 === 0;
  const drafted = await draftRows(COUNT, (i) => ({
    LicenceNo: `L-${10_000 + i}`,
    BusinessName: people(i) ? `${givenOf(i)} ${familyOf(i)}` : `Holdings ${i} Ltd`,
    BusinessTradeName: people(i) ? '' : i % 2 === 0 ? `${givenOf(i)} ${familyOf(i + 10)}` : nameOf(i),
    BusinessType: 'Restaurant',
    CreatedDate: isoOf(i),
  }));
  assert.equal(countSkipped(drafted, 'personal name'), COUNT / 5, drafted.text);
  const served = new Set(drafted.listings.map(({ name }) => name));
  assert.ok(served.has('Bram Fenwright') || served.has('Ines Fenwright'), 'a trade name like a person');
  assert.ok(
    ![...served].some((name) => name.startsWith('Holdings')),
    'the trade name goes before the legal name',
  );
});

test('if a register has one column of names, a column that says individual or sole proprietor decides', async () => {
  for (const forms of [
    ['Sole Proprietor', 'Corporation', 'LLC', 'Individual'],
    ['SOL', 'CRP', 'LLC', 'MAR'],
  ]) {
    const drafted = await draftRows(COUNT, (i) => ({
      'License Number': `N${20_000 + i}`,
      'Business Name': `${givenOf(i)} ${familyOf(i)}`,
      'Ownership Type': forms[i % 4]!,
      Category: tradeOf(i),
      'Original Date': isoOf(i),
    }));
    assert.equal(countSkipped(drafted, 'personal name'), COUNT / 2, drafted.text);
  }
});

test('a sole proprietor’s trade name is served if its words are made up, and not if they can be a name', async () => {
  const names = ['Odrusk Velminar', 'Odrusk Powerwashing', 'BK Velminar', 'Qarvel Pickers'];
  const titled = (name: string, i: number) =>
    name === names[0] ? `${name}${['', ' DDS', ' Jr'][i % 3]}` : name;
  const drafted = await draftRows(COUNT, (i) => ({
    'License Number': `N${20_000 + i}`,
    'Business Name': i % 8 < 4 ? titled(names[i % 4]!, i) : `${nameOf(i)} LLC`,
    'Ownership Type': i % 8 < 4 ? 'Sole Proprietor' : 'LLC',
    'Original Date': isoOf(i),
  }));
  assert.equal(countSkipped(drafted, 'personal name'), COUNT / 8, drafted.text);
});

test('if the first column of names is legal, the second is the trade name, and "Business" does not mean a company', async () => {
  const drafted = await draftRows(COUNT, (i) => ({
    'License Number': `N${20_000 + i}`,
    'Business Name': i % 2 === 0 ? `${familyOf(i)}, ${givenOf(i)}` : `Holdings ${i} LLC`,
    'Business Name 2': i % 4 < 2 ? nameOf(i) : '',
    'License Type': i % 8 === 0 ? 'Individual' : 'Business',
    'Original Date': isoOf(i),
  }));
  assert.match(drafted.text, /^ +name: \[ Business Name 2, Business Name \]$/m);
  assert.equal(countSkipped(drafted, 'personal name'), COUNT / 4, drafted.text);
});

test('in a register of names and types, people are left out only in types that people file under their own names', async () => {
  const drafted = await draftRows(COUNT, (i) => ({
    Classification: i % 4 === 0 ? 'Real Estate' : i % 4 === 1 ? 'Restaurants' : 'Retail Bakery',
    Business:
      i % 4 === 0
        ? `${givenOf(i)} ${familyOf(i)}`
        : i % 16 === 1
          ? `${givenOf(i)} ${familyOf(i)}`
          : nameOf(i),
    Address: `${i} Quay St`,
    'Account Start Date': isoOf(i),
  }));
  assert.equal(countSkipped(drafted, 'personal name'), COUNT / 4, drafted.text);
  assert.match(drafted.text, /namesLikePeople: \{ column: Classification, values: \[ Real Estate \] \}/);
});

test('a word for "no name" in the trade column is not a name', async () => {
  const drafted = await draftRows(COUNT, (i) => ({
    license_id: `${30_000 + i}`,
    dba_name: i % 4 === 0 ? ['N/A', 'NONE', 'Same'][i % 3]! : nameOf(i),
    legal_name: i % 4 === 0 ? `${givenOf(i)} ${familyOf(i)}` : `Holdings ${i} LLC`,
    issued_date: isoOf(i),
  }));
  assert.equal(countSkipped(drafted, 'personal name'), COUNT / 4, drafted.text);
  assert.ok(!drafted.listings.some(({ name }) => /^(?:N\/A|None|Same)$/i.test(name)));
});

test('if a register has a row for each party of a filing, only the business becomes a listing', async () => {
  const drafted = await draftRows(COUNT, (i) => {
    const filing = Math.floor(i / 4);
    return {
      'Filing Number': `F${10_000 + filing}`,
      Entity: `${nameOf(filing)} ${filing}`,
      Filed: isoOf(filing),
      'Party Type': ['Organizer', 'Manager', 'Member', 'Agent'][i % 4]!,
      Name: `${givenOf(i)} ${familyOf(i + 1)}`,
      Address: `${i} Quay Street`,
      City: 'Otterfall',
    };
  });
  assert.match(drafted.text, /key: Filing Number\n/);
  assert.equal(drafted.listings.length, COUNT / 4, drafted.text);
  assert.ok(drafted.listings.every(({ name }) => /\d$/.test(name)));
});

test('the owners of a business may be a list in JSON, each of whom is one person', async () => {
  const records = makeRecords(COUNT, (i) => ({
    file_number: `X${20_000 + i}`,
    business_name: i % 4 === 0 ? `${givenOf(i)} ${familyOf(i)}` : nameOf(i),
    file_date: usOf(i),
  }));
  const rows = records.map((record, i) => ({
    ...record,
    owners: [`${familyOf(i)}, ${givenOf(i)}`, ...(i % 3 === 0 ? [`${givenOf(i + 1)} Varley`] : [])],
  }));
  const [out, path] = [join(folder, 'city-owners'), join(folder, 'owners.json')];
  writeFileSync(path, JSON.stringify({ meta: { count: COUNT }, rows }));
  const made = await command(['init', path, '--out', out, '--json', '--no-install'], env);
  const run = lastJson(made).runs[0]!;
  assert.deepEqual([run.openings, run.skipped], [(COUNT * 3) / 4, { 'personal name': COUNT / 4 }], made.err);
});

test('the legal name of a company is its own, even in a column of owners', async () => {
  const drafted = await draftRows(300, (i) => {
    const isSole = i % 5 === 0;
    const person = `${givenOf(i)} ${familyOf(i)}`;
    const trade = i % 5 === 1 ? `Mojave ${givenOf(i + 1)}` : `Heron Brands ${i} LLC`;
    return {
      licenseNumber: `DCC-${10_000 + i}`,
      businessDbaName: isSole ? 'Data Not Available' : trade,
      businessLegalName: isSole ? person : trade,
      businessOwnerName: person,
      businessStructure: isSole ? 'Sole Proprietorship' : 'Corporation',
      issueDate: isoOf(i),
    };
  });
  assert.match(drafted.text, /owner: \[ businessLegalName, businessOwnerName \]/);
  assert.equal(countSkipped(drafted, 'personal name'), 60, drafted.text);
  assert.equal(drafted.judgements.filter(({ kind }) => kind === 'opening').length, 240);
});

test('the text of a status, which all rows have, is no owner’s name', async () => {
  const drafted = await draftRows(2, (i) => ({
    nimi: `Päevalill ${i} OÜ`,
    ariregistri_kood: `1265251${i}`,
    ettevotja_staatus_tekstina: 'Registrisse kantud',
    ettevotja_esmakande_kpv: `25.04.201${i}`,
  }));
  assert.match(drafted.text, /status: \{ column: ettevotja_staatus_tekstina/);
  assert.doesNotMatch(drafted.text, /^ +owner:/m);
});
