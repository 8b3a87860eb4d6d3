/**
 * What makes a run "unchanged": words of pages and emails are no reason to judge rows again, and a change of judging is one.
 * `verdicts.json` holds, for each profile, what its golden cases were judged to be under the recorded `READING_VERSION`.
 */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Row, Verdict } from 'shingle/city';
import { loadCity } from '../../../src/register/profile/load.ts';
import { readAddress } from '../../../src/register/profile/places/addresses/read-address.ts';
import { READING_VERSION } from '../../../src/register/profile/reading-version.ts';
import { openJudge } from '../../../src/register/rows/judge.ts';
import { aCity, businesses, csvText } from '../../a-city.ts';
import { aFolder } from '../../a-folder.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const RECORD = fileURLToPath(new URL('./verdicts.json', import.meta.url));

type Golden = { source?: string; today?: string; row: Row };
/** Of a profile: its rows with its own code, and what became of them. */
type Recorded = { given: string; verdicts: string };
type Verdicts = { readingVersion: number; cities: Record<string, Recorded> };

const hashOf = (...values: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16);

async function judgeGoldens(folder: string): Promise<Recorded> {
  const { city } = await loadCity(folder);
  const goldens: Golden[] = JSON.parse(readFileSync(join(folder, 'golden.json'), 'utf8'));
  const asked = goldens.map(({ source, today, row }) => ({ source, today, row }));
  const verdicts = goldens.map(({ source: id, today = city.asOf ?? '2026-09-30', row }) => {
    const source = city.sources.find((one) => id === undefined || one.id === id)!;
    const verdict: Verdict = source.verdict(row, { today });
    const address = 'facts' in verdict && verdict.facts.address ? readAddress(verdict.facts.address) : null;
    const place = ({ neighborhood = 'Unknown' }) => ({ neighborhood });
    return [verdict, address, openJudge(source, { today }, { place })(row, 2)];
  });
  const code = globSync(['*.ts', `${basename(folder)}/*.{ts,yaml,csv}`], { cwd: dirname(folder) }).toSorted();
  const texts = code.map((path) => readFileSync(join(dirname(folder), path), 'utf8'));
  return { given: hashOf(asked, texts), verdicts: hashOf(verdicts) };
}

test('a change of how rows are judged must raise READING_VERSION', async () => {
  const recorded: Verdicts = JSON.parse(readFileSync(RECORD, 'utf8'));
  const folders = globSync('cities/*/golden.json', { cwd: ROOT }).map((path) => join(ROOT, dirname(path)));
  const cities: Record<string, Recorded> = {};
  for (const folder of folders.toSorted()) cities[basename(folder)] = await judgeGoldens(folder);
  const changed = Object.entries(cities).filter(([slug, { given, verdicts }]) => {
    const before = recorded.cities[slug];
    return before?.given === given && before.verdicts !== verdicts;
  });
  if (READING_VERSION === recorded.readingVersion)
    assert.deepEqual(
      changed.map(([slug]) => slug),
      [],
      `the same rows of these profiles are judged otherwise than under READING_VERSION ${READING_VERSION}: raise it in src/register/profile/reading-version.ts, then run \`npm test -- test/register/cities/reading-version.test.ts\`, which records the new verdicts in test/register/cities/verdicts.json`,
    );
  const now: Verdicts = { readingVersion: READING_VERSION, cities };
  if (JSON.stringify(now) === JSON.stringify(recorded)) return;
  writeFileSync(RECORD, `${JSON.stringify(now, null, 2)}\n`);
  assert.fail(
    'profiles, golden cases or READING_VERSION have changed: verdicts.json is written anew. Commit it',
  );
});

test('every list of words that rows are judged with is part of the digest of a city', () => {
  const judging = globSync(['src/register/{profile,rows}/**/*.ts', 'src/shared/city/categories.ts'], {
    cwd: ROOT,
    exclude: ['src/register/profile/schema/*'],
  });
  const texts = judging.map((path) => readFileSync(join(ROOT, path), 'utf8'));
  const read = texts.flatMap((text) => [...text.matchAll(/'([a-z-]+[a-z.-]*)\.(csv|txt)'/g)]);
  const listed = readFileSync(join(ROOT, 'src/register/profile/load.ts'), 'utf8');
  for (const [file, name, kind] of read)
    assert.match(listed, new RegExp(`^  ${kind}: '(.* )?${RegExp.escape(name!)}[ ']`, 'm'), file);
  assert.ok(read.length > 15);
});

/** Texts of the program, and what the next release has in their place. */
type Change = readonly [path: string, from: string, to: string];

async function releaseWith(
  changes: readonly Change[],
): Promise<typeof import('../../../src/app/operations/service.ts')> {
  const folder = aFolder();
  for (const one of ['src', 'cities/sample', 'package.json'])
    cpSync(join(ROOT, one), join(folder, one), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [path, from, to] of changes) {
    const text = readFileSync(join(folder, path), 'utf8');
    assert.ok(text.includes(from), `${path}: ${from}`);
    writeFileSync(join(folder, path), text.replace(from, to));
  }
  return import(pathToFileURL(join(folder, 'src/app/operations/service.ts')).href);
}

const WORDS: Change[] = [
  ['src/data/page-words.json', '"Neighborhoods"', '"Quarters"'],
  ['src/data/value-names.fr.json', '"Restaurants": "Restaurants"', '"Restaurants": "Cuisines"'],
  ['src/data/subscription-words.json', 'the next edition', 'our next edition'],
  ['src/register/profile/people/company-forms.ts', 'Recognizes legal forms', 'Finds legal forms'],
];
const VERSION: Change = [
  'src/register/profile/reading-version.ts',
  `= ${READING_VERSION};`,
  `= ${READING_VERSION + 1};`,
];

for (const [what, changes, state] of [
  ['words of the page, of emails and of comments', WORDS, 'unchanged'],
  ['READING_VERSION', [VERSION], 'kept'],
  [
    'a word that kinds or people are read from',
    [
      ['src/data/kind-words.csv', 'burritos', 'wraps'],
      ['src/data/people-names.txt', 'aarons', 'aaronsens'],
    ],
    'kept',
  ],
] as const)
  test(`a release that changes ${what} leaves the next import of the same file ${state}`, async () => {
    const city = aCity();
    await city.ingest(businesses(3));
    const { openService } = await releaseWith(changes);
    const service = await openService(city.config);
    const [run] = await service.ingest({ from: city.file('again.csv', csvText(businesses(3))) });
    await service.close();
    assert.equal(run!.state, state, run!.detail ?? '');
  });
