/** The operator is told what needs a person: over real SMTP, at once, and at most once a day, whatever happens in between. */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openConcernWatch, tellOperator } from '../../../src/app/operations/concern-watch.ts';
import { openService, type Service } from '../../../src/app/operations/service.ts';
import { serveCity } from '../../../src/app/operations/serving.ts';
import type { Config } from '../../../src/config.ts';
import { type ConcernKind, makeConcern } from '../../../src/service/mail/alerts.ts';
import { openMetrics } from '../../../src/service/web/metrics.ts';
import { aCity, MAIL_ENV, type SmallCity } from '../../a-city.ts';
import { UNWARNED, warningsTo } from '../../a-log.ts';
import { running, shingle } from '../../a-process.ts';
import { atDepth } from '../../depth.ts';
import { aServer } from '../../service/database/a-postgres.ts';
import { aMailServer, type Mail, parsed } from '../../service/mail/a-mail-server.ts';
import { until } from '../../until.ts';

const MONDAY = Date.parse('2026-11-23T16:00:00Z');
const HOUR = 3_600_000;
const hourly = (hours: number) => new Date(MONDAY + hours * HOUR).toISOString();
const TO = 'ops@chamber.example';
const FROM = { name: 'Rivermouth', address: 'news@rivermouth.example' };
const PLAIN = { host: '127.0.0.1', secure: false, requireTls: false, user: undefined, password: undefined };

/** A town whose newest run was held an hour before, because the file had shrunk. */
async function aHeldTown(now = MONDAY, databaseUrl?: string): Promise<SmallCity> {
  const city = aCity();
  city.config.databaseUrl = databaseUrl;
  for (const count of [40, 4]) await city.ingest(count, new Date(now - HOUR).toISOString());
  return city;
}

/** The service of a town with this mail server. */
function watching(city: SmallCity, port: number | undefined) {
  const smtp = port === undefined ? undefined : { ...PLAIN, port };
  const config: Config = {
    ...city.config,
    ...{ alertEmail: TO, publicUrl: 'https://rivermouth.example' },
    mail: { smtp, from: FROM, postalAddress: '1 Quay Street', bounces: undefined },
  };
  /** Does this after so many hours. */
  const at = async (hours: number, does: (service: Service) => Promise<unknown>) => {
    const service = await openService(config, () => hourly(hours));
    await does(service);
    await service.close();
  };
  return {
    at,
    /** Starts the service after so many hours, lets it look once and stops it; answers what it logged. */
    async look(hours: number): Promise<string[]> {
      const logged: string[] = [];
      await at(hours, async (service) => (await serveCity(service, warningsTo(logged))).close());
      return logged;
    },
  };
}

function watchOf(service: Service, logged: string[], more: Partial<Parameters<typeof openConcernWatch>[1]>) {
  const facts = { command: 'serve', metrics: openMetrics(), seesStore: () => true } as const;
  return openConcernWatch(service, { ...facts, addNews: (read) => read, log: warningsTo(logged), ...more });
}

const HELD =
  'Run 2 of licences was held: this file has 4 rows, fewer than 90 % of the 40 rows of run 1, the last one kept.';
const idsOf = (mails: readonly Mail[]): (string | undefined)[] => mails.map(({ messageId }) => messageId);

test('alerts report a held run at once, and then every day until it is accepted', async () => {
  const city = await aHeldTown();
  const server = await aMailServer();
  const { look, at } = watching(city, server.port);
  const logged = await look(0);
  const [mail] = await server.mails(1);
  const { rcpt, from, subject } = mail!;
  const wanted = [[TO], FROM.address, 'Rivermouth: run 2 of licences was held'];
  assert.deepEqual([rcpt, from?.address, subject], wanted);
  const text = mail!.text!.replaceAll(/\s+/g, ' ');
  for (const piece of [
    `${HELD} Since 2026-11-23 15:00 UTC.`,
    '* See why: npx shingle runs show 2 * Accept it as it is: npx shingle ingest --accept 2',
    'Sent by Shingle at https://rivermouth.example to ALERT_EMAIL, at most once in 24 hours',
  ])
    assert.ok(text.includes(piece), `${piece} in\n${mail!.text}`);
  assert.ok(mail!.html?.includes('npx shingle ingest --accept 2'));
  const headers = Object.fromEntries(mail!.headers.map(({ key, value }) => [key, value]));
  assert.equal(headers['auto-submitted'], 'auto-generated');
  assert.doesNotMatch(Object.keys(headers).join(), /list-/);
  assert.doesNotMatch(mail!.raw, /unsubscribe|token=|not set|fill in/i);
  assert.match(logged.join('\n'), /^run 2 of licences was held: /m);
  for (const hours of [1, 23]) await look(hours);
  assert.equal(server.arrived.length, 1, 'restarts within a day');
  await look(24);
  assert.equal(server.arrived.length, 2, 'a day later it still lasts');
  await at(30, (service) => service.accept(2));
  await look(49);
  assert.equal(server.arrived.length, 2, 'what is over is no reason to write');
  await at(50, (service) => service.ingest({ from: city.file('c.csv', 'A,B\n1,2\n') }));
  await look(51);
  assert.equal(server.arrived.length, 2, 'a failed run is tried again before anybody is told');
  await look(53);
  const last = (await server.mails(3))[2]!;
  assert.equal(last.subject, 'Rivermouth: run 3 of licences failed');
  assert.doesNotMatch(last.text!, /run\s+2/, 'what is over is not told');
  assert.equal(new Set(idsOf(await server.mails(3))).size, 3);
});

const KILLS: [when: string, point: string, mails: number][] = [
  ['when the mail server had it', 'message:accepted 1', 2], // here an alert may be sent twice
  ['before it was sent', 'alert:claimed 1', 1],
  ['when it was marked as sent', 'alert:marked 1', 1],
];
for (const [when, point, mails] of atDepth(KILLS.slice(0, 1), KILLS))
  test(`after a kill ${when}, the next start sends the alert, and no later start sends it again that day`, async () => {
    const city = await aHeldTown(Date.now());
    const server = await aMailServer();
    const env = { ...city.env, ...MAIL_ENV, SMTP_URL: server.url, ALERT_EMAIL: TO };
    assert.equal((await shingle(['serve'], { ...env, PORT: '0', DIES_AT: point })).code, null);
    for (let starts = 0; starts < 2; starts++) assert.equal(await (await running(['serve'], env)).stop(), 0);
    const all = await server.mails(mails);
    assert.equal(all.length, mails);
    assert.equal(new Set(idsOf(all)).size, 1, 'the same Message-ID');
  });

test('only one of two instances on PostgreSQL sends the alert', async () => {
  const primary = await aServer();
  const city = await aHeldTown(MONDAY, await primary.migrated());
  const server = await aMailServer();
  const { look } = watching(city, server.port);
  await Promise.all([look(0), look(0)]);
  await Promise.all([look(1), look(23)]);
  assert.equal(server.arrived.length, 1);
  await Promise.all([look(24), look(24)]);
  assert.equal(server.arrived.length, 2);
});

test('the log reports broken mail, and the alert reports it once mail works again', async () => {
  const city = await aHeldTown();
  const broken = await aMailServer();
  await broken.close();
  const logged = await watching(city, broken.port).look(0);
  assert.match(logged.join('\n'), /^the alert is not sent: the mail server cannot be reached/m);
  const server = await aMailServer();
  await watching(city, server.port).look(2);
  const [mail] = await server.mails(1);
  assert.ok(mail!.text!.replaceAll(/\s+/g, ' ').includes(HELD));
});

test('a refused ALERT_EMAIL is tried once a day, and delays no other email', async () => {
  const city = await aHeldTown();
  let asked = 0;
  const server = await aMailServer({
    onRcptTo(_address, _session, done) {
      asked++;
      done(Object.assign(new Error('5.1.1 no such mailbox'), { responseCode: 550 }));
    },
  });
  const { look, at } = watching(city, server.port);
  const logged = await look(0);
  assert.match(logged.join('\n'), /^the alert is not sent: /m);
  for (const hours of [1, 23]) await look(hours);
  assert.equal(asked, 1);
  await at(23, async ({ store, now }) => {
    assert.deepEqual(await store.subscribers.all(), []);
    assert.equal((await store.outbox.standing(now())).problem, null);
  });
  await look(24);
  assert.equal(asked, 2);
});

test('without a mail server the alert is a file, and without a concern there is no alert', async () => {
  const city = await aHeldTown();
  city.change("operator: { name: 'The chamber', contact: 'listings@rivermouth.example' },", '');
  const files = () => globSync(`${city.config.dataFolder}/mail/*-alert-*.eml`);
  const { look, at } = watching(city, undefined);
  await at(-1, (service) => service.accept(2));
  await look(0);
  assert.deepEqual(files(), []);
  for (const count of [400, 40]) await at(0, (service) => service.ingest({ from: city.csv(count) }));
  await look(1);
  const mail = await parsed({ raw: readFileSync(files()[0]!, 'latin1'), to: [] });
  assert.equal(mail.subject, 'Rivermouth: run 4 of licences was held');
  assert.doesNotMatch(mail.raw, /not set|fill in/i, 'no placeholder');
});

test('Shingle tries no alert while mail is paused or the database cannot be read', async () => {
  const server = await aMailServer();
  await watching(aCity(), server.port).at(0, async (service) => {
    const { alerts, outbox } = service.store;
    await outbox.pause(hourly(-1), 'the mail server did not answer', 1);
    const { summary } = makeConcern('trust-proxy');
    const logged: string[] = [];
    const look = async (isMailPaused: boolean, isStoreSeen: boolean) => {
      const watch = watchOf(service, logged, {
        seesStore: () => isStoreSeen,
        addNews: (read) => ({
          ...{ ...read, served: ['trust-proxy'] },
          ...(isMailPaused && { mail: { ...read.mail!, pausedUntil: hourly(1) } }),
        }),
      });
      watch.start();
      await watch.close();
      return server.arrived.length;
    };
    assert.equal(await look(false, false), 0);
    assert.deepEqual(await alerts.observed(), []);
    assert.equal(await look(true, true), 0);
    assert.equal((await alerts.observed()).at(-1)?.concern, 'trust-proxy');
    assert.notEqual((await outbox.standing(service.now())).problem, null);
    assert.equal(await look(false, true), 1);
    assert.equal((await outbox.standing(service.now())).problem, null);
    assert.deepEqual(logged, [summary, summary], 'the mailer itself logs its pause');
  });
});

test('the alert waits two hours for an import, and an hour for a concern that may end by itself', async () => {
  const hoursOf = {
    failed: 2,
    'never-ingested': 2,
    confirmations: 1,
    'public-url': 1,
    unwritable: 1,
    held: 0,
  };
  for (const [kind, hours] of Object.entries(hoursOf)) {
    const concern = { ...makeConcern('disk', { problem: '' }), kind: kind as ConcernKind, since: hourly(0) };
    const tried: number[] = [];
    for (const at of [hours - 0.01, hours]) {
      const alerts = { claim: async () => void tried.push(at), drop: async () => undefined };
      const config = { alertEmail: TO, mail: {} };
      const service = { store: { alerts }, now: () => hourly(at), config, loaded: { city: {} } };
      await tellOperator(service as unknown as Service, UNWARNED, [concern]);
    }
    assert.deepEqual(tried, [hours], kind);
  }
});

test('the log has a concern once while it lasts, and again when it returns', async () => {
  const service = await aCity().open();
  const { summary } = makeConcern('trust-proxy');
  const logged: string[] = [];
  let [looks, served] = [0, ['trust-proxy'] as 'trust-proxy'[]];
  const watch = watchOf(service, logged, {
    addNews(read) {
      looks++;
      return { ...read, served };
    },
  });
  watch.start();
  for (const next of [['trust-proxy'], [], ['trust-proxy'], []] as const) {
    const before = looks;
    await until(() => looks > before, 'another look');
    served = [...next];
  }
  await watch.close();
  assert.deepEqual(logged, [summary, summary]);
});
