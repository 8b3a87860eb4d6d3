/** An HTTP server on a free port, over made-up listings, with a clock that the test moves. */

import type { TestContext } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../../../src/app/web/app.ts';
import { defineCity, skip } from '../../../src/register/profile/define.ts';
import { csv } from '../../../src/register/profile/formats.ts';
import type { BuildRow } from '../../../src/service/search/index/build.ts';
import type { ListingIndex } from '../../../src/service/search/index/open.ts';
import type { SubscriptionService } from '../../../src/service/subscribers/subscription-service.ts';
import { MAX_CONNECTIONS } from '../../../src/service/web/connections.ts';
import type { Services } from '../../../src/service/web/context.ts';
import { openMetrics } from '../../../src/service/web/metrics.ts';
import { aRow, catalogueOf } from '../search/made-up.ts';

/** The edition that announced all of the listings. */
export const AN_EDITION = '2026-11-16';

export const CITY = defineCity({
  name: 'Rivermouth',
  region: 'CA',
  timeZone: 'America/Los_Angeles',
  archive: false, // its days are fixed
  operator: { name: 'Rivermouth Library', contact: 'listings@rivermouth.example' },
  sources: [
    {
      id: 'licences',
      publisher: 'City of <Rivermouth>',
      homepage: 'https://data.rivermouth.example/licences',
      license: 'CC0',
      checked: 'documentation',
      from: csv(),
      delivers: 'snapshot',
      columns: ['id'],
      verdict: () => skip('none'),
    },
  ],
});

/** Listings named `SHOP 0` and so on, one category in three, filed on the days of November in turn. */
export function someRows(count: number): BuildRow[] {
  return Array.from({ length: count }, (_, i) =>
    aRow({
      key: String(i),
      name: i % 2 === 0 ? `SHOP ${i}` : `CAFÉ ${i}`,
      category: ['Restaurants', 'Auto Repair', 'Uncategorized'][i % 3]!,
      neighborhood: i % 5 === 0 ? 'Unknown' : 'Café Row',
      filedOn: `2026-11-${String(1 + (i % 20)).padStart(2, '0')}`,
      edition: AN_EDITION,
      arrival: i + 1,
    }),
  );
}

/** The index of a door, on the day of its clock. */
export function anIndex(rows: readonly BuildRow[], version = 'v1', language?: string): ListingIndex {
  return catalogueOf(rows, { version, language, day: '2026-11-20', editions: [AN_EDITION] });
}

/** Which clients share budgets by chance must not differ from run to run. */
export const SECRET = 'a fixed secret';

export type Opened = {
  app: FastifyInstance;
  url: string;
  port: number;
  /** Every path, with an edition that is there. */
  paths: readonly string[];
  /** Milliseconds; the test moves it. */
  clock: { now: number };
  warnings: string[];
  close(): Promise<void>;
  get(path: string, init?: RequestInit): Promise<Response>;
};

/** The runner keeps what runs after a test to the end of the process: 18 MB for each door, unless it lets go of it. */
function letGoAfter(t: Pick<TestContext, 'after'>, held: { close: () => Promise<void> }): void {
  t.after(async () => {
    const { close } = held;
    held.close = async () => undefined;
    await close();
  });
}

/** Closed when the test, or whatever else is given, ends. `catalogue: null` is a door before the first run. */
export async function aDoor(
  t: Pick<TestContext, 'after'>,
  given: Partial<Services> & {
    catalogue?: (() => ListingIndex | undefined) | ListingIndex | null;
    /** What is served, where no `catalogue` is given. */
    rows?: readonly BuildRow[];
    /** Further routes. */
    routes?: (app: FastifyInstance) => void;
  } = {},
): Promise<Opened> {
  const {
    rows = someRows(60),
    catalogue = anIndex(rows, 'v1', given.city?.language),
    routes,
    ...services
  } = given;
  const clock = { now: Date.parse('2026-11-21T03:00:00Z') };
  const warnings: string[] = [];
  const app = buildApp(
    {
      city: CITY,
      version: '1.0.0',
      index: typeof catalogue === 'function' ? catalogue : () => catalogue ?? undefined,
      subscriptions: {} as SubscriptionService,
      outline: () => undefined,
      dataAsOf: () => (catalogue === null ? null : '2026-11-19T04:10:00.000Z'),
      health: () => ({ status: catalogue === null ? 'fail' : 'ok', detail: [] }),
      now: () => clock.now,
      publicUrl: 'https://rivermouth.example',
      trustProxy: [],
      limits: undefined,
      secret: SECRET,
      log: {
        warn(sentence, reference) {
          warnings.push([sentence, reference].join(' ').trim());
          return reference;
        },
      },
      ...services,
    },
    routes === undefined ? {} : { routes },
  );
  const url = await app.listen({ host: '127.0.0.1', port: 0, backlog: MAX_CONNECTIONS });
  let closed: Promise<void> | undefined;
  const held = {
    close: () => {
      closed ??= app.close();
      return closed;
    },
  };
  letGoAfter(t, held);
  return {
    app,
    url,
    port: Number(new URL(url).port),
    paths: app.targets().map(({ path }) => path.replace(':edition', AN_EDITION)),
    clock,
    warnings,
    close: () => held.close(),
    get: (path, init) => fetch(url + path, { redirect: 'manual', ...init }),
  };
}

/** A door whose clients are named by a header, and the listings that they were charged for. */
export async function aCountingDoor(t: TestContext, given: Parameters<typeof aDoor>[1]) {
  const metrics = openMetrics();
  const door = await aDoor(t, { metrics, trustProxy: ['127.0.0.0/8'], mayEmbed: true, ...given });
  let clients = 0;
  return {
    ...door,
    charged: () => Number(/^shingle_listings_charged_total (\d+)$/m.exec(metrics.text([]))?.[1] ?? 0),
    newClient: () => ({ 'X-Forwarded-For': `10.0.${++clients >> 8}.${clients & 255}` }),
  };
}

/** An app that answers nothing, for what can be said about it. */
export async function describeApp<Value>(describe: (app: FastifyInstance) => Value): Promise<Awaited<Value>> {
  const app = buildApp({
    ...{ city: CITY, version: '1.0.0', publicUrl: 'https://rivermouth.example', trustProxy: [] },
    ...{ index: () => undefined, outline: () => undefined, dataAsOf: () => null, now: Date.now },
    limits: undefined,
    mayEmbed: true,
    health: () => ({ status: 'ok', detail: [] }),
    log: { warn: () => undefined },
    subscriptions: {} as SubscriptionService,
  });
  await app.ready();
  const value = await describe(app);
  await app.close();
  return value;
}

/** The OpenAPI document, as programs get it. */
export async function openApiDocument(): Promise<unknown> {
  return describeApp(async (app) => JSON.parse((await app.inject('/openapi.json')).body));
}
