/** The docs/adding-a-city.md: what it shows is what the program prints, and its corrections are enough. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MAIL_ENV } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';
import { lastJson } from '../../a-process.ts';

const EXAMPLE = fileURLToPath(new URL('../../../docs/example/', import.meta.url));
const GUIDE = fileURLToPath(new URL('../../../docs/adding-a-city.md', import.meta.url));
const folder = aFolder();
const cwd = join(folder, 'otterfall');
const PROFILE = join(cwd, 'city.yaml');
const inFolder = (args: string[]) => command(args, {}, { cwd });
const MAIL = { ...MAIL_ENV, SMTP_URL: 'smtp://127.0.0.1:1' };
/** What nobody but the operator knows. */
const OF_REGISTER = ['publisher', 'homepage', 'license'].map((field) => `registers[0].${field}`);
const DRAFTED = ['operator.name', 'operator.contact', ...OF_REGISTER];
const NOW = ['--now', '2026-01-20T12:00:00Z'];

test('the example of the guide turns an export into listings as the guide says', async () => {
  const [, shown] = /# An example[\s\S]*?```text\n([\s\S]*?)```/.exec(readFileSync(GUIDE, 'utf8'))!;
  const [register, boundaries, addresses] = ['register.csv', 'neighborhoods.geojson', 'addresses.csv'].map(
    (name) => join(EXAMPLE, name),
  ) as [string, string, string];
  const map = ['--boundaries', boundaries, '--addresses', addresses];
  const init = await command(['init', register, '--out', cwd, ...map], {}, { cwd: folder });
  assert.equal(init.code, 0, init.err);
  const check = await inFolder(['check', ...NOW]);
  assert.equal(check.code, 0, check.out);
  assert.ok(check.out.startsWith(shown!), check.out);
  assert.match(check.out, /^ {2}warn placeholders: .*\n/m);
  assert.deepEqual(check.out.match(/^ {2}stop .*/gm), null);

  const elsewhere = join(folder, 'nowhere.geojson');
  const unread = await inFolder(['check', '--boundaries', elsewhere, ...NOW]);
  assert.ok(`${unread.out}${unread.err}`.includes(elsewhere), unread.out);
  assert.deepEqual(await ingested(), ['kept', 21]);
  const mailed = () => command(['mail', 'test', 'ann@b.example'], MAIL, { cwd });
  const refused = await mailed();
  assert.equal(refused.code, 78);
  assert.ok(refused.err.includes(`First fill in ${DRAFTED.join(', ')} in ${PROFILE} (`), refused.err);

  const draft = readFileSync(PROFILE, 'utf8');
  const operator = 'operator: { name: Otterfall Library, contact: listings@otterfall.example }';
  const corrected = draft
    .replace(/^registers:/m, `${operator}\nregisters:`)
    .replace('Fill in the publisher', 'Wendmark County Clerk')
    .replace('https://example.org/fill-in', 'https://clerk.wendmark.example')
    .replace('Fill in the license', 'CC0-1.0');
  assert.notEqual(corrected, draft);
  writeFileSync(PROFILE, corrected);
  assert.deepEqual(await ingested(), ['kept', 0]);
  assert.match((await mailed()).err, /mail server cannot be reached/, 'its mail may be sent');
});

/** Imports the register. Returns how the run ended, and how many listings are new. */
async function ingested(): Promise<[state: string, added: number]> {
  const ingest = await inFolder(['ingest', '--json', ...NOW]);
  assert.equal(ingest.code, 0, ingest.out);
  const [run] = lastJson(ingest).runs as { state: string; added: number; findings?: object[] }[];
  assert.doesNotMatch(JSON.stringify(run!.findings ?? []), /"severity":"(?!warn)/);
  return [run!.state, run!.added];
}
