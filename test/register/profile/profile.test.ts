/** All errors of a profile are reported at once, wherever it is on disk. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadCity } from '../../../src/register/profile/load.ts';
import { messageOf } from '../../../src/shared/errors.ts';
import { aFolder } from '../../a-folder.ts';

const folder = aFolder();
let written = 0;

function profile(text: string): string {
  const path = join(folder, `city-${written++}.ts`);
  writeFileSync(path, text);
  return path;
}

const SOUND = `
import { csv, defineCity, opening, source } from 'shingle/city';
export default defineCity({ name: 'Rivermouth', region: 'Oregon', timeZone: 'America/Los_Angeles',
  operator: { name: 'The chamber', contact: 'listings@rivermouth.example' },
  sources: [source({ id: 'licences', publisher: 'City', homepage: 'https://data.rivermouth.example', license: 'CC0-1.0',
    checked: 'documentation', from: csv(), delivers: 'snapshot', columns: ['ID', 'NAME', 'DAY'],
    verdict: (row) => opening({ key: row.ID, name: row.NAME, status: 'open', filedOn: row.DAY }),
  })],
});`;

async function complaint(text: string): Promise<string> {
  const loaded = loadCity(profile(text));
  await assert.rejects(loaded, { name: 'ShingleError', code: 'city' });
  return loaded.then(() => '', messageOf);
}

test('one message lists every error of a profile', async () => {
  const message = await complaint(
    SOUND.replace("'America/Los_Angeles'", "'Pacific'")
      .replace("region: 'Oregon',", '')
      .replace("'snapshot'", "'everything'")
      .replace("id: 'licences'", "id: 'Our Licences', colums: []"),
  );
  assert.match(message, /region is missing/);
  assert.match(message, /timeZone must be an IANA time zone .* not "Pacific"/);
  assert.match(message, /sources\[0\]\.delivers must be "snapshot" or "changes", not "everything"/);
  assert.match(message, /sources\[0\]\.id must be lower-case/);
  assert.match(message, /sources\[0\]\.colums is not a field of a profile/);
});

const TWICE = SOUND.replace('sources: [', 'sources: [source({ id: "licences" } as never), ');
for (const [text, says] of [
  ['export default {', /cannot be loaded/],
  ['export const city = {};', /no default export/],
  ["import { nonsense } from 'shingle/city'; export default nonsense;", /cannot be loaded.*nonsense/s],
  ['export default 7;', /not an object/],
  [TWICE, /two sources have the id "licences"/],
] as const)
  test(`a profile is refused: ${says.source}`, async () => assert.match(await complaint(text), says));
