/**
 * An outsider who rebuilds the listings from counts alone: every word letter by letter, then what each word belongs to by subtraction. It
 * asks through every door that answers with a number. A day's budget stops it.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { toolCall } from '../an-answer.ts';
import { catalogueOf } from '../service/search/made-up.ts';
import { aDoor } from '../service/web/a-door.ts';
import { DAY_MS, HOUR_MS, townRows } from './a-town.ts';

const LISTINGS = 1000;
const BUDGET = LISTINGS / 4; // the share that a client of a larger city has
const PACE_MS = 130; // as fast as a budget of 600 requests in any minute lasts

type Counted = { count: number; breakdowns?: number };
type Door = { asks(q: string): InjectOptions; reads(heard: LightMyRequestResponse): Counted };

const search = (q: string, more: string) => `/api/search?q=${encodeURIComponent(q)}${more}`;
const totalOf = (heard: LightMyRequestResponse): Counted => ({ count: heard.json().total });

/** Each says how many listings have the word, or a word with this beginning. */
const DOORS: Record<string, Door> = {
  'limit=0': { asks: (q) => ({ url: search(q, '&limit=0') }), reads: totalOf },
  counts: {
    asks: (q) => ({ url: `/api/stats?q=${encodeURIComponent(q)}` }),
    reads: (heard) => ({ ...totalOf(heard), breakdowns: Object.keys(heard.json().by_category).length }),
  },
  // past the first listing there is a page before, unless nothing matches
  HEAD: {
    asks: (q) => ({ method: 'HEAD', url: search(q, '&limit=1&offset=1') }),
    reads: ({ headers }) => ({ count: /rel="prev"/.test(String(headers.link)) ? 1 : 0 }),
  },
  count_listings: {
    asks(q) {
      const { body, ...call } = toolCall('count_listings', { q });
      return { ...call, url: '/mcp', payload: body };
    },
    reads: ({ body }) => ({
      count: JSON.parse(/^data: (.*)$/m.exec(body)![1]!).result.structuredContent.total,
    }),
  },
};

/** What a door answers an outsider; `undefined` when it is refused. */
async function through(app: FastifyInstance, { asks, reads }: Door, q: string): Promise<Counted | undefined> {
  const heard = await app.inject(asks(q));
  if (heard.statusCode === 429 || /"isError":true/.test(heard.body)) return undefined;
  assert.equal(heard.statusCode, 200, heard.body.slice(0, 300));
  return reads(heard);
}

test('a stranger who spells out words by counting letters is stopped within a day’s budget on every interface', async (t) => {
  const catalogue = catalogueOf(townRows(LISTINGS));
  const { app, clock } = await aDoor(t, { catalogue, limits: { rows: BUDGET } });
  const doors = Object.values(DOORS);
  const start = clock.now;
  const rebuilt = new Set<string>();
  let answered = 0;

  let checked = 0;
  const count = async (q: string, door: Door): Promise<number | undefined> => {
    clock.now += PACE_MS;
    const counted = await through(app, door, q);
    if (counted === undefined) {
      if (clock.now > start + DAY_MS) return undefined;
      // counts by month and category may cost more than the one that others cost
      if (door === DOORS['limit=0'] || door === DOORS.HEAD)
        for (const [name, other] of Object.entries(DOORS))
          assert.equal(await through(app, other, `unasked${checked++}`), undefined, name);
      clock.now += HOUR_MS;
      return count(q, door);
    }
    answered++;
    if (counted.count === 1 && counted.breakdowns === 1) rebuilt.add(q);
    return counted.count;
  };
  /** Whether it went on to the end of all words with this beginning. */
  const explore = async (beginning: string): Promise<boolean> => {
    for (const letter of '0123456789abcdefghijklmnopqrstuvwxyz') {
      const q = beginning + letter;
      const found = await count(q, doors[answered % doors.length]!);
      if (found === undefined || answered > 2 * BUDGET) return false;
      if (found === 0) continue;
      if ((await count(q, DOORS.counts!)) === undefined || !(await explore(q))) return false;
    }
    return true;
  };

  assert.equal(await explore(''), false, 'it has every word');
  t.diagnostic(`${answered} answers, which single out ${rebuilt.size} of ${LISTINGS} listings`);
  assert.ok(answered > BUDGET / 2 && answered <= 1.3 * BUDGET, `${answered} answers`); // a count asked again is free
  assert.ok(checked > 0, 'it was stopped');
  assert.ok(rebuilt.size > 0 && rebuilt.size < LISTINGS / 20, `${rebuilt.size} listings are singled out`);
});
