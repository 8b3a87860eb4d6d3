/** Watches the first rows of a source, and says at the end what its profile seems to misunderstand. Keeps sums and samples. */

import type { Boundaries } from '../../city/boundaries.ts';
import type { City, Row, Source } from '../../city/define.ts';
import type { Day } from '../../listings/day.ts';
import type { Judgement } from '../judge.ts';
import type { JudgedCounts } from '../ports.ts';
import { narrowOtherColumns } from '../sources/row.ts';
import type { FindingCheck } from './check.ts';
import { findColumnRoles, listUsedColumns } from './column-roles.ts';
import { openFilingDateCheck } from './filing-dates.ts';
import type { ShownFinding } from './finding.ts';
import { openNeighborhoodCheck } from './neighborhoods.ts';
import { openOutsideCheck } from './outside.ts';
import { openPeopleCheck } from './people.ts';
import { findProfilePlaceholders, findRaggedRows, findStale } from './register.ts';
import { openRepeatCheck } from './repeats.ts';
import { openTypeTextCheck } from './type-texts.ts';

/** Rows by which the columns are told apart, before any is counted. */
const SAMPLE_ROWS = 1_000;
/** Openings that are all looked at; of later ones a part, each of which stands for several. */
const ALL_OF = 8_000;
const ONE_IN = 8;

export type FindingsWatch = {
  /** Every row of every file of the first ingest, in their order. */
  see(row: Row, judgement: Judgement): void;
  /** The findings on all that was seen, the grave ones first. */
  list(tally: JudgedCounts): ShownFinding[];
};

export type WatchedRegister = {
  city: City;
  source: Source;
  boundaries: Boundaries | undefined;
  today: Day;
};

type Seen = { row: Row; judgement: Judgement };

export function openFindingsWatch(register: WatchedRegister): FindingsWatch {
  const { city, source, today } = register;
  let sample: Seen[] = [];
  let counter: FindingsCounter | undefined;
  return {
    see(row, judgement) {
      if (counter !== undefined) return counter.count(row, judgement);
      sample.push({ row, judgement });
      if (sample.length < SAMPLE_ROWS) return;
      counter = countSample(register, sample);
      sample = [];
    },
    list(tally) {
      const { find, newest } = counter ?? countSample(register, sample);
      return [
        ...find(),
        findRaggedRows(tally),
        findProfilePlaceholders(city),
        findStale(city, newest(), today),
      ]
        .filter((finding) => finding !== undefined)
        .map((finding) => acceptFinding(finding, source))
        .sort((a, b) => Number(b.severity === 'stop') - Number(a.severity === 'stop'));
    },
  };
}

type FindingsCounter = {
  count(row: Row, judgement: Judgement): void;
  find(): (ShownFinding | undefined)[];
  newest(): Day | null;
};

/** Tells the columns apart by the sample, and counts its rows as the first ones. */
function countSample(
  { city, source, boundaries, today }: WatchedRegister,
  sample: readonly Seen[],
): FindingsCounter {
  const rows = sample.map(({ row }) => row);
  const roles = findColumnRoles(rows, source);
  const dates = openFilingDateCheck(roles, source);
  const repeats = openRepeatCheck(roles); // which only all openings show
  const sampled: readonly FindingCheck[] = [
    openPeopleCheck(roles),
    openOutsideCheck(roles, rows, { city, boundaries }),
    openNeighborhoodCheck(roles, city),
    dates,
    openTypeTextCheck(roles, source, { today }),
  ];
  let openings = 0;
  let newest: Day | null = null;
  const used = listUsedColumns(roles);
  const count = (row: Row, judgement: Judgement): void => {
    narrowOtherColumns(row, used);
    if (judgement.kind === 'reject') dates.seeRejected(row);
    if (judgement.kind !== 'opening') return;
    openings++;
    if (judgement.filedOn <= today && (newest === null || judgement.filedOn > newest))
      newest = judgement.filedOn;
    repeats.see(judgement, row, 1);
    const weight = openings > ALL_OF ? ONE_IN : 1;
    if (openings % weight === 0) for (const check of sampled) check.see(judgement, row, weight);
  };
  for (const { row, judgement } of sample) count(row, judgement);
  return {
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
