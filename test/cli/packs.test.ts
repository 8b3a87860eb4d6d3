/** A register pack becomes the city of one town, with portals that answer as those of the publishers. */

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { command } from '../a-command.ts';
import { lastJson } from '../a-process.ts';
import { aSocrataState } from '../import/a-state-portal.ts';

const folder = mkdtempSync(join(tmpdir(), 'shingle-packs-'));
after(() => rmSync(folder, { recursive: true }));
const env = { SHINGLE_DATA: join(folder, 'data') };

test('oregon', async () => {
  const records = Array.from({ length: 300 }, (_, i) => ({
    registry_number: String(1000 + (i >> 1)),
    business_name: `HERON ${i >> 1} BAKERY LLC`,
    entity_type: 'DOMESTIC LIMITED LIABILITY COMPANY',
    registry_date: `2025-0${1 + (i % 9)}-11T00:00:00.000`,
    associated_name_type: ['PRINCIPAL PLACE OF BUSINESS', 'REGISTERED AGENT'][i % 2],
    first_name: i % 2 ? 'ODILE' : null,
    city: ['BEND', 'Bend', 'PORTLAND'][(i >> 1) % 3],
    state: 'OR',
    zip_code: '97701',
  }));
  const columns = Object.keys(records[0]!);
  const portal = await aSocrataState({ records, columns });
  const out = join(folder, 'bend');
  const ended = await command(
    ['init', 'oregon', '--town', 'bend', '--from', portal.url, '--out', out, '--no-install'],
    env,
  );
  console.error(ended.out, ended.err, portal.asked);
  console.error(readFileSync(join(out, 'city.yaml'), 'utf8'));
});
