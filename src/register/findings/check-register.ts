/** Checks the register, its file and its profile: statuses, damaged and undated rows, sheets, placeholders, age. */

import { describePlaceholderFix, findPlaceholders } from '../../shared/city/placeholders.ts';
import { isStale, STALE_DAYS } from '../../shared/city/register-end.ts';
import { type Day, toDayNumber } from '../../shared/day.ts';
import { rememberTexts } from '../../shared/remember.ts';
import type { City, Source } from '../profile/define.ts';
import { OUTSIDE, UNDATED } from '../profile/mapping/mapped-source.ts';
import { restoreCharacters } from '../profile/people/tidy-name.ts';
import { foldTown } from '../profile/places/place-text.ts';
import type { UnreadSheet } from '../readers/workbook/sheet-rows.ts';
import { type Column, countRows } from '../survey/columns.ts';
import { readStatusWord, toStatusMapping } from '../survey/statuses.ts';
import { TOWNS_OF_A_REGION } from './check-outside.ts';
import type { SampledOpening, SampledRegister } from './evidence.ts';
import { listCounts, makeFinding, type ShownFinding, sumWeights } from './finding.ts';

export type RowSums = {
  read: number;
  openings: number;
  skipped: Readonly<Record<string, number>>;
};

/** The left-out rows of a city are of very many towns. Where so few towns have nearly all, they may be parts of the city, as in Boston. */
const FEW_TOWNS = 15;
const NEARLY_ALL = 0.9;

/**
 * Finds rows skipped for a missing date or for their town, if there are too many for a register of the city. Towns are sorted by rows.
 * A city that is one of the towns of a county has few of its rows: others have more, or are very many, and are no parts of it.
 */
export function findMostlySkipped(
  { city, source }: { city: Pick<City, 'name'>; source: Pick<Source, 'mapping'> },
  { openings, skipped }: RowSums,
  towns: Column['values'],
) {
  const find = (cause: 'undated' | 'mostlyOutside', count = 0, examples: string[] = []) =>
    makeFinding(cause, { count, of: openings + count, examples });
  const [left, largest = 0] = [countRows(towns), towns[0]?.[1]];
  const areFew = countRows(towns.slice(0, FEW_TOWNS)) > left * NEARLY_ALL;
  const isNamed = source.mapping?.register.town?.keep.some((town) => foldTown(town) === foldTown(city.name));
  const areOthers = largest > openings || !areFew;
  const isRegion = towns.length >= TOWNS_OF_A_REGION && largest <= (openings + left) * 0.5;
  const outside = find('mostlyOutside', skipped[OUTSIDE], listCounts(towns));
  if (outside && isNamed && areOthers && isRegion) outside.severity = 'warn';
  else if (!areFew && outside?.severity !== 'stop') return [find('undated', skipped[UNDATED])];
  return [find('undated', skipped[UNDATED]), outside];
}

type Imported = { newest: Day | null; unread: readonly UnreadSheet[]; towns: Column['values'] };

/** Finds what all rows of an import show, sampled or not. `sums` are about one file. */
export function checkImport(
  register: Pick<SampledRegister, 'city' | 'source' | 'today'>,
  seen: Imported,
  sums: RowSums,
) {
  return [
    ...findMostlySkipped(register, sums, seen.towns),
    findProfilePlaceholders(register.city),
    findStale(register.city, seen.newest, register.today),
    findUnreadSheets(seen.unread, sums),
  ];
}

function findProfilePlaceholders(city: City): ShownFinding | undefined {
  const fields = findPlaceholders(city);
  if (fields.length === 0) return undefined;
  const values = {
    fields: `${fields.join(', ')} ${fields.length === 1 ? 'is' : 'are'}`,
    fix: describePlaceholderFix(fields, 'the profile'),
  };
  return makeFinding('placeholders', { count: fields.length, of: 0, values });
}

function findUnreadSheets(unread: readonly UnreadSheet[], { read }: RowSums) {
  if (unread.length === 0) return undefined;
  const count = unread.reduce((sum, { rows }) => sum + rows, 0);
  const sheets = unread.length === 1 ? 'a second sheet' : `${unread.length} other sheets`;
  const examples = unread.map(({ name, rows }) => `${name}: ${rows} rows`);
  return makeFinding('unreadSheet', { count, of: read + count, examples, values: { sheets } });
}

/** Reports a register whose newest filing is too old for a maintained register. Ignores archives. */
function findStale(city: City, newest: Day | null, today: Day): ShownFinding | undefined {
  if (newest === null || !isStale(city, newest, today)) return undefined;
  const values = { days: toDayNumber(today) - toDayNumber(newest), newest, most: STALE_DAYS };
  return makeFinding('stale', { count: 1, of: 0, values });
}

/** What a program leaves of a name when it cannot write its characters, or reads them as others. */
const LOST = /\ufffd|\p{L}\?{1,3}\p{L}|\?\?|[\u00c2-\u00c5][\u0080-\u00bf]|[\u0080-\u009f]/u;

/**
 * The letters and digits of a number as a license has it: at least four digits, behind a few capitals at most, as in `BL-2019-00123`.
 * Letters without capitals make a name: a few of them are a word.
 */
const CODE = /^(?:\d*(?:\p{Lu}{1,4}|\p{Lo}))?\d{4,}\p{L}?$/u;
const isCode = (name: string) => CODE.test(name.replaceAll(/[^\p{L}\d]+/gu, ''));

export function checkRegister(register: SampledRegister) {
  const { openings, total: of } = register;
  const coded = openings.filter(({ name }) => isCode(name));
  const examples = coded.map(({ name }) => name);
  return [
    checkStatuses(register),
    findDamagedNames(register),
    makeFinding('codesAsNames', { count: sumWeights(coded), of, examples }),
  ];
}

/** Reports names with lost characters that could not be repaired. */
function findDamagedNames({ evidence, openings, total: of }: SampledRegister) {
  const [column = ''] = evidence.names;
  const isDamaged = (text: string) => LOST.test(restoreCharacters(text));
  const damaged = openings.filter(({ cell }) => evidence.names.map(cell).some(isDamaged));
  const count = sumWeights(damaged);
  if (count === 0) return undefined;
  const examples = damaged.map(({ cell }) => evidence.names.map(cell).find(isDamaged) ?? '');
  return makeFinding('damagedNames', { count, of, columns: [column], examples });
}

const FEWEST = 50;

function checkStatuses({ evidence, openings, total: of }: SampledRegister) {
  const sum = (test: (one: SampledOpening) => boolean) => sumWeights(openings.filter(test));
  const other = sum(({ status }) => status !== 'open' && status !== 'unknown');
  const isOpen = openings.some(({ status }) => status === 'open');
  if (of >= FEWEST && !isOpen && other > of * 0.99) return makeFinding('allClosed', { count: of, of });
  const { status } = evidence.roles;
  if (status === undefined || other > 0) return undefined;
  const readWord = rememberTexts(readStatusWord);
  const count = sum(({ cell }) => ['closed', 'abandoned'].includes(readWord(cell(status.name))));
  const tries = [{ status: toStatusMapping(status) }];
  return makeFinding('allOpen', { count, of, columns: [status.name], tries });
}
