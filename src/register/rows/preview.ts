/** Collects the rows and counts that a person needs to check a mapping. Uses limited memory. */

import { findKnownUntil } from '../../shared/city/register-end.ts';
import { openValueNames, type ValueNames } from '../../shared/city/value-names.ts';
import type { Day } from '../../shared/day.ts';
import { compareRecency } from '../../shared/edition/edition.ts';
import type { Filing } from '../../shared/filing.ts';
import { foldFilings } from '../../shared/fold-filings.ts';
import { deriveStatus, type Listing } from '../../shared/listing.ts';
import type { Judgement } from '../../shared/report.ts';
import { compareCodeUnits } from '../../shared/words.ts';
import type { Row, Source } from '../profile/define.ts';
import { isCompany } from '../profile/people/company-forms.ts';
import { hasKnownScript } from '../profile/people/name-words.ts';
import { looksPersonal, MOST_UNKNOWN_NAMES } from '../profile/people/personal-names.ts';
import { openSample } from './sample.ts';

const ROWS_SHOWN = 20;
const MOST_REASONS = 30;
const UNJUDGED_SHOWN = 20;
const MOST_TEXTS = 60_000;
const TEXTS_SHOWN = 2_000;
const UNLISTED_SHOWN = 200;
/** Maximum characters of a cell. A longer cell keeps one more character, as a sign that it was cut. */
export const LONGEST_CELL = 200;

/** The cells of a row's declared columns, truncated to `LONGEST_CELL` + 1 characters. `[]` for an unreadable row. */
export type RawRow = { file: string; line: number; cells: readonly string[] };

/** Texts and how often they occur, most frequent first. */
export type PreviewCounts = readonly (readonly [text: string, count: number])[];

export type RegisterPreview = ReturnType<PreviewWatch['report']>;

/** Omitted rows with the same reason. */
export type LeftOutRows = RegisterPreview['leftOut'][number];

export type SeenRow = { file: string; line: number; row: Row | undefined; isKnown: boolean };

export type PreviewWatch = ReturnType<typeof openPreview>;

export function openPreview(source: Source, today: Day, { nameOf } = openValueNames()) {
  const columns = [...source.columns, ...(source.optional ?? [])];
  const newest = openNewestListings(today, nameOf);
  const reasons = new Map<string, ReasonRows>();
  const [years, categories, neighborhoods] = [openCounter(), openCounter(), openCounter()];
  const notJudged = openNameTally();

  function seeLeftOut({ kind, reason }: Extract<Judgement, { reason: string }>, at: SeenRow): void {
    const key = `${kind} ${reason}`;
    if (!reasons.has(key) && reasons.size === MOST_REASONS) return;
    const open = () => ({ kind, reason, sample: openSample<RawRow>(2 * ROWS_SHOWN) });
    reasons.getOrInsertComputed(key, open).sample.add(() => keepRow(at, columns));
  }

  return {
    see(judgement: Judgement, at: SeenRow): void {
      if (judgement.kind === 'skip' || judgement.kind === 'reject') {
        seeLeftOut(judgement, at);
        return;
      }
      newest.see(judgement, at.isKnown, () => keepRow(at, columns));
      if (judgement.kind !== 'opening') return;
      const { name, filedOn, category, neighborhood } = judgement;
      years.see(filedOn.slice(0, 4));
      categories.see(nameOf('category', category));
      neighborhoods.see(nameOf('neighborhood', neighborhood));
      notJudged.see(name);
    },
    countNotJudged: (): number => notJudged.report().count,
    listNewest: (): Listing[] => newest.list().map(({ listing }) => listing),
    report: () => ({
      columns,
      newest: newest.list().slice(0, ROWS_SHOWN),
      leftOut: [...reasons.values()]
        .map(({ sample, ...about }) => ({ ...about, count: sample.count(), rows: thinOut(sample.list()) }))
        .toSorted((a, b) => b.count - a.count),
      /** Openings by the year of their filing, the newest first. */
      years: years.list().toSorted(([a], [b]) => (a < b ? 1 : -1)),
      categories: categories.list(),
      neighborhoods: neighborhoods.list(),
      /** Business types that the profile does not mention. */
      unlisted: sortCounts(source.mapping?.unlisted ?? new Map()).slice(0, UNLISTED_SHOWN),
      notJudged: notJudged.report(),
    }),
  };
}

type ReasonRows = { kind: 'skip' | 'reject'; reason: string; sample: ReturnType<typeof openSample<RawRow>> };

function keepRow({ file, line, row }: SeenRow, columns: readonly string[]): RawRow {
  const cells =
    row === undefined ? [] : columns.map((column) => (row[column] ?? '').slice(0, LONGEST_CELL + 1));
  return { file, line, cells };
}

/** Returns as many rows as are shown, evenly spread. */
function thinOut(rows: readonly RawRow[]): RawRow[] {
  const shown = Math.min(ROWS_SHOWN, rows.length);
  return Array.from({ length: shown }, (_, i) => rows[Math.floor((i * rows.length) / shown)]!);
}

/** Counts texts. When there are too many, drops half of them, the least frequent first, because they matter least. */
export function openCounter(most = MOST_TEXTS) {
  const counts = new Map<string, number>();
  return {
    see(text: string): void {
      counts.set(text, (counts.get(text) ?? 0) + 1);
      if (counts.size <= most) return;
      for (let least = 1; counts.size > most / 2; least *= 2)
        for (const [one, count] of counts) if (count <= least) counts.delete(one);
    },
    list: (): PreviewCounts => sortCounts(counts).slice(0, TEXTS_SHOWN),
  };
}

function sortCounts(counts: ReadonlyMap<string, number>): PreviewCounts {
  return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

const LISTINGS_SHOWN = 25;
const MOST_KEYS = 4_000;

type Seen = { all: Filing[]; openedOn: Day | undefined; row: RawRow | undefined };

/** Collects the newest listings. Drops keys whose first opening is too old to be among them. */
function openNewestListings(today: Day, nameOf: ValueNames['nameOf']) {
  const filings = new Map<string, Seen>();
  let oldest: Day = '';
  function forgetOld(): void {
    const byDay = [...filings].map(([key, { all, openedOn }]) => {
      const updates = all.map(({ termOn }) => termOn).sort();
      return { key, day: openedOn ?? updates.at(-1)! };
    });
    byDay.sort((a, b) => compareCodeUnits(b.day, a.day));
    for (const { key } of byDay.slice(MOST_KEYS / 2)) filings.delete(key);
    oldest = byDay[MOST_KEYS / 2]!.day;
  }
  return {
    /** Adds a filing. `isKnown`: an earlier row was an opening with the same key. */
    see(filing: Filing, isKnown: boolean, readRow: () => RawRow): void {
      const known = filings.get(filing.key);
      const isOpening = filing.kind === 'opening';
      // an update is later than the first opening
      const day = isOpening ? filing.filedOn : filing.termOn;
      if (known === undefined && (isKnown || day < oldest)) return;
      const seen = known ?? { all: [], openedOn: undefined, row: undefined };
      seen.all.push(filing);
      if (isOpening && (seen.openedOn === undefined || day < seen.openedOn)) {
        seen.openedOn = day;
        seen.row = readRow();
      }
      if (known !== undefined) return;
      filings.set(filing.key, seen);
      if (filings.size > MOST_KEYS) forgetOld();
    },
    list(): { listing: Listing; row: RawRow | undefined }[] {
      const merged = [...filings].flatMap(([key, { all, row }]) => {
        const facts = foldFilings(all, undefined, false);
        return facts === undefined ? [] : [{ key, row, ...facts }];
      });
      merged.sort(compareRecency);
      const latestFiling = merged[0]?.filedOn ?? null;
      const knownUntil = findKnownUntil({}, { latestFiling, day: today });
      return merged
        .slice(0, LISTINGS_SHOWN)
        .map(({ row, name, category, neighborhood, filedOn, ...rest }) => {
          const status = deriveStatus(rest, knownUntil);
          const listing = {
            name,
            category: nameOf('category', category),
            neighborhood: nameOf('neighborhood', neighborhood),
            status,
            filing_date: filedOn,
          };
          return { listing, row };
        });
    },
  };
}

/** Minimum names to tell whether the word lists know their language. */
const FEWEST = 20;
/** Of the names after so many, each eighth one is judged and counts eight times. */
const ALL_JUDGED = 200_000;
const EACH_JUDGED = 8;

type Names = { count: number; names: string[] };

/**
 * Opens a tally of the names that Shingle cannot judge: nothing shows whether they are people's. It counts names in scripts without word lists, and all names of unknown words if these
 * are many.
 */
function openNameTally() {
  const [foreign, unknown]: [Names, Names] = [
    { count: 0, names: [] },
    { count: 0, names: [] },
  ];
  let plain = 0;
  let seen = 0;
  const add = (to: Names, name: string, rows: number): void => {
    to.count += rows;
    if (to.names.length < UNJUDGED_SHOWN) to.names.push(name);
  };
  return {
    see(name: string): void {
      const rows = ++seen > ALL_JUDGED ? EACH_JUDGED : 1;
      if (seen % rows !== 0 || isCompany(name)) return;
      plain += rows;
      if (!hasKnownScript(name)) add(foreign, name, rows);
      else if (looksPersonal(name) && !looksPersonal(name, { isStrict: true })) add(unknown, name, rows);
    },
    report(): Names {
      if (plain < FEWEST || unknown.count <= plain * MOST_UNKNOWN_NAMES) return foreign;
      const names = [...foreign.names, ...unknown.names].slice(0, UNJUDGED_SHOWN);
      return { count: foreign.count + unknown.count, names };
    },
  };
}
