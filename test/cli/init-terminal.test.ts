/** `shingle init` on a real terminal (one that `script` makes) asks what no file tells, and takes its own guess for an empty answer. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { machineEnv } from '../environment.ts';
import { PATIENCE_MS } from '../patience.ts';

const SCRIPT = '/usr/bin/script';
const ENTRY = fileURLToPath(new URL('../../bin/shingle.mjs', import.meta.url));
const skip = !existsSync(SCRIPT) && process.env.CI === undefined && `needs ${SCRIPT}`;
const folder = mkdtempSync(join(tmpdir(), 'shingle-terminal-'));
after(() => rmSync(folder, { recursive: true }));

const two = (n: number) => String(n).padStart(2, '0');
const register = join(folder, 'register.csv');
const TYPES = ['Bakery', 'Special Event Vendor', 'Nail Salon', 'Plumber'];
const TOWNS = ['OTTERFALL', 'OTTERFALL', 'OTTERFALL', 'MILLRACE'];
writeFileSync(
  register,
  [
    'Account,Trade Name,Town,Type,Licensed Date,Permit Date,Latitude,Longitude',
    ...Array.from({ length: 200 }, (_, i) => {
      const [licensed, permitted] = [`2024-${two(1 + (i % 12))}-01`, `2024-${two(1 + (i % 12))}-15`];
      return `A${i},Heron Wharf ${i},${TOWNS[i % 4]},${TYPES[i % 4]},${licensed},${permitted},39.5${i},-104.9${i}`;
    }),
  ].join('\n'),
);

/** Runs init on a terminal, types the answers ahead, and returns what was on the screen and the draft. */
async function initOn(
  out: string,
  answers: readonly string[],
  place = register,
): Promise<{ screen: string; text: string }> {
  const command = `'${process.execPath}' '${ENTRY}' init '${place}' --out '${out}'`;
  const child = spawn(SCRIPT, ['-qec', command, '/dev/null'], {
    env: { ...machineEnv(), SHINGLE_DATA: join(folder, 'data'), TERM: 'xterm' },
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
  });
  child.stdin.write(answers.map((answer) => `${answer}\n`).join(''));
  const [code] = await once(child, 'close');
  assert.equal(code, 0, screen);
  return { screen, text: readFileSync(join(out, 'city.ts'), 'utf8') };
}

test('answers change the draft: the city, the town, the zone, the day of filing, and what is a new business', {
  skip,
}, async () => {
  const answers = [
    'Otterfall Bay',
    'Northbank',
    'millrace',
    'Mars/Olympus',
    'America/Phoenix',
    '2',
    'yes',
    '',
  ];
  const { screen, text } = await initOn(join(folder, 'answered'), answers);
  assert.match(text, /name: 'Otterfall Bay'/);
  assert.match(text, /TOWN: string\[\] = \['millrace'\]/);
  assert.match(screen, /No row has "Northbank"\./);
  assert.match(screen, /Use an IANA time zone/);
  assert.match(text, /TIME_ZONE = 'America\/Phoenix'/);
  assert.match(text, /filed on Permit Date/);
  assert.ok(!text.includes('NO_NEW_BUSINESS'), text);
  assert.match(screen, /2024-01-01\s+\|\s+2024-01-15/, 'rows of the file are shown beside the choice');
  assert.match(screen, /200 rows = 50 openings/);
});

test('Enter takes the guess, and there are at most six questions', { skip }, async () => {
  const { screen, text } = await initOn(join(folder, 'entered'), Array(6).fill(''));
  assert.match(text, /name: 'Otterfall'/);
  assert.match(text, /TOWN: string\[\] = \['OTTERFALL'\]/);
  assert.match(text, /TIME_ZONE = 'America\/Denver'/);
  assert.match(text, /NO_NEW_BUSINESS: string\[\] = \['Special Event Vendor'\]/);
  assert.match(screen, /npm start/);
  for (const question of [
    'Name of the city or county',
    'Type the town to keep',
    'Time zone, such as',
    '1 or 2',
    'Type yes or no',
    'press Enter for none',
  ])
    assert.ok(screen.includes(question), `${question}\n${screen}`);
});

test('a ZIP area stands in for a neighborhood only where the answer says so', { skip }, async () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `A${i},Heron Wharf ${i},Bakery,2024-01-${two(1 + (i % 28))},8020${i % 3}`,
  );
  const place = join(folder, 'zips.csv');
  writeFileSync(place, ['Account,Trade Name,Type,Licensed Date,Zip', ...rows].join('\n'));
  const silent = await initOn(join(folder, 'silent'), Array(6).fill(''), place);
  assert.match(silent.screen, /zip to show areas such as "ZIP 80200" in their place/);
  assert.match(silent.screen, /with a neighborhood: 0\.0 %/);
  const { screen, text } = await initOn(join(folder, 'zips'), ['Otterfall', '', 'zip'], place);
  assert.match(text, /neighborhood: zipArea\(row\.Zip\),/);
  assert.match(screen, /with a neighborhood: 100\.0 %/);
});
