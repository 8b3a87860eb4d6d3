/** Watches the rows of a source's first ingest and reports probable misunderstandings. Keeps counts and samples. */

import type { City, Row, Source } from '../../city/define.ts';
import type { Boundaries } from '../../city/places/boundaries.ts';
import type { Day } from '../../listings/day.ts';
import type { Opening } from '../../listings/filing.ts';
import { openDatesCheck } from './dates.ts';
import { gatherEvidence } from './evidence.ts';
import type { FindingCheck, ReadText, ShownFinding } from './finding.ts';
import { openNeighborhoodCheck } from './neighborhoods.ts';
import { openOfficesCheck } from './offices.ts';
import { openOutsideCheck } from './outside.ts';
import { openPeopleCheck } from './people.ts';
import {
  findFileDoubts,
  findProfilePlaceholders,
  findRaggedRows,
  findStale,
  findUndated,
  openStatusCheck,
  type RowSums,
  type WorkbookRest,
} from './register.ts';
import { openRepeatCheck } from './repeats.ts';
import { openTypeTextCheck } from './type-texts.ts';

/** Number of rows that determine the roles of columns. Counting starts with them. */
const SAMPLE_ROWS = 2_000;
/** Number of openings at the start that are all checked. Later, one in eight is checked and counts as eight. */
const ALL_OF = 4_000;
const ONE_IN = 8;
/** Matches the reason for skipping people. */
const PERSONAL = /person/i;

export type WatchedJudgement = Opening | { kind: 'update' } | { kind: 'skip' | 'reject'; reason: string };

export type FindingsWatch = ReturnType<typeof openFindingsWatch>;

/** Functions that read columns of a row even if the profile does not declare them. */
export type RowAccess = {
  listColumns(row: Row): readonly string[];
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
    /** The columns needed from now on, or `undefined` while all are needed. */
    get used(): ReadonlySet<string> | undefined {
      return counter?.used;
    },
    /** Examines the contents of a workbook besides the rows. */
    seeWorkbook({ unreadSheets, mergedCells }: WorkbookRest): void {
      rest.unreadSheets.push(...unreadSheets);
      rest.mergedCells += mergedCells;
    },
    /** Examines every row of every file of the first ingest, in order. */
    see(row: Row, judgement: WatchedJudgement): void {
      if (counter === undefined) sample.push({ row, judgement });
      else counter.count(row, judgement);
      if (sample.length < SAMPLE_ROWS) return;
      counter = countSample(register, sample);
      sample = [];
    },
    /** Lists all findings, severe ones first. */
    list(sums: RowSums): ShownFinding[] {
      const { find, newest } = counter ?? countSample(register, sample);
      return [
        ...find(),
        findRaggedRows(sums),
        findUndated(sums),
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

/** Determines the roles of columns from the sample, and counts its rows as the first ones. */
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
  const repeats = openRepeatCheck(evidence); // repeats need all openings
  const sampled: readonly FindingCheck[] = [
    people,
    openOutsideCheck(evidence, cells, { city, boundaries }),
    openNeighborhoodCheck(evidence, city),
    dates,
    openStatusCheck(evidence),
    openOfficesCheck(evidence, source),
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

/** Reduces a finding that the profile accepts with a reason to a warning that does not stop the run. */
function acceptFinding(finding: ShownFinding, { accepts }: Source): ShownFinding {
  const accepted = accepts?.[finding.code];
  return accepted === undefined ? finding : { ...finding, severity: 'warn', accepted };
}
