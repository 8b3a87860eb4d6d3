/** Samples the rows of a source's first ingest, and reports probable misunderstandings. */

import type { Day } from '../../shared/day.ts';
import type { FindingCode, Judgement } from '../../shared/report.ts';
import { PERSONAL_NAME, type Row } from '../profile/define.ts';
import { OUTSIDE } from '../profile/mapping/mapped-source.ts';
import { foldTown, readTown } from '../profile/places/place-text.ts';
import { listColumns, readCell } from '../readers/row.ts';
import type { UnreadSheet } from '../readers/workbook/sheet-rows.ts';
import { openSample } from '../rows/sample.ts';
import { checkDates } from './check-dates.ts';
import { checkOutside } from './check-outside.ts';
import { findDroppedBusinesses, findPeople } from './check-people.ts';
import { checkAddresses, findCoarse, findUnplaced } from './check-places.ts';
import { checkImport, checkRegister, findMostlySkipped, type RowSums } from './check-register.ts';
import { openRepeatCheck, openUndecidedTally } from './check-repeats.ts';
import { checkTypeTexts } from './check-types.ts';
import { gatherEvidence, type SampledOpening, type SampledRegister, type SampledRow } from './evidence.ts';
import type { ReadText, ShownFinding, Words } from './finding.ts';
import { addRepair, rejudge } from './repairs.ts';

const CHECKS = [
  findPeople,
  findDroppedBusinesses,
  checkOutside,
  findCoarse,
  findUnplaced,
  checkDates,
  checkRegister,
  checkAddresses,
  checkTypeTexts,
];

const FIRST_ROWS = 2_000;

export type FindingsWatch = ReturnType<typeof openFindingsWatch>;

export type WatchedRegister = Pick<SampledRegister, 'city' | 'source' | 'map' | 'join' | 'today'>;

type Seen = { row: Row; judgement: Judgement };

export function openFindingsWatch(register: WatchedRegister) {
  const { source } = register;
  let first: Seen[] = [];
  let sampling: ReturnType<typeof openSampling> | undefined;
  let rows = 0;
  let examined: ReturnType<typeof examine> | undefined;
  const unread: UnreadSheet[] = [];
  const examine = () => ({ rows, ...(sampling ?? openSampling(register, first)).examine() });
  return {
    /** The columns to read from the next rows, or `undefined` if all are still needed. */
    get used(): ReadonlySet<string> | undefined {
      return sampling?.used;
    },
    seeUnread: (sheets: readonly UnreadSheet[]) => void unread.push(...sheets),
    /** Adds a row. Call it for every row of the first ingest, in order. */
    see(row: Row, judgement: Judgement): void {
      rows++;
      if (sampling === undefined) first.push({ row, judgement });
      else sampling.see({ row, judgement });
      if (first.length < FIRST_ROWS) return;
      sampling = openSampling(register, first);
      first = [];
    },
    /**
     * Lists the findings after a file. A folder may have hundreds of small files, so this examines the rows again only
     * if they have doubled since the last time, and after the last file. `sums` are about this file.
     */
    list(sums: RowSums, isLast: boolean): ShownFinding[] {
      const isOld = examined === undefined || rows >= 2 * examined.rows || (isLast && rows > examined.rows);
      if (isOld) examined = examine();
      return [...examined!.found, ...checkImport(register, { ...examined!, unread }, sums)]
        .filter((finding) => finding !== undefined)
        .map((finding): ShownFinding => {
          const accepted = source.accepts?.[finding.code];
          return accepted === undefined ? finding : { ...finding, severity: 'warn', accepted };
        })
        .sort((a, b) => Number(b.severity === 'stop') - Number(a.severity === 'stop'));
    },
    /** Adds to the findings of the last list the words of `city.yaml` that end them, as far as trying them shows. */
    addRepairs(findings: readonly ShownFinding[], sums: RowSums, isLast: boolean): ShownFinding[] {
      const mapping = isLast ? source.mapping?.register : undefined; // of a folder, only the last findings are shown
      const held = new Set(findings.filter(({ severity }) => severity === 'stop').map(({ code }) => code));
      for (const code of Object.keys(source.accepts ?? {})) held.add(code as FindingCode);
      return findings.map(({ tries = [], ...finding }) =>
        mapping === undefined || examined === undefined || finding.accepted !== undefined
          ? finding
          : addRepair({ ...finding, tries }, mapping, (words) => examined!.findAfter(words, sums), held),
      );
    },
  };
}

function openSampling(register: WatchedRegister, first: readonly Seen[]) {
  const { city, today } = register;
  const cellOf =
    (row: Row): ReadText =>
    (column) =>
      readCell(row, column);
  const columns = [...new Set(first.slice(0, 50).flatMap(({ row }) => listColumns(row)))];
  const cells = first.map(({ row }) => cellOf(row));
  const evidence = gatherEvidence(columns, cells, { cityName: city.name, today });
  const repeats = openRepeatCheck(evidence); // needs all openings to find repeats
  const openings = openSample<Kept<SampledOpening>>(MOST_KEPT);
  const dropped = openSample<Kept<SampledRow>>(MOST_KEPT);
  const towns = new Map<string, number>(); // of rows left out for their town
  let newest: Day | null = null;
  const undecided = openUndecidedTally();
  const see = ({ row, judgement }: Seen): void => {
    if (judgement.kind === 'skip' && judgement.reason === PERSONAL_NAME) dropped.add(() => ({ row }));
    if (judgement.kind === 'skip' && judgement.reason === OUTSIDE) {
      const town = foldTown(readTown(cellOf(row)(evidence.roles.town?.column.name ?? '')));
      towns.set(town, (towns.get(town) ?? 0) + 1);
    }
    undecided.see(judgement);
    if (judgement.kind !== 'opening') return;
    const { key, name, category, neighborhood, status, filedOn } = judgement;
    if (filedOn <= today && (newest === null || filedOn > newest)) newest = filedOn;
    repeats.see(judgement, cellOf(row));
    openings.add(() => ({ row, key, name, category, neighborhood, status, filedOn }));
  };
  for (const one of first) see(one);
  const check = (sampled: SampledRegister, { find }: Pick<typeof repeats, 'find'>) => [
    ...CHECKS.flatMap((one) => one(sampled)),
    find(sampled.total),
  ];
  return {
    used: evidence.columns,
    see,
    examine: () => {
      const total = openings.count();
      const complete = <One extends { row: Row }>(sample: ReturnType<typeof openSample<One>>) =>
        sample.list().map((one) => ({ ...one, cell: cellOf(one.row), weight: sample.weight() }));
      const samples = { openings: complete(openings), dropped: complete(dropped) };
      const sampled = { ...register, ...samples, evidence, total, knownNames: repeats.measureKnownNames() };
      const listed = [...towns].filter(([town]) => town !== '').sort((a, b) => b[1] - a[1]);
      return {
        found: [...check(sampled, repeats), undecided.find(register, newest)],
        newest,
        towns: listed,
        /** Finds what the sampled rows show if they are judged by changed words. */
        findAfter(words: Words, sums: RowSums): ShownFinding[] {
          const { skipped, ...judged } = rejudge(sampled, words);
          const repeated = openRepeatCheck(evidence);
          for (const { key, name, filedOn, cell } of judged.openings)
            repeated.see({ key, name, filedOn }, cell);
          const all = { ...sums, openings: judged.total, skipped: { ...sums.skipped } };
          for (const [reason, rows] of skipped) all.skipped[reason] = (all.skipped[reason] ?? 0) + rows;
          const found = [
            ...check({ ...sampled, ...judged }, repeated),
            ...findMostlySkipped(sampled, all, listed),
          ];
          return found.filter((finding) => finding !== undefined);
        },
      };
    },
  };
}

/** Maximum rows to keep. If there are more, every second one is dropped and the others count twice. */
const MOST_KEPT = 10_000;

/** A sampled row without what is added when the sample is complete. */
type Kept<One> = Omit<One, 'cell' | 'weight'>;
