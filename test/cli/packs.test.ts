/** A register pack becomes the city of one town, with portals that answer as those of the publishers. */

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { aCity, NOW } from '../a-city.ts';
import { command } from '../a-command.ts';
import { lastJson } from '../a-process.ts';
import type { Portal } from '../import/a-portal.ts';
import { PEOPLE, REGISTERS } from './a-pack-register.ts';

const folder = mkdtempSync(join(tmpdir(), 'shingle-packs-'));
after(() => rmSync(folder, { recursive: true }));
const env = { SHINGLE_DATA: join(folder, 'data') };

const init = (pack: string, town: string, portal: Portal, out = join(folder, `${pack}-${town}`)) =>
  command(['init', pack, '--town', town, '--from', portal.url, '--out', out, '--no-install', '--json'], env);

/** Where the portal has the register. */
const placeOf = (portal: Portal) => {
  const path = portal.asked.findLast((one) => /^\/resource|exports\/csv/.test(one))!;
  return portal.url + path.replace(/^(\/resource[^?]*)\?.*$/, '$1');
};

for (const [pack, make] of Object.entries(REGISTERS))
  test(`${pack}: a town is served, its spellings are one, and no sole trader's own name is`, async () => {
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
    const yaml = readFileSync(join(out, 'city.yaml'), 'utf8');
    assert.match(yaml, new RegExp(`^name: "?${register.town}"?$`, 'm'));
    assert.doesNotMatch(yaml, /^pack:|\{(?:town|where|since|spellings)\}/m);

    const city = aCity();
    city.config.city = out;
    const service = await city.open(NOW);
    const [run] = await service.ingest({ from: placeOf(portal) });
    assert.deepEqual([run!.state, run!.detail], ['kept', null]);
    const names: string[] = [];
    for await (const batch of service.store.listings.listings())
      names.push(...batch.map(({ name }) => name.toUpperCase()));
    assert.equal(PEOPLE.filter(({ written }) => names.includes(written)).length, 0);
    assert.equal(names.length, register.served, JSON.stringify(run!.skipped));
    for (const column of register.forbidden)
      assert.ok(!portal.asked.some((one) => new RegExp(`[=,]${column}[,&]`).test(one)), column);
  });
