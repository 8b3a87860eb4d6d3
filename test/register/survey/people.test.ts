/** A draft serves trade names and leaves out people, whatever the register shows of its owners. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lastJson } from '../../a-process.ts';
import {
  COUNT,
  checkDraft,
  familyOf,
  folder,
  givenOf,
  init,
  isoOf,
  makeRecords,
  nameOf,
  personOf,
  testDrafts,
  tradeOf,
  usOf,
} from './a-register.ts';

const people = (count: number) => ({ 'personal name': count });

/** The same person in the ways registers write one. */
const ownName = (i: number) =>
  [
    personOf(i),
    `${givenOf(i)} M. ${familyOf(i)}`,
    `${familyOf(i)}, ${givenOf(i)}`,
    `${givenOf(i)[0]} ${familyOf(i)}`,
    `${givenOf(i)} & ${givenOf(i + 3)} ${familyOf(i)}`,
  ][i % 5]!;

const MADE_UP = ['Odrusk Velminar', 'Odrusk Powerwashing', 'BK Velminar', 'Qarvel Pickers'];
const titled = (name: string, i: number) =>
  name === MADE_UP[0] ? `${name}${['', ' DDS', ' Jr'][i % 3]}` : name;

testDrafts({
  'a trade name that is the owner’s name in another order is left out, and every other trade name is served':
    {
      cells: (i) => ({
        'Acct #': `A${10_000 + i}`,
        DBA: i % 4 === 0 ? ownName(i) : nameOf(i),
        'Owner Name 1': i % 3 === 2 && i % 4 !== 0 ? `${nameOf(i)} Inc` : `${familyOf(i)}, ${givenOf(i)} M`,
        'Business type': tradeOf(i),
        'Start date': isoOf(i),
      }),
      leftOut: people(COUNT / 4),
    },
  'a sole proprietor’s trade name is served if its words are made up, and not if they can be a name': {
    shop: (i) => ({
      'Business Name': i % 8 < 4 ? titled(MADE_UP[i % 4]!, i) : `${nameOf(i)} LLC`,
      'Ownership Type': i % 8 < 4 ? 'Sole Proprietor' : 'LLC',
    }),
    leftOut: people(COUNT / 8),
  },
  'if the first column of names is legal, the second is the trade name, and "Business" does not mean a company':
    {
      shop: (i) => ({
        'Business Name': i % 2 === 0 ? `${familyOf(i)}, ${givenOf(i)}` : `Holdings ${i} LLC`,
        'Business Name 2': i % 4 < 2 ? nameOf(i) : '',
        'License Type': i % 8 === 0 ? 'Individual' : 'Business',
      }),
      lines: ['name: [ Business Name 2, Business Name ]'],
      leftOut: people(COUNT / 4),
    },
  'in a register of names and types, people are left out only in types that people file under their own names':
    {
      cells: (i) => ({
        Classification: i % 4 === 0 ? 'Real Estate' : i % 4 === 1 ? 'Restaurants' : 'Retail Bakery',
        Business: i % 4 === 0 || i % 16 === 1 ? personOf(i) : nameOf(i),
        Address: `${i} Quay St`,
        'Account Start Date': isoOf(i),
      }),
      lines: ['namesLikePeople: { column: Classification, values: [ Real Estate ] }'],
      leftOut: people(COUNT / 4),
    },
  'a word for "no name" in the trade column is not a name': {
    cells: (i) => ({
      license_id: `${30_000 + i}`,
      dba_name: i % 4 === 0 ? ['N/A', 'NONE', 'Same'][i % 3]! : nameOf(i),
      legal_name: i % 4 === 0 ? personOf(i) : `Holdings ${i} LLC`,
      issued_date: isoOf(i),
    }),
    leftOut: people(COUNT / 4),
    hides: /^(?:N\/A|None|Same)$/i,
  },
  'if a register has a row for each party of a filing, only the business becomes a listing': {
    cells: (i) => {
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
    },
    lines: ['key: Filing Number'],
    listings: COUNT / 4,
    hides: /\D$/,
  },
  'the legal name of a company is its own, even in a column of owners': {
    cells: (i) => {
      const isSole = i % 5 === 0;
      const trade = i % 5 === 1 ? `Mojave ${givenOf(i + 1)}` : `Heron Brands ${i} LLC`;
      return {
        licenseNumber: `DCC-${10_000 + i}`,
        businessDbaName: isSole ? 'Data Not Available' : trade,
        businessLegalName: isSole ? personOf(i) : trade,
        businessOwnerName: personOf(i),
        businessStructure: isSole ? 'Sole Proprietorship' : 'Corporation',
        issueDate: isoOf(i),
      };
    },
    lines: ['owner: [ businessLegalName, businessOwnerName ]'],
    leftOut: people(COUNT / 5),
  },
  'the text of a status, which all rows have, is no owner’s name': {
    count: 2,
    cells: (i) => ({
      nimi: `Päevalill ${i} OÜ`,
      ariregistri_kood: `1265251${i}`,
      ettevotja_staatus_tekstina: 'Registrisse kantud',
      ettevotja_esmakande_kpv: `25.04.201${i}`,
    }),
    lines: ['status: { column: ettevotja_staatus_tekstina...'],
    lacks: ['owner'],
  },
});

test('a restaurant is served under a trade name that looks like a person’s, and skipped if it has only a person’s legal name', async () => {
  const isPerson = (i: number) => i % 5 === 0;
  const { listings } = await checkDraft({
    cells: (i) => ({
      LicenceNo: `L-${10_000 + i}`,
      BusinessName: isPerson(i) ? personOf(i) : `Holdings ${i} Ltd`,
      BusinessTradeName: isPerson(i) ? '' : i % 2 === 0 ? `${givenOf(i)} ${familyOf(i + 10)}` : nameOf(i),
      BusinessType: 'Restaurant',
      CreatedDate: isoOf(i),
    }),
    leftOut: people(COUNT / 5),
    hides: /^Holdings/,
  });
  assert.ok(
    listings.some(({ name }) => name === 'Ines Castellane'),
    'a trade name like a person’s',
  );
});

for (const forms of ['Sole Proprietor|Corporation|LLC|Individual', 'SOL|CRP|LLC|MAR'])
  testDrafts({
    [`if a register has one column of names, one of ${forms} decides who is a person`]: {
      shop: (i) => ({
        'Business Name': personOf(i),
        'Ownership Type': forms.split('|')[i % 4]!,
        Category: tradeOf(i),
      }),
      leftOut: people(COUNT / 2),
    },
  });

test('the owners of a business may be a list in JSON, each of whom is one person', async () => {
  const rows = makeRecords(COUNT, (i) => ({
    file_number: `X${20_000 + i}`,
    business_name: i % 4 === 0 ? personOf(i) : nameOf(i),
    file_date: usOf(i),
  })).map((record, i) => ({
    ...record,
    owners: [`${familyOf(i)}, ${givenOf(i)}`, ...(i % 3 === 0 ? [`${givenOf(i + 1)} Varley`] : [])],
  }));
  const path = join(folder, 'owners.json');
  writeFileSync(path, JSON.stringify({ meta: { count: COUNT }, rows }));
  const made = await init(path, '--json');
  const run = lastJson(made).runs[0]!;
  assert.deepEqual([run.openings, run.skipped], [(COUNT * 3) / 4, people(COUNT / 4)], made.err);
});
