/**
 * People who sign up, confirm, choose, leave, are erased and whose mailboxes bounce, with what was acknowledged to each of them, and every
 * email that reached them. Written without the program's own code, so that both can be compared.
 */

import type { Attempt } from '../../../src/mail/faults.ts';
import type { MailTransport, Outgoing } from '../../../src/mail/smtp.ts';
import { reportFailure } from '../../mail/bounces/a-report.ts';
import { AREAS, KINDS } from './register.ts';

export type Wanted = { categories: string[]; neighborhoods: string[] };
type Links = { confirm?: string; manage?: string; unsubscribe?: string };
type Wish = 'sign up' | 'confirm' | 'change' | 'leave' | 'erase';

export type Person = {
  email: string;
  client: string;
  state: 'new' | 'pending' | 'confirmed' | 'left' | 'erased';
  wanted: Wanted;
  /** When the state was acknowledged. */
  since: number;
  /** What they try until it is acknowledged; what is stored of them is not known until then. */
  wish?: Wish | undefined;
  tries: number;
  /** What they will have chosen when a wish comes true. */
  next?: Wanted | undefined;
  links: Links;
  /** When they were sent. */
  linkedAt: number;
  /** `full`: reports come back that it is full, as long as it is. `gone`: the mail server refuses it. */
  box: 'open' | 'full' | 'gone';
  bounces: number;
  bouncedAt: number;
  /** Nothing more is sent: there is no such mailbox, or five editions in a row came back. */
  isStopped: boolean;
  /** When they last left. */
  leftAt: number;
  /** A backup was made while they tried something: what was restored of them is not known. */
  isUnknown: boolean;
};

export type Delivered = {
  to: string;
  what: string;
  message: string;
  subject: string;
  crashes: number;
  isDoubtful: boolean;
};

export type Ask = (request: {
  method: 'GET' | 'POST';
  url: string;
  remoteAddress: string;
  headers?: Record<string, string>;
  payload?: string;
}) => Promise<{ value: { statusCode: number; body: string } } | undefined>;

type World = {
  chance(): number;
  now(): number;
  /** How often the machine has crashed so far. */
  crashes(): number;
  hidden(): ReadonlySet<string>;
  /** Notes that a promise was broken. */
  wrong(sentence: string): void;
  log(line: string): void;
};

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const BOUNCES_UNTIL_STOPPED = 5;
const DAY = 86_400_000;

export type People = ReturnType<typeof openPeople>;

export function openPeople({ chance, now, crashes, hidden, wrong, log }: World) {
  let people: Person[] = [];
  const delivered: Delivered[] = [];
  const reports: { at: number; raw: string; person: Person; message: string }[] = [];
  const counted = new Set<string>(); // messages that came back: a report may come twice
  let isPasswordExpired = false;
  let isForgetful = false; // a restore: links since the backup are not known any more
  const some = <T>(from: readonly T[]): T[] => from.filter(() => chance() < 0.3);
  const choose = (): Wanted =>
    chance() < 0.4
      ? { categories: [], neighborhoods: [] }
      : { categories: some(KINDS), neighborhoods: some(AREAS) };

  function appear(): void {
    const name = `p${people.length}-${Math.floor(chance() * 1e6)}`;
    const client = `203.0.${people.length >> 8}.${people.length & 255}`;
    people.push({
      ...{
        email: `${name}@${name}.example`,
        client,
        state: 'new',
        wanted: choose(),
        since: now(),
        links: {},
        linkedAt: 0,
      },
      ...{
        tries: 0,
        box: chance() < 0.08 ? 'full' : 'open',
        bounces: 0,
        bouncedAt: 0,
        isStopped: false,
        leftAt: 0,
        isUnknown: false,
        wish: 'sign up',
      },
    });
  }

  /** What a person may want at some hour of a day. */
  function wish(person: Person): void {
    const { state, links, since } = person;
    const age = now() - since;
    const often = (aDay: number) => chance() < aDay;
    const canManage = links.manage && now() - person.linkedAt < 85 * DAY; // and then the link expires
    if (state === 'pending' && links.confirm && age < 3 * DAY && often(0.7)) person.wish = 'confirm';
    else if (state === 'left' && age > DAY && age < 25 * DAY && often(0.02)) {
      person.wish = 'sign up';
      delete person.links.confirm; // the old one is dead
    }
    if (state !== 'confirmed') return;
    if (links.unsubscribe && often(0.004)) person.wish = 'leave';
    else if (canManage && often(0.01)) [person.wish, person.next] = ['change', choose()];
    else if (canManage && often(0.001)) person.wish = 'erase';
    else if (often(0.0005)) person.box = 'gone';
  }

  const post = (person: Person, url: string, payload: string, headers: Record<string, string> = FORM) =>
    ({ method: 'POST', url, payload, headers, remoteAddress: person.client }) as const;

  function requestOf(person: Person) {
    const { links, email, next } = person;
    if (person.wish === 'sign up') {
      const payload = JSON.stringify({ email, type: 'weekly', ...(next ?? person.wanted) });
      return post(person, '/api/signup', payload, { 'content-type': 'application/json' });
    }
    if (person.wish === 'confirm') return post(person, links.confirm!, '');
    if (person.wish === 'leave') return post(person, links.unsubscribe!, 'List-Unsubscribe=One-Click');
    const fields = new URLSearchParams({ action: person.wish === 'erase' ? 'erase' : 'change' });
    if (person.wish === 'change')
      for (const [name, values] of Object.entries(next!))
        for (const value of values) fields.append(name, value);
    return post(person, links.manage!, fields.toString());
  }

  /** Whether an answer acknowledges the wish. */
  function isAcknowledged(
    person: Person,
    { statusCode, body }: { statusCode: number; body: string },
  ): boolean {
    if (person.wish === 'sign up') return statusCode === 202;
    if (person.wish === 'leave') return statusCode === 200 && body.includes('You are unsubscribed');
    return statusCode === 200 || (person.wish === 'erase' && statusCode === 404 && person.tries > 1);
  }

  function acknowledge(person: Person): void {
    const { wish: done, next } = person;
    log(`${person.email} ${done}`);
    const states = { 'sign up': 'pending', confirm: 'confirmed', leave: 'left', erase: 'erased' } as const;
    if (done !== undefined && done !== 'change') [person.state, person.since] = [states[done], now()];
    if (done === 'confirm') Object.assign(person, { isStopped: false, bounces: 0 });
    if (done === 'change') person.wanted = next!;
    if (done === 'leave') person.leftAt = now();
    Object.assign(person, { wish: undefined, next: undefined, tries: 0 });
  }

  async function tryWish(person: Person, ask: Ask): Promise<void> {
    person.tries++;
    const request = requestOf(person);
    if (person.wish === 'confirm' || person.wish === 'leave')
      await ask({ method: 'GET', url: request.url, remoteAddress: person.client }); // a mail scanner, which changes nothing
    const answer = await ask(request);
    if (answer === undefined) return; // it crashed: they try again
    if (isAcknowledged(person, answer.value)) return acknowledge(person);
    const { statusCode, body } = answer.value;
    if (statusCode === 503 || statusCode === 500 || statusCode === 429) return;
    wrong(
      `${person.email} wanted to ${person.wish} (${person.state}) and got ${statusCode}: ${body.slice(0, 300)}`,
    );
    person.wish = undefined;
  }

  function receive(person: Person | undefined, outgoing: Outgoing, isDoubtful: boolean): void {
    const { to, what, message, subject, text } = outgoing;
    log(`mail ${what} ${to} ${message}`);
    const before = delivered.find((one) => one.to === to && one.message === message);
    const same = delivered.find((one) => one.to === to && one.what === what && what !== 'confirmation');
    if (before !== undefined && before.crashes === crashes() && !before.isDoubtful)
      wrong(`${to} got ${what} twice without a crash in between`);
    if (before === undefined && same !== undefined) wrong(`${to} got two messages of ${what}`);
    delivered.push({ ...{ to, what, message, subject, isDoubtful }, crashes: crashes() });
    const isGone = person === undefined || person.state === 'left' || person.state === 'erased';
    if (isGone && person?.wish !== 'sign up' && !person?.isUnknown)
      wrong(`${to} got ${what} after they had ${person?.state ?? 'gone'}`);
    for (const name of hidden()) if (text.includes(`* ${name}\n`)) wrong(`${what} to ${to} names ${name}`);
    if (person === undefined) return;
    for (const [, path, purpose] of text.matchAll(
      /https?:\/\/[^/\s]+(\/(confirm|unsubscribe|manage)\?token=[\w-]+)/g,
    ))
      Object.assign(person, { links: { ...person.links, [purpose!]: path }, linkedAt: now() });
    if (person.box === 'full' && what !== 'confirmation')
      reports.push({
        ...{ at: now() + 6 * 3_600_000, person, message },
        raw: reportFailure({ returnPath: outgoing.returnPath!, address: to }, '4.2.2'),
      });
    else person.bounces = 0;
  }

  const transport = (point: (name: string) => void): MailTransport => ({
    async send(_connection, outgoing, isWanted): Promise<Attempt> {
      if (isPasswordExpired) return { end: 'fault', of: 'everybody', code: 'EAUTH 535 5.7.8' };
      point('mail: rcpt');
      if (!(await isWanted())) return { end: 'canceled' };
      const person = people.find(({ email }) => email === outgoing.to);
      if (person?.box === 'gone') {
        point('mail: refused');
        person.isStopped = true;
        return { end: 'fault', of: 'address', code: '550 5.1.1' };
      }
      if (chance() < 0.01) return { end: 'fault', of: 'later', code: '451 4.3.0' };
      const isDoubtful = chance() < 0.003;
      point('mail: data');
      receive(person, outgoing, isDoubtful);
      point('mail: accepted');
      return isDoubtful ? { end: 'fault', of: 'doubt', code: 'ETIMEDOUT' } : { end: 'sent', code: '250' };
    },
    close: () => undefined,
  });

  return {
    transport,
    delivered,
    all: (): readonly Person[] => people,
    expirePassword(expired: boolean) {
      isPasswordExpired = expired;
    },
    appear,
    /** An hour in which some people do something. */
    async act(ask: Ask): Promise<void> {
      for (const person of people.filter(({ isUnknown }) => !isUnknown)) {
        if (person.wish === undefined && chance() < 1 / 12) wish(person);
        if (person.wish !== undefined) await tryWish(person, ask);
      }
    },
    /** Hands over the delivery reports that have come back. `handle` answers undefined when it crashed, and they come again. */
    async bounce(handle: (raw: string) => Promise<{ value: string } | undefined>): Promise<void> {
      for (const report of reports.filter(({ at }) => at <= now())) {
        const { person } = report;
        const verdict = await handle(report.raw);
        if (verdict === undefined) continue;
        reports.splice(reports.indexOf(report), 1);
        log(`report ${person.email} ${verdict.value}`);
        if (person.state !== 'confirmed' || verdict.value === 'outdated') continue;
        if (!counted.has(report.message))
          person.bounces = now() - person.bouncedAt < 30 * DAY ? person.bounces + 1 : 1;
        person.bouncedAt = now();
        counted.add(report.message);
        person.isStopped ||= person.bounces >= BOUNCES_UNTIL_STOPPED;
        if (
          (verdict.value === 'stopped') !== person.isStopped &&
          !isForgetful &&
          verdict.value !== 'repeated'
        )
          wrong(`the ${person.bounces}. report about ${person.email} was judged ${verdict.value}`);
      }
    },
    copy: () => structuredClone(people),
    /** Another machine, with the backup of then and the unsubscribe log of now. */
    restore(copy: readonly Person[], backedUpAt: number): void {
      const later = new Map(people.map((person) => [person.email, person]));
      people = structuredClone(copy).map((person) => {
        const { state, leftAt, since, box } = later.get(person.email)!;
        const hasLeft = leftAt > backedUpAt;
        return {
          ...person,
          ...(hasLeft && { state: 'left', since: leftAt, leftAt }),
          ...(state === 'erased' && { state, since }),
          ...{ box, wish: undefined, next: undefined, tries: 0 },
          isUnknown: person.isUnknown || person.tries > 0,
        };
      });
      reports.length = 0;
      isForgetful = true;
    },
  };
}
