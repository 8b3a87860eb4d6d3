/** `shingle init` on a real terminal (one that `script` makes): one screen of roles to confirm, and what no file tells. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';
import { two } from '../../register/survey/a-register.ts';
import { noTerminal, onTerminal, type Step } from './a-terminal.ts';

const skip = noTerminal;
const folder = aFolder();

const register = join(folder, 'register.csv');
const TYPES = ['Bakery', 'Special Event Vendor', 'Nail Salon', 'Plumber'];
const TOWNS = ['OTTERFALL', 'OTTERFALL', 'OTTERFALL', 'MILLRACE'];
writeFileSync(
  register,
  [
    'Account,Trade Name,Town,Type,Licensed Date,Permit Date,Zip',
    ...Array.from({ length: 200 }, (_, i) => {
      const [licensed, permitted] = [`2024-${two(1 + (i % 12))}-01`, `2024-${two(1 + (i % 12))}-15`];
      return `A${i},Heron Wharf ${i},${TOWNS[i % 4]},${TYPES[i % 4]},${licensed},${permitted},8020${i % 3}`;
    }),
  ].join('\n'),
);

const ENTER = '\r';

/** Runs init on a terminal, answers each question when it is asked, and returns what was on the screen and the mapping. */
async function initOn(out: string, steps: readonly Step[]): Promise<{ screen: string; text: string }> {
  const args = `init '${register}' --out '${out}' --no-install`;
  const { code, screen, unasked } = await onTerminal(args, { SHINGLE_DATA: join(folder, 'data') }, steps);
  assert.equal(code, 0, screen);
  assert.deepEqual(unasked, [], screen);
  return { screen, text: readFileSync(join(out, 'city.yaml'), 'utf8') };
}

const FACTS = [
  'State or region',
  'Time zone',
  'Who publishes',
  'Web address',
  'Under which license',
  'boundaries',
];
/** Enter does not confirm a date that is in doubt: it asks for its column, and takes the same one. */
const DOUBTED = ['Is this right?', 'Which column is "filed"?', 'Is this right?'];
const entered = (questions: readonly string[]): Step[] => questions.map((says) => [says, ENTER]);

test('Enter accepts each guess of init: the name, the columns and the facts', { skip }, async () => {
  const steps = entered(['Name of the city', ...DOUBTED, ...FACTS]);
  const { screen, text } = await initOn(join(folder, 'entered'), steps);
  assert.match(text, /^name: Otterfall$/m);
  assert.match(text, /^timeZone: America\/Denver$/m);
  assert.match(text, /town: \{ column: Town, keep: \[ OTTERFALL \] \}/);
  assert.match(text, /filed: \{ column: Licensed Date, format: YYYY-MM-DD \}/);
  assert.match(screen, /filed\s+Licensed Date\s+2024-01-01 \|/, 'cells of the file stand beside the choice');
  assert.match(screen, /or: Permit Date/);
  assert.match(screen, /200 rows = 100 openings/);
});

test('a number chooses another column, typed answers change the facts, and a question mark explains a question', {
  skip,
}, async () => {
  const steps: Step[] = [
    ['Name of the city', `Otterfall Bay${ENTER}`],
    ['Is this right?', ENTER],
    ['Which column is "filed"?', `8${ENTER}`], // no column
    ['Is this right?', `2${ENTER}`],
    ['Is this right?', ENTER],
    ['Which column is "filed"?', `2${ENTER}`],
    ['Is this right?', ENTER],
    ['State or region', `Colorado${ENTER}`],
    ['Time zone', `Mars/Olympus${ENTER}`],
    ['Use an IANA time zone', `America/Phoenix${ENTER}`],
    ['Who publishes', ` City of Otterfall ${ENTER}`],
    ['Web address', `https://data.otterfall.example/r${ENTER}`],
    ['Under which license', `?${ENTER}`],
    ['The license or terms that the publisher states', `CC0-1.0${ENTER}`],
    ['boundaries', `zip${ENTER}`],
  ];
  const { text, screen } = await initOn(join(folder, 'answered'), steps);
  assert.match(screen, /Without a column for "filed", nothing can be served/);
  const asked = screen.slice(0, screen.indexOf('Which column is "filed"?'));
  const offered = asked.slice(asked.lastIndexOf('  1. '));
  for (const column of ['Permit Date', 'Trade Name', 'Zip'])
    assert.equal(offered.split(column).length, 2, `${column} is offered once: ${offered}`);
  for (const line of [
    /^name: Otterfall Bay$/m,
    /^region: Colorado$/m,
    /^timeZone: America\/Phoenix$/m,
    /filed: \{ column: Permit Date,/,
    /publisher: City of Otterfall$/m,
    /homepage: https:\/\/data\.otterfall\.example\/r$/m,
    /license: CC0-1\.0$/m,
    /neighborhood: \{ postalCode: Zip \}/,
  ])
    assert.match(text, line);

  // Every question has an option: the same city without a terminal.
  const out = join(folder, 'scripted');
  const options = {
    ...{
      name: 'Otterfall Bay',
      region: 'Colorado',
      'time-zone': 'America/Phoenix',
      use: 'filed=Permit Date',
    },
    ...{ publisher: 'City of Otterfall', homepage: 'https://data.otterfall.example/r', license: 'CC0-1.0' },
  };
  const args = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]);
  const env = { SHINGLE_DATA: join(folder, 'data') };
  const made = await command(
    ['init', register, '--out', out, '--postal-codes', '--no-install', ...args],
    env,
  );
  assert.equal(made.code, 0, made.err);
  assert.equal(readFileSync(join(out, 'city.yaml'), 'utf8'), text);
});
