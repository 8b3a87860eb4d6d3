/** What is compared every day: what is served, and what is stored of people. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../src/config.ts';
import type { Machine } from './machine.ts';
import type { People, Person } from './people.ts';
import type { Register } from './register.ts';

const DAY = 86_400_000;
const PENDING_DAYS = 7;
const LEFT_DAYS = 30;

type Parts = {
  machine: Machine;
  register: Register;
  people: People;
  config: Config;
  now: number;
  wrong(sentence: string): void;
};

export async function checkDay(parts: Parts): Promise<void> {
  await checkPages(parts);
  await checkPeople(parts);
  checkFiles(parts);
}

async function checkPages({ machine, register, wrong }: Parts): Promise<void> {
  if (machine.index === undefined) return;
  const visible = register.visible();
  const get = async (url: string, accept = 'application/json') => {
    const asked = { method: 'GET', url, headers: { accept }, remoteAddress: '198.51.100.7' } as const;
    for (;;) {
      const answer = await machine.inject(asked);
      if (answer !== undefined) return answer.value.body;
    }
  };
  const stats = JSON.parse(await get('/api/stats')) as {
    total: number;
    by_category: { category: string; count: number }[];
    by_neighborhood: { neighborhood: string; count: number }[];
  };
  const counted = (by: 'kind' | 'area') =>
    JSON.stringify(
      Object.entries(Object.groupBy(visible, (one) => one[by]))
        .map(([value, all]) => [value, all!.length])
        .toSorted(),
    );
  const same = (what: string, is: unknown, expected: unknown) => {
    if (is !== expected) wrong(`${what}: ${is}, and in the register ${expected}`);
  };
  same('total', stats.total, visible.length);
  const kinds = stats.by_category.map(({ category, count }) => [category, count]);
  const areas = stats.by_neighborhood.map(({ neighborhood, count }) => [neighborhood, count]);
  same('categories', JSON.stringify(kinds.toSorted()), counted('kind'));
  same('neighborhoods', JSON.stringify(areas.toSorted()), counted('area'));
  const closed = JSON.parse(await get('/api/search?status=closed&limit=1')) as { total: number };
  same('closed', closed.total, visible.filter(({ status }) => status === 'closed').length);
  const page = await get('/', 'text/html');
  if (!page.includes(visible.length.toLocaleString('en'))) wrong(`the page does not say ${visible.length}`);
  for (const name of register.hidden()) {
    const found = JSON.parse(await get(`/api/search?q=${encodeURIComponent(name)}`)) as {
      listings: { name: string }[];
    };
    if (page.includes(`>${name}<`) || found.listings.some((one) => one.name === name))
      wrong(`${name} is hidden, and served`);
  }
}

async function checkPeople({ machine, people, now, wrong }: Parts): Promise<void> {
  const stored = new Map((await machine.service.store.subscribers.all()).map((one) => [one.address, one]));
  for (const person of people.all()) {
    if (person.wish !== undefined || person.isUnknown) continue;
    const { address, refusedAt, subscriptions } = stored.get(person.email) ?? {};
    const is = subscriptions?.[0];
    const states = expectStates(person, now);
    if (!states.includes(is?.state))
      wrong(`${person.email} is ${is?.state}, acknowledged was ${person.state}`);
    if (person.state !== 'confirmed' || address === undefined) continue;
    const { categories, neighborhoods } = person.wanted;
    const [kinds, areas] = is!.preferences === null ? [[], []] : JSON.parse(is!.preferences);
    if (
      JSON.stringify([kinds, areas].map((one) => one.toSorted())) !==
      JSON.stringify([categories, neighborhoods].map((one) => one.toSorted()))
    )
      wrong(`${person.email} chose ${JSON.stringify(person.wanted)}, stored is ${is!.preferences}`);
    if ((refusedAt !== null) !== person.isStopped)
      wrong(`${person.email} is stopped at ${refusedAt}: ${JSON.stringify(person)}`);
  }
  const known = new Set(people.all().map(({ email }) => email));
  for (const address of stored.keys())
    if (!known.has(address)) wrong(`${address} is stored, and never signed up`);
}

/** Old signups and departures are deleted, within a day. */
function expectStates({ state, since }: Person, now: number): (string | undefined)[] {
  const days = (now - since) / DAY;
  const end = { pending: PENDING_DAYS, left: LEFT_DAYS }[state as string];
  if (end === undefined) return [state === 'confirmed' ? state : undefined];
  return days < end ? [state] : days < end + 1 ? [state, undefined] : [undefined];
}

/** From the first backup after it was erased an address is in no file but in older backups. */
function checkFiles({ people, config: { dataFolder }, now, wrong }: Parts): void {
  const erased = people
    .all()
    .filter(({ state, since }) => state === 'erased' && now - since > 1.1 * DAY && now - since < 4 * DAY);
  if (erased.length === 0) return;
  for (const name of readdirSync(dataFolder).filter((one) => /^shingle\.db|\.log$/.test(one))) {
    const path = join(dataFolder, name);
    const text = existsSync(path) ? readFileSync(path, 'latin1') : '';
    for (const { email } of erased) if (text.includes(email)) wrong(`${email} was erased, and is in ${name}`);
  }
}
