/** The machine's time zone and language change no text for people, programs or operators. */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { aCity, type SmallCity } from '../../a-city.ts';
import { running, shingle } from '../../a-process.ts';
import { addSubscribers } from '../../a-subscriber.ts';
import { parsed } from '../../service/mail/a-mail-server.ts';
import { until } from '../../until.ts';

const MACHINES = [
  { TZ: 'America/St_Johns', LC_ALL: 'en_US.UTF-8' },
  { TZ: 'Pacific/Auckland', LC_ALL: 'tr_TR.UTF-8' },
];
const LISTINGS = 2_345;
const MONDAY = '2026-11-23T18:00:00.000Z';
const PATHS = [
  ...['/', '/?q=business&status=open&offset=25'],
  ...['/api/search?q=business', '/api/stats', '/feed.json', '/feed.xml'],
  ...['/docs', '/openapi.json', '/llms.txt'],
];

const [city, archive] = [aCity(), aCity()];
archive.change("region: 'Oregon',", "region: 'Oregon', asOf: '2025-12-28',"); // its pages know no other day
const file = city.csv(LISTINGS);
const news = city.csv(2 * LISTINGS);

before(async () => {
  for (const one of [city, archive]) {
    const service = await one.open('2026-11-16T12:00:00.000Z');
    await service.ingest({ from: file });
    await addSubscribers(service.store, ['ann@b.example'], { at: service.now() });
    await service.ingest({ from: news });
    await service.close();
  }
});

/** Says it on each of the machines, with a data folder of its own. */
async function sayOnEach(
  { copyData, env }: SmallCity,
  say: (env: Record<string, string>) => Promise<string>,
): Promise<void> {
  const own = () => ({ ...env, SHINGLE_DATA: copyData(), PUBLIC_URL: 'https://rivermouth.example' });
  const said = await Promise.all(MACHINES.map((machine) => say({ ...own(), ...machine })));
  for (const one of said) {
    assert.match(one, /2,345|4,690/, 'there is a number to be told in some way');
    assert.equal(one, said[0]);
  }
}

test('pages and answers are the same on machines of any time zone and language', () =>
  sayOnEach(archive, async (env) => {
    const { url, stop } = await running(['serve'], env);
    const get = async (path: string) => {
      const answer = await fetch(url + path);
      return answer.status === 200 ? answer.text() : undefined;
    };
    const all = await until(() => get('/'), 'the first page');
    const rest: string[] = []; // one after the other: eight at once are a load for a service that has just started
    for (const path of PATHS) rest.push(await until(() => get(path), path));
    assert.equal(await stop(), 0);
    return [all, ...rest].join('\n');
  }));

test('a report on a file is the same on machines of any time zone and language', () =>
  sayOnEach(city, async (env) => {
    const { code, out, err } = await shingle(['check', '--from', file, '--now', MONDAY], env);
    assert.equal(code, 3, err); // an older copy, as half of the rows that were kept since
    return out;
  }));

test('the weekly email is the same on machines of any time zone and language', () =>
  sayOnEach(city, async (env) => {
    const { code, err } = await shingle(['weekly', 'send', '--now', MONDAY], env);
    assert.equal(code, 0, err);
    const [name] = globSync(`${env.SHINGLE_DATA}/mail/*-weekly-*.eml`);
    const { text, html, subject, date } = await parsed({ raw: readFileSync(name!, 'latin1'), to: [] });
    return [subject, date, text, html].join('\n').replaceAll(/(token|manage)=[\w-]+/g, '$1=T');
  }));
