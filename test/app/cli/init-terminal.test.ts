/** `shingle init` on a real terminal (one that `script` makes): one screen of roles to confirm, and what no file tells. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { two } from '../../register/survey/a-register.ts';
import { noTerminal, onTerminal, type Step } from './a-terminal.ts';
import { anExportFolder } from './an-export.ts';

const skip = noTerminal;
const { folder, env, csv, init, yaml } = anExportFolder();
const TYPES = ['Bakery', 'Special Event Vendor', 'Nail Salon', 'Plumber'];
const register = csv('Account,Trade Name,Town,Type,Licensed Date,Permit Date,Zip', 200, (i) => {
  const month = `2024-${two(1 + (i % 12))}`;
  const town = i % 4 === 3 ? 'MILLRACE' : 'OTTERFALL';
  return `A${i},Heron Wharf ${i},${town},${TYPES[i % 4]},${month}-01,${month}-15,8020${i % 3}`;
});

const ENTER = '\r';

/** Runs init on a terminal, answers each question when it is asked, and returns what was on the screen and the mapping. */
async function initOn(out: string, steps: readonly Step[]): Promise<{ screen: string; text: string }> {
  const args = `init '${register}' --out '${join(folder, out)}' --no-install`;
  const { code, screen, unasked } = await onTerminal(args, env, steps);
  assert.equal(code, 0, screen);
  assert.deepEqual(unasked, [], screen);
  return { screen, text: yaml(out) };
}

const FACTS = ['State or region', 'Time zone', 'Who publishes', 'Web address', 'Under which license'];
/** Enter does not confirm a date that is in doubt: it asks for its column, and takes the same one. */
const DOUBTED = ['Is this right?', 'Which column is "filed"?', 'Is this right?'];
const entered = (questions: readonly string[]): Step[] => questions.map((says) => [says, ENTER]);

test('Enter accepts each guess of init: the name, the columns and the facts', { skip }, async () => {
  const steps = entered(['Name of the city', ...DOUBTED, ...FACTS, 'boundaries']);
  const { screen, text } = await initOn('entered', steps);
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
  const { text, screen } = await initOn('answered', steps);
  assert.match(screen, /Without a column for "filed", nothing can be served/);
  const asked = screen.slice(0, screen.indexOf('Which column is "filed"?'));
  const offered = asked.slice(asked.lastIndexOf('  1. '));
  for (const column of ['Permit Date', 'Trade Name', 'Zip'])
    assert.equal(offered.split(column).length, 2, `${column} is offered once: ${offered}`);
  for (const line of [
    ...['name: Otterfall Bay', 'region: Colorado', 'timeZone: America/Phoenix', 'license: CC0-1.0'],
    ...[
      'filed: { column: Permit Date,',
      'publisher: City of Otterfall\n',
      'neighborhood: { postalCode: Zip }',
    ],
    'homepage: https://data.otterfall.example/r\n',
  ])
    assert.ok(text.includes(line), line);

  // Every question has an option: the same city without a terminal.
  const options = {
    ...{ name: 'Otterfall Bay', region: 'Colorado', 'time-zone': 'America/Phoenix', license: 'CC0-1.0' },
    ...{ publisher: 'City of Otterfall', homepage: 'https://data.otterfall.example/r' },
    use: 'filed=Permit Date',
  };
  const args = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]);
  const made = await init(register, 'scripted', '--postal-codes', ...args);
  assert.equal(made.code, 0, made.err);
  assert.equal(yaml('scripted'), text);
});
