/** Characters that nobody sees are in nothing that is served, wherever they came from. */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { removeInvisibles, removeInvisiblesButJoiners } from '../../../src/shared/text/visible-text.ts';
import { aCity, type Filed, NOW } from '../../a-city.ts';
import { commandsOf } from '../../a-command.ts';
import { running } from '../../a-process.ts';
import { toolCall } from '../../an-answer.ts';
import { parsed } from '../../service/mail/a-mail-server.ts';
import { squaresInARow } from '../../squares.ts';
import { until } from '../../until.ts';

const INVISIBLE: Record<string, string> = {
  'zero-width space': '\u200b',
  'zero-width non-joiner': '\u200c',
  'zero-width joiner': '\u200d',
  'word joiner': '\u2060',
  'byte order mark': '\ufeff',
  'soft hyphen': '\u00ad',
  'right-to-left override': '\u202e',
  isolate: '\u2066',
  'tag letter': '\u{e0041}',
  'private use': '\ue000',
  'private use plane': '\u{f0000}',
  'Hangul filler': '\u3164',
  'variation selector': '\u{e0100}',
  'grapheme joiner': '\u034f',
};
const FOUND = /[\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]|(?![\r\n\t])\p{Cc}/u;
const ALL = Object.values(INVISIBLE).join('');
/** A word with all of them in its middle. */
const hide = (word: string): string => `${word.slice(0, 2)}${ALL}${word.slice(2)}`;

/** A city whose profile adds what rows do not have: by its verdict, its ZIPs, its boundaries and its words. */
function aHidingCity() {
  const city = aCity();
  city.file('map.json', squaresInARow(-120, 40, [{ name: hide('Harborside') }]));
  const hidden = (text: string) => JSON.stringify(hide(text));
  city.change(
    "region: 'Oregon'",
    `region: 'Oregon', boundaries: { file: 'map.json', property: 'name' },
     zips: { '97001': ${hidden('Zipland')} }, words: { 'status.open': ${hidden('trading')} }`,
  );
  const made = JSON.stringify({
    ...{
      category: `${hide('Made up')}\u0007\ud800`,
      neighborhood: hide('Madeville'),
      name: hide('Made Name'),
    },
  });
  city.change(
    'return opening({ key: row.ID, name: row.NAME, category: row.KIND, neighborhood: row.AREA,',
    `const where = row.AREA === 'map' ? { point: { longitude: -119.5, latitude: 40.5 } }
       : row.AREA === 'zip' ? { zip: '97001' } : { neighborhood: row.AREA };
     const made = row.WHAT === 'made' ? ${made} : {};
     return opening({ key: row.ID, name: row.NAME, category: row.KIND, ...where, ...made,`,
  );
  const [name, category, area] = [hidden('Renamed'), hidden('Rekinded'), JSON.stringify(ALL)];
  const renamed = `name: ${name}, category: ${category}, neighborhood: ${area}`;
  city.change("status: 'closed' })", `status: 'closed', ${renamed} })`);
  return city;
}

const ROWS: Filed[] = [
  { id: '1', name: hide('Blue Heron'), kind: hide('Restaurants'), area: hide('Old Town') },
  { id: '2', name: hide('Map Cafe'), area: 'map' },
  { id: '3', name: hide('Zip Cafe'), area: 'zip' },
  { id: '4', what: 'made' },
  { id: '5', name: 'Before', kind: 'Bars', area: 'Kept Area' },
  { id: '5', day: '2026-04-01', what: 'closure' },
  { id: '6', name: 'Nothing To See', kind: ALL, area: ALL },
];

const WANTED = [
  ['Blue Heron', 'Restaurants', 'Old Town', 'open'],
  ['Made Name', 'Made up', 'Madeville', 'open'],
  ['Map Cafe', 'Restaurants', 'Harborside', 'open'],
  ['Nothing To See', 'Uncategorized', 'Unknown', 'open'],
  ['Renamed', 'Rekinded', 'Kept Area', 'closed'],
  ['Zip Cafe', 'Restaurants', 'Zipland', 'open'],
];

test('no invisible character of a row or a profile reaches a page, the API, a feed, an agent or an email', async () => {
  const city = aHidingCity();
  await city.ingest([{ id: '0', name: 'Archive' }]);
  await commandsOf(city)('subscribers', 'add', 'ann@b.example', '--confirmed');
  await city.ingest([{ id: '0', name: 'Archive' }, ...ROWS]);
  const later = new Date(Date.parse(NOW) + 7 * 86_400_000).toISOString();
  const sent = await commandsOf(city)('weekly', 'send', '--now', later);
  assert.equal(sent.code, 0, sent.err);

  const service = await running(['serve'], city.env);
  const served: Record<string, string> = {};
  const read = async (path: string, init?: RequestInit) => {
    const answer = await fetch(service.url + path, init);
    assert.equal(answer.status, 200, path);
    served[path] = await answer.text();
    return served[path];
  };
  await until(async () => (await fetch(`${service.url}/api/search`)).ok, 'listings');
  const { listings } = JSON.parse(await read('/api/search')) as { listings: Record<string, string>[] };
  const facts = listings.map((one) => [one.name, one.category, one.neighborhood, one.status]);
  assert.deepEqual(
    facts.filter(([name]) => name !== 'Archive').toSorted(([a], [b]) => (a! < b! ? -1 : 1)),
    WANTED,
  );
  for (const path of [
    ...['/', '/?q=heron', '/?neighborhood=Old+Town', '/api/stats'],
    ...['/feed.json', '/feed.xml', '/llms.txt', '/docs'],
  ])
    await read(path);
  await read('/mcp', toolCall('search_listings'));
  assert.match(served['/']!, /trading/, 'the label of the status');
  assert.match(served['/']!, /Harborside/, 'the map');
  assert.equal(await service.stop(), 0);

  const [path] = globSync(`${city.config.dataFolder}/mail/*-weekly-*`);
  const mail = await parsed({ raw: readFileSync(path!, 'latin1'), to: [] });
  assert.match(mail.text!, /Blue Heron/);
  const email = `${mail.subject} ${mail.text} ${mail.html}`;
  served.email = email.replaceAll('–\u2060', '–'); // between days, which stay on one line
  for (const [where, text] of Object.entries(served)) {
    assert.equal(FOUND.exec(text)?.[0].codePointAt(0)?.toString(16), undefined, where);
    assert.doesNotMatch(text, /\\u200[b-f]|&#(8203|x200b);|\\ud[89ab]/i, where);
  }
});

test('letters do not change, and an invisible joiner stays only if the operator spells a value with it', () => {
  for (const text of ["Zoë's Café №5", '北京饭店', 'مقهى', 'कैफ़े', '🍕 Pizza', 'Ζαχαροπλαστείο', ''])
    assert.equal(removeInvisibles(text), text);
  assert.equal(removeInvisibles('کتاب\u200cخانه'), 'کتابخانه');
  assert.equal(removeInvisiblesButJoiners('کتاب\u200cخانه'), 'کتاب\u200cخانه');
  assert.equal(removeInvisibles('a\u2028b\u0000\nc'), 'a b c');
  for (const [what, character] of Object.entries(INVISIBLE))
    assert.equal(removeInvisibles(`a${character}b`), 'ab', what);
  for (const text of ['tr\u200d\u200cading', 'क्\u200dष', '\u200dab'])
    assert.equal(
      removeInvisiblesButJoiners(text),
      text.includes('क') ? text : text.replace(/[\u200c\u200d]/g, ''),
    );
  assert.equal(removeInvisiblesButJoiners(`a${ALL}b`), 'ab');
});
