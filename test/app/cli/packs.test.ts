/** A register pack becomes the city of one town, with portals that answer as those of the publishers. */

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../../../src/app/exit-codes.ts';
import { CATEGORIES } from '../../../src/shared/city/categories.ts';
import { aCity, NOW } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';
import { lastJson } from '../../a-process.ts';
import { aPortal, type Portal, socrataOf } from '../../register/import/a-portal.ts';
import { PEOPLE, REGISTERS } from './a-pack-register.ts';

// the packs ask for the newest years alone, and the portals' rows have fixed dates
mock.timers.enable({ apis: ['Date'], now: Date.parse(NOW) });

const folder = aFolder();
const PACKS = fileURLToPath(new URL('../../../packs/', import.meta.url));
const env = { SHINGLE_DATA: join(folder, 'data') };

const init = (pack: string, town: string, portal: Portal, out = join(folder, `${pack}-${town}`)) =>
  command(['init', pack, '--town', town, '--from', portal.url, '--out', out, '--no-install', '--json'], env);

/** Where the portal has the register. */
const placeOf = (portal: Portal) => {
  const path = portal.asked.findLast((one) => /^\/resource|exports\/csv/.test(one))!;
  return portal.url + path.replace(/^(\/resource[^?]*)\?.*$/, '$1');
};

const yamlIn = (out: string) => readFileSync(join(out, 'city.yaml'), 'utf8');

for (const [pack, make] of Object.entries(REGISTERS))
  test(`${pack}: the town is served under all its spellings, and no sole trader is served under their own name`, async () => {
    const register = make();
    const portal = await register.open(register);
    const out = join(folder, pack);
    const made = await init(pack, register.typed, portal, out);
    assert.equal(made.code, 0, made.err);
    const [draft] = lastJson(made).runs;
    assert.equal(draft!.state, 'kept', made.out);
    const findings = (draft!.findings as { code: string; accepted?: string }[])
      .filter(({ accepted }) => accepted === undefined)
      .map(({ code }) => code);
    assert.deepEqual(findings, ['placeholders'], made.out);
    const yaml = yamlIn(out);
    assert.match(yaml, new RegExp(`^name: "?${register.town}"?$`, 'm'));
    assert.doesNotMatch(yaml, /^pack:|\{(?:town|where|since|spellings)\}/m);

    const city = aCity();
    city.config.city = out;
    const service = await city.open(NOW);
    const [run] = await service.ingest({ from: placeOf(portal) });
    assert.deepEqual([run!.state, run!.detail], ['kept', null]);
    const names: string[] = [];
    for await (const batch of service.store.listings.listings()) {
      names.push(...batch.map(({ name }) => name.toUpperCase()));
      for (const { category } of batch)
        assert.ok(category === null || CATEGORIES.some((known) => known === category), category!);
    }
    assert.equal(PEOPLE.filter(({ written }) => names.includes(written)).length, 0);
    assert.equal(names.length, register.served, JSON.stringify(run!.skipped));
    for (const column of register.forbidden)
      assert.ok(!portal.asked.some((one) => new RegExp(`[=,]${column}[,&]`).test(one)), column);
  });

test('init counts companies at the address of their agent, and city.yaml can skip them', async () => {
  const register = REGISTERS.colorado!();
  const office = { principaladdress1: '1 QUAY ST', principaladdress2: 'Ste 200' };
  const records = register.records.map((row, i) => (i < 120 ? { ...row, ...office } : row));
  const portal = await register.open({ ...register, records });
  const out = join(folder, 'offices');
  const made = await init('colorado', 'Fort Collins', portal, out);
  assert.match(made.out, /"code":"registered-offices","severity":"warn","count":90/);
  assert.match(made.out, /1 quay st ste 200: 90 companies/);
  const [run] = lastJson(made).runs as { findings: { code: string; write?: { skip: unknown } }[] }[];
  const { write } = run!.findings.find(({ code }) => code === 'registered-offices')!;
  const skip = `    skip: ${JSON.stringify(write!.skip)}\n`;
  writeFileSync(
    join(out, 'city.yaml'),
    yamlIn(out).replace(/^ {4}address:/m, (line) => skip + line),
  );
  const checked = await command(['check', '--from', placeOf(portal)], { ...env, SHINGLE_CITY: out });
  assert.match(checked.out, /skipped 90: registered office/, checked.err);
});

test('init suggests the nearest names for an unknown town, and writes nothing', async () => {
  for (const [pack, typed, nearest] of [
    ['oregon', 'Bedn', /"Bedn" is not a town of the pack \(Oregon, active businesses\)\. Nearest: Bend/],
    ['connecticut', 'Newtonw', /Nearest: Newtown/],
    ['france', 'Pariss', /Nearest: Paris/],
    ['colorado', 'Zzyzx', /Use the name as the register writes it/],
  ] as const) {
    const register = REGISTERS[pack]!();
    const out = join(folder, `none-${pack}`);
    const ended = await init(pack, typed, await register.open(register), out);
    assert.equal(ended.code, EXIT.usage, ended.err);
    assert.match(ended.err, nearest);
    assert.ok(!existsSync(out));
  }
});

test('a code distinguishes towns with the same name', async () => {
  const register = REGISTERS.france!();
  const named = (codecommuneetablissement: string) => ({
    ...{ ...register.records[0], codecommuneetablissement, libellecommuneetablissement: 'SAINT-DENIS' },
  });
  const records = [named('93066'), named('97411'), ...register.records];
  const portal = await register.open({ ...register, records });
  const ended = await init('france', 'Saint Denis', portal);
  assert.match(ended.err, /several towns are called Saint Denis.*93066 \(Saint-Denis, 1 rows\), 97411/);
  const out = join(folder, 'code');
  assert.equal((await init('france', '75111', portal, out)).code, 0);
  assert.match(yamlIn(out), /values: \["75111"\]/);
});

test('quotes in the name of a town break neither the filter nor the file', async () => {
  const register = REGISTERS.colorado!();
  const records = register.records.map((row) => ({ ...row, principalcity: "Coeur d'Alene" }));
  const out = join(folder, 'quotes');
  const made = await init('colorado', 'coeur d’alene', await register.open({ ...register, records }), out);
  assert.equal(made.code, 0, made.err);
  assert.match(yamlIn(out), /upper\(principalcity\)='COEUR D''ALENE'/);
});

test('init --list shows the packs to people and to programs', async () => {
  const { out } = await command(['init', '--list'], env);
  const { packs } = JSON.parse((await command(['init', '--list', '--json'], env)).out);
  const names = Object.keys(REGISTERS).toSorted();
  assert.deepEqual(readdirSync(PACKS).toSorted(), names);
  for (const name of names) assert.match(out, new RegExp(`^${name} \\(`, 'm'));
  const told = /"title":.*"country":.*"cadence":.*"rows":.*"certainty":.*not run against/;
  for (const pack of packs) assert.match(JSON.stringify(pack), told);
});

test('init names the missing pack or town', async () => {
  const known = 'colorado, connecticut, france, oregon, pennsylvania. To map a file: shingle init FILE';
  for (const [args, said] of [
    ['', 'name a register or a pack'],
    ['oregon', 'a register pack needs --town NAME'],
    ['oregano --town Bend', '"oregano" is not a register pack'],
    ['oregano --town Bend', known],
    [
      'oregon --town Bend --name B',
      'a register pack takes --town, --from, --out, --no-install and --json only',
    ],
  ] as const) {
    const { err } = await command(['init', ...args.split(' ').filter(Boolean)], env);
    assert.ok(err.includes(said), err);
  }
});

test('a portal that fails, throttles or has other columns is reported in a sentence, and leaves no folder', async () => {
  const register = REGISTERS.oregon!();
  const portal = await register.open(register);
  const out = join(folder, 'failing');
  portal.problem = { status: 404, times: 1 };
  const failed = await init('oregon', 'Bend', portal, out);
  assert.notEqual(failed.code, 0);
  assert.match(failed.err, /404/);
  assert.ok(!existsSync(out));
  portal.problem = { status: 429, times: 1, headers: { 'retry-after': '0' } };
  assert.equal((await init('oregon', 'Bend', portal, out)).code, 0, 'it waits and asks again');
  const other = await register.open({ ...register, columns: ['registry_number'] });
  const changed = await init('oregon', 'Bend', other, join(folder, 'renamed'));
  assert.notEqual(changed.code, 0);
  assert.match(changed.err + changed.out, /column "\w+" is missing/);
});

test('Shingle serves no rows that a portal sends without being asked for them', async () => {
  const register = REGISTERS.oregon!();
  const out = join(folder, 'unfiltered');
  assert.equal((await init('oregon', 'Bend', await register.open(register), out)).code, 0);
  const records = register.records.map((row, i) => ({ ':id': `row-${String(i).padStart(5, '0')}`, ...row }));
  const portal = await aPortal(socrataOf({ ...register, records, rowsUpdatedAt: 1, strays: false }));
  const city = aCity();
  city.config.city = out;
  const [run] = await (await city.open(NOW)).ingest({ from: `${portal.url}/resource/tckn-sxa6.json` });
  assert.equal(run!.openings, register.served);
  assert.ok(run!.skipped['outside the city']! > 0 && run!.skipped['another party to the business']! > 0);
});
