/** Lists the roles that a person confirms, each with its column, some cells and the second-best column. */

import { formatNumber, joinFirst } from '../../shared/text/numbers.ts';
import { type Column, countRows, formatShare, HALF, shareOf } from './columns.ts';
import { describeDays, isDayColumn } from './day-columns.ts';
import { describeRelation, findRenewalSigns, listUnknownDays, type RenewalSign } from './day-evidence.ts';
import { hasDigit, holdsDay, LONGEST_DAY, namesDay } from './day-formats.ts';
import { type HeaderRole, mentionsRole, saysDate, weighHeader } from './header-words.ts';
import { describeRepeats } from './key-columns.ts';
import type { TownRole } from './locations.ts';
import type { ChosenRole } from './role-choices.ts';
import type { Roles } from './survey.ts';

export type RoleLine = ReturnType<typeof listRoleLines>[number];

const CELLS = 5;
const DAYS_SHOWN = 3;
const LONGEST_CELL = 28;
/** Roles shown even without a column, because a register should have them. */
const ALWAYS: readonly ChosenRole[] = ['name', 'filed', 'status', 'category'];

/** The roles whose header words have another name. */
const HEADER_ROLES: Partial<Record<ChosenRole, HeaderRole>> = {
  'legal-name': 'name',
  renewals: 'paper',
  category: 'type',
  neighborhood: 'area',
  'postal-code': 'zip',
};

export function listRoleLines(roles: Roles) {
  const { town, neighborhood, filed } = roles;
  const chosen: Record<ChosenRole, readonly (Column | undefined)[]> = {
    name: roles.names.slice(0, 1),
    'legal-name': roles.names.slice(1),
    owner: roles.owners,
    filed: [filed],
    expires: [roles.expires],
    ended: [roles.ended],
    status: [roles.status],
    renewals: [roles.renewals],
    category: [...roles.types.columns, roles.types.naics, roles.types.nace],
    neighborhood: [neighborhood],
    address: roles.address,
    town: [town?.column],
    'postal-code': [roles.postalCode],
    key: roles.key.columns,
  };
  const remarks: Partial<Record<ChosenRole, string | undefined>> = {
    filed: describeFiled(roles),
    town: town && describeTown(town),
    key: roles.key.kind === 'name' ? `a hash of the name and these${describeRepeats(roles.key)}` : undefined,
  };
  return (Object.keys(chosen) as ChosenRole[]).flatMap((role) => {
    const columns = chosen[role].filter((column) => column !== undefined);
    if (columns.length === 0 && !ALWAYS.includes(role) && role !== 'key') return [];
    const [first] = columns;
    const isNamed = first && weighHeader(first.header, HEADER_ROLES[role] ?? (role as HeaderRole)) > 0;
    const reason = first === undefined ? 'no column fits' : isNamed ? 'by its header' : 'by its cells';
    return {
      role,
      /** Headers, joined if several columns share the role, or `none`. */
      column: columns.length === 0 ? 'none' : columns.map(({ name }) => name).join(' + '),
      cells: first === undefined ? [] : listSampleCells(first),
      runnerUp: roles.candidates[role]?.find((column) => !columns.includes(column))?.name,
      isUncertain: roles.uncertain.has(role),
      reason: roles.choices[role] === undefined ? reason : 'as you said',
      remark: remarks[role],
    };
  });
}

/** Says which rows a column of towns leaves out, or that a person must choose. */
function describeTown({ keep: [kept], share, towns }: TownRole): string {
  if (kept !== undefined)
    return `keeps ${kept}: ${Math.round(share * 100)} % of the rows. The others are left out`;
  const first = joinFirst(towns.map(([town, rows]) => `${town} ${formatNumber(rows)}`));
  return `no town has most of the rows, so all count: ${first}. Name one (--name) to keep only its rows`;
}

/** Describes the filing date and what speaks against it. */
export function describeFiled({ filed, rival, renewalSigns }: Roles): string | undefined {
  if (filed === undefined) return undefined;
  const about = rival === undefined ? [] : [`${rival.column.name} ${describeRelation(rival.relation)}`];
  const unknown = listUnknownDays(filed);
  const leftOut =
    unknown.length === 0
      ? []
      : [
          `${formatNumber(countRows(unknown))} rows are left out, because ${listDays(unknown.map(([day]) => day))} seems to mean "not known"`,
        ];
  return [describeDays(filed), ...leftOut, ...describeSigns(renewalSigns), ...about].join('. ');
}

/** Lists the first days of some. */
export function listDays(days: readonly string[]): string {
  return days.slice(0, DAYS_SHOWN).join(' or ') + (days.length > DAYS_SHOWN ? ' or another such day' : '');
}

function describeSigns(signs: readonly RenewalSign[]): string[] {
  if (signs.length === 0) return [];
  return [
    `These look like renewals: ${signs.map(({ share, says }) => `${formatShare(share)} ${says}`).join(' and ')}`,
  ];
}

export function listSampleCells({ values }: Pick<Column, 'values'>, most = CELLS): string[] {
  const step = Math.max(1, Math.floor(values.length / most));
  return values
    .filter((_, i) => i % step === 0)
    .slice(0, most)
    .map(([text]) => shortenCell(text));
}

export function shortenCell(text: string, most = LONGEST_CELL): string {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text;
}

/** Returns whether no column has dates, so that no choice of a person helps. */
export const isHopeless = ({ filed, days }: Roles): boolean => filed === undefined && days.length === 0;

/** Lists the roles without which nothing can be served. */
export function listMissing({ names, filed }: Roles): ('name' | 'filed')[] {
  return [
    ...(names.length === 0 ? ['name' as const] : []),
    ...(filed === undefined ? ['filed' as const] : []),
  ];
}

/** Explains each missing role: which columns could have it, and why date columns cannot. */
export function explainMissing({ columns, days }: Roles, missing: readonly ('name' | 'filed')[]): string[] {
  const texts = columns.filter(({ letters, length }) => letters > HALF && length > 3).slice(0, 8);
  const name = [
    'No column names the business. Columns of text:',
    ...texts.map((column) => `  ${column.name}: ${listSampleCells(column, 3).join(' | ')}`),
  ];
  const named = columns.filter(
    ({ header }) =>
      weighHeader(header, 'filed') > 0 &&
      namesDay(header) &&
      !mentionsRole(header, 'address') &&
      !mentionsRole(header, 'zip'),
  );
  const unread = columns.filter(
    (column) =>
      !isDayColumn(column) &&
      column.length < LONGEST_DAY &&
      shareOf(column, named.includes(column) ? hasDigit : holdsDay) > HALF,
  );
  const empty = named
    .filter(({ distinct, header }) => distinct === 0 && saysDate(header))
    .sort((a, b) => weighHeader(b.header, 'filed') - weighHeader(a.header, 'filed'))
    .map(({ name: header }) => header);
  const unreadDays = [
    'The cells of these columns are dates in no format that Shingle reads, or in several, or among other words. Give the date a column of its own, and convert dates of another calendar:',
    ...unread.map((column) => `  ${column.name}: ${listSampleCells(column, 3).join(' | ')}`),
  ];
  const filed = [
    'No column is the date of a first filing. The columns with dates:',
    ...days.map(
      (day) =>
        `  ${[`${day.name}: ${describeDays(day)}, but its header means another day`, ...describeSigns(findRenewalSigns(day.days))].join('. ')}`,
    ),
    'Ask the publisher for the date on which each business was first filed.',
  ];
  const none = [
    'No column holds dates. Ask the publisher for the date of the first filing.',
    ...(empty.length === 0 ? [] : [`No row has a date in these columns: ${empty.slice(0, 8).join(', ')}`]),
  ];
  const known = days.length === 0 ? (unread.length === 0 ? none : []) : filed;
  const reasons = { name, filed: [...known, ...(unread.length === 0 ? [] : unreadDays)] };
  return missing.flatMap((role) => reasons[role]);
}
