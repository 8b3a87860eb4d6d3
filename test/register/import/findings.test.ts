/** Findings: each kind of misunderstanding is found just above its threshold and not at it, and may be accepted. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '../../../src/shared/day.ts';
import { aRegister, type Cells, findingsIn, firstRows, ROWS, rowsWith, toCsv } from './a-register.ts';
import { CASES, changeRows, PERSON, rowsOf, TOWN } from './finding-cases.ts';

const findIn = (rows: Cells[]) => findingsIn(aRegister(), rows);
const codesIn = async (rows: Cells[]) => (await findIn(rows)).map(({ code }) => code);
/** Each row at an address of its own, except for the first. */
const onQuaySt = (first: (i: number) => Cells) =>
  rowsWith((i) => ({ 'Street Address': `${i + 2} Quay St`, ...first(i) }));

test('a sound register has no findings, even if many shops have one address', async () => {
  assert.deepEqual(await findIn(rowsWith()), []);
  const companies = changeRows(
    (i) => ({ OWNER: `Quill ${i}x Ltd`, 'Entity Type': i < 200 ? 'Individual' : 'Corporation' }),
    5,
    { ...PERSON, OWNER: 'FENWRIGHT, ODILE F', 'Entity Type': 'Corporation' },
  );
  assert.ok(!(await codesIn(companies)).includes('personal-names'));
  const atOne = { 'Street Address': '1 Quay St' };
  const mall = firstRows(40, (i) => (i < 25 ? { ...atOne, NAME: `Quill ${i} LLC` } : atOne));
  assert.deepEqual(await findIn(onQuaySt(mall)), []);
  const licenses = firstRows(40, (i) => ({ ...atOne, NAME: `Quill ${i % 13} LLC` }));
  const codes = await codesIn(onQuaySt(licenses));
  assert.ok(!codes.includes('registered-offices'), 'a company with three licenses is one company');
});

for (const [what, one] of Object.entries(CASES))
  test(`${one.code}, ${one.severity}: ${what}`, async () => {
    const { code, severity, found, below, count, edits = [], share, examples = /^/, fix = /^[a-z]/ } = one;
    const find = async (rows: number, ...more: [string, string][]) => {
      const findings = await findingsIn(aRegister(...edits, ...more), rowsOf(one, rows));
      return findings.find((finding) => finding.code === code);
    };
    const finding = (await find(found))!;
    assert.deepEqual([finding.severity, finding.count, finding.detail], [severity, count, one.detail]);
    assert.match(finding.fix, fix);
    assert.ok(finding.examples.length <= 10);
    assert.deepEqual(finding.examples, [...new Set(finding.examples)]);
    if (share !== undefined) assert.equal(finding.share, share);
    assert.match(finding.examples.join('\n'), examples);
    if (code === 'placeholders') return;
    assert.notEqual((await find(below))?.severity, severity);
    if (Object.values(CASES).find((other) => other.code === code) !== one) return; // accepted by its code
    const accepted = await find(found, ['columns: [', `accepts: { '${code}': 'it is so' }, columns: [`]);
    assert.deepEqual([accepted?.severity, accepted?.accepted], ['warn', 'it is so']);
  });

test('a code at the start of all license numbers is not mistaken for a year, and postal codes with the same first letter count as one city', async () => {
  const codes = rowsWith((i) => ({
    ID: `C11-${10_000 + i}-LIC`,
    'Expiration Date': addDays('2030-01-01', 3 * i),
    'Postal Code': `V${5 + (i % 2)}K 0B9`,
  }));
  assert.deepEqual(await findIn(codes), []);
  const numbers = codes.map((row, i) => ({ ...row, ID: `${1999 + (i % 2)}-${10_000 + i}` }));
  assert.equal((await codesIn(numbers))[0], 'current-licenses');
  const far = codes.map((row, i) => (i < 9 ? { ...row, 'Postal Code': 'T2P 0B9' } : row));
  assert.equal((await codesIn(far))[0], 'outside-city');
});

test('a company with the name of its owner is not mistaken for a person', async () => {
  const firm = firstRows(18, { ...PERSON, OWNER: 'Odile Fenwright Inc' });
  const form = { FORM_TYPE: 'Individual' };
  const rows = rowsWith((i) => ({ NAME: `Wilder ${i}`, OWNER: `Quill ${i}x`, ...form, ...firm(i) }));
  assert.deepEqual(await findIn(rows), []);
});

test('a finding of severity stop holds the first run until it is accepted, and no later run', async () => {
  const city = aRegister();
  const rows = changeRows(() => TOWN, 30, { TOWN: 'Farfield' });
  const service = await city.open();
  const [held] = await service.ingest({ from: city.file('a.csv', toCsv(rows)) });
  assert.equal(held?.state, 'held');
  assert.match(held!.detail!, /outside-city: 30 openings \(7\.5 %\) lie outside the city/);
  assert.deepEqual(
    held!.findings.map(({ code, severity, count, share }) => [code, severity, count, share]),
    [['outside-city', 'stop', 30, 0.075]],
  );
  assert.deepEqual(Object.keys(held!.findings[0]!), ['code', 'severity', 'count', 'share', 'detail']);

  const kept = await service.accept(held!.run);
  assert.deepEqual([kept.state, kept.added, kept.findings], ['kept', ROWS, held!.findings]);
  const [later] = await service.ingest({
    from: city.file('b.csv', toCsv(rows.map((row) => ({ ...row, TOWN: 'X' })))),
  });
  assert.deepEqual([later?.state, later?.findings], ['kept', []]);
});

test('a sample of the rows of a large register gives the same shares as all rows', async () => {
  const rows = Array.from({ length: 30 }, (_, part) =>
    changeRows(() => TOWN, 0, {}).map((row, i) => ({
      ...row,
      ID: `${part}-${i}`,
      TOWN: (i * 7 + part) % 10 === 0 ? 'Farfield' : 'Rivermouth',
      STATE: (i * 7 + part) % 20 === 0 ? 'WA' : 'OR',
    })),
  ).flat();
  const findings = await findIn(rows);
  const outside = findings.find(({ code }) => code === 'outside-city');
  assert.equal(rows.length, 12_000);
  assert.ok(Math.abs(outside!.share - 0.1) < 0.01, `${outside!.share}`);
  assert.ok(Math.abs(outside!.count - 1_200) < 120, `${outside!.count}`);
  const [, town, state] = /\("TOWN": ([\d,]+), "STATE": (\d+)\)/.exec(outside!.detail)!;
  assert.equal(Number(town!.replace(',', '')), outside!.count, 'the rows of a column, too');
  assert.ok(Math.abs(Number(state) - 600) < 60, `${state}`);
  const people = [...rows, { ...rows[0]!, ID: 'one more' }].map((row) => ({ ...row, ...PERSON }));
  const all = (await findIn(people)).find(({ code }) => code === 'personal-names');
  assert.deepEqual([all!.count, /12,001 openings \(100 %\)/.test(all!.detail)], [12_001, true], all!.detail);
});

test('the advice about a frequent name leads to columns of types in words, not in codes', async () => {
  const rows = rowsWith((i) => ({
    ...{ 'NAICS Code': '722511', 'Business Type': ['Shop', 'Bakery'][i % 2]! },
    ...(i < 25 && { NAME: 'Heron Machine' }),
  }));
  const find = async (some: typeof rows) =>
    (await findIn(some)).find(({ code }) => code === 'not-storefronts');
  assert.match(
    (await find(rows))!.fix,
    /find out what tells them from businesses \(perhaps "Business Type"\)/,
  );
  const activities = rows.map((row) => (row.NAME === 'Heron Machine' ? { ...row, ID: 'one business' } : row));
  assert.equal(await find(activities), undefined);
});
