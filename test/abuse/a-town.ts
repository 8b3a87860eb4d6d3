/** A town of 20,000 made-up listings, 5,000 in quick depth, behind the real HTTP server, and clients with any address, on a clock that the test moves. */

import type { IncomingHttpHeaders } from 'node:http';
import type { TestContext } from 'node:test';
import { random, weighted } from '../../cities/sample/random.ts';
import type { BuildRow } from '../../src/service/search/index/build.ts';
import type { ListingIndex } from '../../src/service/search/index/open.ts';
import type { Limits } from '../../src/shared/city/city-facts.ts';
import { atDepth } from '../depth.ts';
import { aRow, catalogueOf } from '../service/search/made-up.ts';
import { aDoor } from '../service/web/a-door.ts';
import { aClient } from './a-client.ts';

export const LISTINGS = atDepth(5_000, 20_000);
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

const FIRST =
  'Amber Birch Cedar Dover Elm Fern Garnet Heron Iris Juniper Kestrel Linden Maple Nettle Otter Plover Quail Rowan Sorrel Teal'.split(
    ' ',
  );
const SECOND =
  'Bakery Books Cafe Cleaners Dental Events Floors Grill Hardware Imports Jewelers Kitchen Lounge Motors Nails Optics'.split(
    ' ',
  );
export const KINDS = Array.from({ length: 24 }, (_, i) => `Kind ${String.fromCharCode(65 + i)}`);
export const QUARTERS = Array.from({ length: 18 }, (_, i) => `Quarter ${i + 1}`);
const STATES = ['open', 'expired', 'closed', 'unknown'] as const;

/** Every name is there once, so that it stands for its listing. One kind in one quarter is thousands of open listings. */
export function townRows(count = 20_000): BuildRow[] {
  const next = random(20_261_121);
  const pick = (from: readonly string[]) => from[Math.floor(next() * from.length)]!;
  return Array.from({ length: count }, (_, i) => {
    const isDense = i % 8 === 0;
    return aRow({
      key: String(i),
      arrival: i + 1,
      name: `${pick(FIRST)} ${pick(SECOND)} ${i}`,
      category: isDense ? KINDS[0]! : pick(KINDS),
      neighborhood: isDense ? QUARTERS[0]! : pick(QUARTERS),
      status: isDense ? 'open' : STATES[weighted(next, [7, 2, 1, 1])]!,
      filedOn: new Date(Date.UTC(2023, 0, 1) + (i % 1100) * DAY_MS).toISOString().slice(0, 10),
    });
  });
}

let town: ListingIndex | undefined;

export type Heard = { status: number; headers: IncomingHttpHeaders; text: string };

export type Town = {
  clock: { now: number };
  /** Asks as if from that address, the way a proxy would pass it on. A body makes it a POST of JSON. */
  ask(address: string, path: string, given?: { accept?: string; body?: unknown }): Promise<Heard>;
};

export async function aTown(t: TestContext, limits: Partial<Limits> = {}): Promise<Town> {
  town ??= catalogueOf(townRows(LISTINGS));
  const door = await aDoor(t, { catalogue: town, trustProxy: ['127.0.0.0/8'], limits });
  const client = aClient(door.port, 4);
  return {
    clock: door.clock,
    async ask(address, path, { accept = '*/*', body } = {}) {
      const json = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const headers = { 'x-forwarded-for': address, accept, ...type };
      const answer = await client.ask({ path, headers, ...json });
      return { status: answer.status, headers: answer.headers, text: answer.body.toString() };
    },
  };
}
