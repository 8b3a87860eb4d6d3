/** The example of docs/adding-a-city.md: what it shows is what the program prints, and its two corrections are enough. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lastJson, shingle } from '../a-process.ts';
import { aFolder } from '../storage/a-folder.ts';

const REGISTER = fileURLToPath(new URL('../../docs/example/register.csv', import.meta.url));
const GUIDE = fileURLToPath(new URL('../../docs/adding-a-city.md', import.meta.url));
const folder = aFolder();
after(folder.remove);
const env = { SHINGLE_CITY: join(folder.path, 'otterfall/city.ts'), SHINGLE_DATA: join(folder.path, 'data') };
const NOW = ['--now', '2026-01-20T12:00:00Z'];

test('the example of the guide goes from an export to listings as the guide says', async () => {
  const [, shown] = /## An example[\s\S]*?```text\n([\s\S]*?)```/.exec(readFileSync(GUIDE, 'utf8'))!;
  const init = await shingle(['init', REGISTER, '--out', join(folder.path, 'otterfall')], env);
  assert.equal(init.code, 0, init.err);
  const check = await shingle(['check', ...NOW], env);
  assert.equal(check.code, 3, 'the run is held');
  assert.equal(check.out.trim(), shown!.trim());

  const draft = readFileSync(env.SHINGLE_CITY, 'utf8');
  const corrected = draft
    .replace("delivers: 'snapshot',", "rejectedShare: 0.05, delivers: 'snapshot',")
    .replace(
      /operator: \{[^}]*\}/,
      "operator: { name: 'Otterfall Library', contact: 'listings@otterfall.example' }",
    );
  assert.notEqual(corrected, draft);
  writeFileSync(env.SHINGLE_CITY, corrected);
  const ingest = await shingle(['ingest', '--json', ...NOW], env);
  assert.equal(ingest.code, 0, ingest.out);
  const [run] = lastJson(ingest).runs as { state: string; added: number; findings: { severity: string }[] }[];
  assert.deepEqual([run!.state, run!.added], ['kept', 21]);
  assert.ok(run!.findings.every(({ severity }) => severity === 'warn'));
});
