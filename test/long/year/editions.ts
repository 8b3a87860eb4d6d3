/** The editions of a year: who must get which, with how many businesses, and when. Written without the program's own code. */

import type { People, Wanted } from './people.ts';
import type { Register } from './register.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LATE = 48 * HOUR;
const ENDS = LATE + 3 * HOUR; // whoever has no email by then gets none
const ZONE = 'America/Los_Angeles';
const LOCAL = new Intl.DateTimeFormat('en-CA', {
  timeZone: ZONE,
  dateStyle: 'short',
  timeStyle: 'short',
  hour12: false,
});

type Decided = { edition: string; decidedAt: string; state: string; reason: string | null };
type Expected = Decided & {
  /** The number of businesses for each address. */
  totals: Map<string, number>;
  /** Those who were trying something when it was decided. */
  maybe: Set<string>;
};
type Parts = { register: Register; people: People; now(): number; wrong(sentence: string): void };

export function openEditions({ register, people, now, wrong }: Parts) {
  const open: Expected[] = [];
  const troubles: { from: number; to: number }[] = [];
  const mondays = new Set<string>();
  let count = 0;
  let last = '';
  let first: number | undefined;
  const isTroubled = (from: number, to: number) => troubles.some((one) => one.from < to && one.to > from);

  function expect(decided: Decided): Expected {
    const news = register.news();
    const totals = new Map<string, number>();
    for (const { email, state, isStopped, wanted } of people.all()) {
      const total = news.filter((one) => isWanted(wanted, one)).length;
      if (state === 'confirmed' && !isStopped && total > 0) totals.set(email, total);
    }
    const maybe = new Set(people.all().flatMap((one) => (one.tries > 0 || one.isUnknown ? [one.email] : [])));
    return { ...decided, totals, maybe };
  }

  function close({ edition, decidedAt, totals, maybe }: Expected): void {
    const got = people.delivered.filter(({ what }) => what === `weekly-${edition}`);
    const byAddress = Map.groupBy(got, ({ to }) => to);
    const isLost = isTroubled(Date.parse(decidedAt) - DAY, Date.parse(decidedAt) + ENDS);
    for (const [email, total] of totals) {
      const person = people.all().find((one) => one.email === email);
      const mails = byAddress.get(email) ?? [];
      const hasGone =
        person === undefined || person.state !== 'confirmed' || person.isStopped || person.box === 'gone';
      if (mails.length === 0 && !hasGone && !maybe.has(email) && !isLost)
        wrong(`${email} did not get the edition of ${edition}: ${JSON.stringify(person)}`);
      for (const { subject } of mails) if (!maybe.has(email)) checkSubject(edition, email, subject, total);
    }
    for (const { to } of got)
      if (!totals.has(to) && !maybe.has(to))
        wrong(`${to} got the edition of ${edition}, which has nothing for them`);
  }

  function checkSubject(edition: string, email: string, subject: string, total: number): void {
    if (!subject.startsWith(`${total} new business`))
      wrong(
        `the edition of ${edition} to ${email} is "${subject}", with ${total} businesses in the register`,
      );
  }

  /** Every Monday at 8 there is one, unless something was wrong with the machine. */
  function checkMonday(): void {
    const passed = now() - LATE;
    for (let at = passed - DAY; at <= passed; at += HOUR / 2) {
      const [day, time] = LOCAL.format(at).split(', ') as [string, string];
      const isSlot = new Date(`${day}T00:00Z`).getUTCDay() === 1 && time.startsWith('08:0');
      if (!isSlot || first === undefined || at < first + DAY || mondays.has(day)) continue;
      mondays.add(day);
      if (!isTroubled(at - DAY, at + LATE)) wrong(`there is no edition of ${day}`);
    }
  }

  return {
    count: () => count,
    trouble: (from: number, to: number) => void troubles.push({ from, to }),
    restored(at: number): void {
      troubles.push({ from: at - 2 * DAY, to: at + DAY });
      open.length = 0;
    },
    /** Looks whether there is a new one. */
    async observe(newest: Decided | undefined): Promise<void> {
      first ??= register.visible().length > 0 ? now() : undefined;
      if (newest === undefined || newest.edition <= last) return;
      last = newest.edition;
      mondays.add(last);
      count++;
      const [day, time] = LOCAL.format(Date.parse(newest.decidedAt)).split(', ') as [string, string];
      const isOnTime = day === newest.edition && (time.startsWith('08') || time.startsWith('09'));
      const at = Date.parse(newest.decidedAt);
      if (!isOnTime && !isTroubled(at - LATE, at + HOUR))
        wrong(`the edition of ${last} was made at ${day} ${time}`);
      if (newest.reason === 'late') return;
      open.push(expect(newest));
      register.announced();
    },
    /** Those that are over, and whether each week has one. */
    check(): void {
      checkMonday();
      while (open[0] !== undefined && Date.parse(open[0].decidedAt) + ENDS < now()) close(open.shift()!);
    },
  };
}

function isWanted(
  { categories, neighborhoods }: Wanted,
  { kind, area }: { kind: string; area: string },
): boolean {
  const isIn = (wanted: string[], value: string) => wanted.length === 0 || wanted.includes(value);
  return isIn(categories, kind) && isIn(neighborhoods, area);
}
