/** Watches the first rows of a source, and says at the end what seems to be misunderstood. Keeps sums and samples. */

import type { City, Row, Source } from '../../city/define.ts';
import type { Boundaries } from '../../city/places/boundaries.ts';
import type { Day } from '../../listings/day.ts';
import type { Opening } from '../../listings/filing.ts';
import { openDatesCheck } from './dates.ts';
import { gatherEvidence } from './evidence.ts';
import type { FindingCheck, ReadText, ShownFinding } from './finding.ts';
import { openNeighborhoodCheck } from './neighborhoods.ts';
import { openOutsideCheck } from './outside.ts';
import { openPeopleCheck } from './people.ts';
import {
  findFileDoubts,
  findProfilePlaceholders,
  findRaggedRows,
  findStale,
  openStatusCheck,
  type RowSums,
  type WorkbookRest,
} from './register.ts';
import { openRepeatCheck } from './repeats.ts';
import { openTypeTextCheck } from './type-texts.ts';

/** The first rows show what the columns are. Nothing is counted before. */
const SAMPLE_ROWS = 2_000;
/** The first openings are all looked at; later on one in eight, which then counts for eight. */
const ALL_OF = 4_000;
const ONE_IN = 8;
/** The reason of a verdict that skips people. */
const PERSONAL = /person/i;

export type WatchedJudgement = Opening | { kind: 'update' } | { kind: 'skip' | 'reject'; reason: string };

export type FindingsWatch = ReturnType<typeof openFindingsWatch>;

/** How rows are read beyond what their profile declares. */
export type RowAccess = {
  listColumns(row: Row): string[];
  readCell(row: Row, column: string): string;
};

export type WatchedRegister = {
  city: City;
  source: Source;
  boundaries: Boundaries | undefined;
  today: Day;
  access: RowAccess;
};

type Seen = { row: Row; judgement: WatchedJudgement };

export function openFindingsWatch(register: WatchedRegister) {
  const { city, source, today } = register;
  let sample: Seen[] = [];
  let counter: ReturnType<typeof countSample> | undefined;
  const rest: WorkbookRest = { unreadSheets: [], mergedCells: 0 };
  return {
    /** The columns that are looked at from now on; nothing while all of them are. */
    get used(): ReadonlySet<string> | undefined {
      return counter?.used;
    },
    /** What each workbook holds besides the rows. */
    seeWorkbook({ unreadSheets, mergedCells }: WorkbookRest): void {
      rest.unreadSheets.push(...unreadSheets);
      rest.mergedCells += mergedCells;
    },
    /** Every row of every file of the first ingest, in their order. */
    see(row: Row, judgement: WatchedJudgement): void {
      if (counter === undefined) sample.push({ row, judgement });
      else counter.count(row, judgement);
      if (sample.length < SAMPLE_ROWS) return;
      counter = countSample(register, sample);
      sample = [];
    },
    /** The findings on all that was seen, the grave ones first. */
    list(sums: RowSums): ShownFinding[] {
      const { find, newest } = counter ?? countSample(register, sample);
      return [
        ...find(),
        findRaggedRows(sums),
        findProfilePlaceholders(city),
        findStale(city, newest(), today),
        ...findFileDoubts(rest, sums),
      ]
        .filter((finding) => finding !== undefined)
        .map((finding) => acceptFinding(finding, source))
        .sort((a, b) => Number(b.severity === 'stop') - Number(a.severity === 'stop'));
    },
  };
}

/** Tells the columns apart by the sample, and counts its rows as the first ones. */
function countSample({ city, source, boundaries, today, access }: WatchedRegister, sample: readonly Seen[]) {
  const cellOf =
    (row: Row): ReadText =>
    (column) =>
      access.readCell(row, column);
  const columns = [...new Set(sample.slice(0, 50).flatMap(({ row }) => access.listColumns(row)))];
  const cells = sample.map(({ row }) => cellOf(row));
  const evidence = gatherEvidence(columns, cells, { cityName: city.name, today });
  const dates = openDatesCheck(evidence, source);
  const people = openPeopleCheck(evidence, city.name);
  const repeats = openRepeatCheck(evidence); // repeats are shown by all openings only
  const sampled: readonly FindingCheck[] = [
    people,
    openOutsideCheck(evidence, cells, { city, boundaries }),
    openNeighborhoodCheck(evidence, city),
    dates,
    openStatusCheck(evidence),
    openTypeTextCheck(evidence, source, { today }),
  ];
  let openings = 0;
  let dropped = 0;
  let newest: Day | null = null;
  const count = (row: Row, judgement: WatchedJudgement): void => {
    const cell = cellOf(row);
    if (judgement.kind === 'reject') dates.seeRejected(cell);
    if (judgement.kind === 'skip' && PERSONAL.test(judgement.reason)) {
      dropped++;
      const weight = dropped > ALL_OF ? ONE_IN : 1;
      if (dropped % weight === 0) people.seeDropped(cell, weight);
    }
    if (judgement.kind !== 'opening') return;
    openings++;
    if (judgement.filedOn <= today && (newest === null || judgement.filedOn > newest))
      newest = judgement.filedOn;
    repeats.see(judgement, cell, { row, weight: 1 });
    const weight = openings > ALL_OF ? ONE_IN : 1;
    if (openings % weight === 0) for (const check of sampled) check.see(judgement, cell, { row, weight });
  };
  for (const { row, judgement } of sample) count(row, judgement);
  return {
    used: evidence.columns,
    count,
    find: () => [...sampled, repeats].flatMap((check) => check.find(openings)),
    newest: () => newest,
  };
}

/** What the profile accepts with a reason no longer stops the run. */
function acceptFinding(finding: ShownFinding, { accepts }: Source): ShownFinding {
  const accepted = accepts?.[finding.code];
  return accepted === undefined ? finding : { ...finding, severity: 'warn', accepted };
}
