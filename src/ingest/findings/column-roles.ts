/**
 * What the columns of a register seem to hold, declared or not, by the words of their headers and by a sample of their
 * cells. For findings: a role here never decides what is served.
 */

import { DAY_FORMATS, type DayFormat, parseDay } from '../../city/days.ts';
import type { Row, Source } from '../../city/define.ts';
import { listColumns, readCell } from '../sources/row.ts';

export type DateColumn = { column: string; format: DayFormat };

export type ColumnRoles = {
  /** Where a person stands who owns or answers for the business. */
  owners: readonly string[];
  /** Says whether the business is a person's or a company's. */
  legalForm: string | undefined;
  town: string | undefined;
  state: string | undefined;
  /** Says in yes or no whether the business lies outside; `means` is what outside is. */
  outside: { column: string; means: RegExp } | undefined;
  /** Latitude and longitude, or one column that holds both. */
  point: readonly string[];
  /** Together the premises; never a mailing address. */
  address: readonly string[];
  zip: string | undefined;
  /** Other days than those that cannot be a first filing (expiry, end, birth). */
  dates: readonly DateColumn[];
  /** Columns whose days have two-digit years, declared or not: a profile that cannot read them may name none. */
  shortYears: readonly string[];
  /** Few different texts, many times: what kind of licence or business it is. */
  types: readonly { column: string; isDeclared: boolean }[];
};

type SampledColumn = {
  column: string;
  /** The header's words in lower case, a space between and around. */
  header: string;
  filled: number;
  /** Filled cells, in order. */
  values: readonly string[];
  distinct: number;
};

const ELSEWHERE =
  / (mail|mailing|owners?|billing|bill|corporate|headquarters|hq|contact|applicant|agent|parent|home) /;
const NOT_A_NAME =
  / (type|code|phone|telephone|address|street|city|state|zip|postal|email|date|id|number|no|nbr|district|class|count) /;
const OWNER =
  / (owners?|ownership|registrants?|proprietors?|applicants?|principals?|partners?|taxpayer|licensee|permittee|contact|full ?name|legal|last ?name|first ?name|holder) /;
const NOT_FIRST =
  / (birth|dob|expir\w*|exp\w*|ends?|ended|clos\w*|cancel\w*|inact\w*|terminat\w*|extract\w*|load\w*|as of|updat\w*|modif\w*|chang\w*|through|thru|next|due|renew\w*|inspect\w*|milestone\w*|generated) /;
const TYPE =
  / (types?|category|class|classification|description|desc|activity|kind|industry|business|permit|license|licence|licenses|naics|sic|sector|use|cat|catdesc|class ?desc) /;
const SHORT_YEAR = /^\d{1,2}[-/.]\d{1,2}[-/.]\d{2}(?:$|[ T])/;
const PAIR = /^(?:POINT ?)?\(?\s*-?\d{1,3}\.\d+[, ]\s*-?\d{1,3}\.\d+\s*\)?$/i;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const FLAG = /^(?:y|n|yes|no|true|false|0|1|t|f|in|out|inside|outside)$/i;

/** All columns that have a role. */
export function listUsedColumns(roles: ColumnRoles): ReadonlySet<string> {
  const { legalForm, town, state, outside, zip } = roles;
  const single = [legalForm, town, state, outside?.column, zip].filter((column) => column !== undefined);
  const columns = [...roles.dates, ...roles.types].map(({ column }) => column);
  return new Set([
    ...single,
    ...columns,
    ...roles.owners,
    ...roles.point,
    ...roles.address,
    ...roles.shortYears,
  ]);
}

/** The roles of the columns, by a sample of rows. */
export function findColumnRoles(rows: readonly Row[], source: Source): ColumnRoles {
  const declared = new Set([...source.columns, ...(source.optional ?? [])]);
  const all = sampleColumns(rows);
  const here = all.filter(({ header }) => !ELSEWHERE.test(header));
  const dates = all.map(toDateColumn).filter((one) => one !== undefined);
  const owners = all.filter(
    (one) => OWNER.test(one.header) && !NOT_A_NAME.test(one.header) && isNameLike(one),
  );
  const town = here.find(isTown);
  const address = here.filter(isAddress).slice(0, 4);
  const used = new Set([town, ...owners, ...address].map((one) => one?.column));
  return {
    owners: owners.map(({ column }) => column).slice(0, 4),
    legalForm: all.find(isLegalForm)?.column,
    town: town?.column,
    state: here.find(isState)?.column,
    outside: findOutsideFlag(here),
    point: findPoint(all),
    address: address.map(({ column }) => column),
    zip: here.find(({ header, values }) => / (zip|postal) ?\w* /.test(header) && values.length > 0)?.column,
    dates: dates.filter((one) => !NOT_FIRST.test(splitHeader(one.column))),
    shortYears: all
      .filter(({ values }) => isMostly(values, (text) => SHORT_YEAR.test(text)))
      .map(({ column }) => column),
    types: all
      .filter((one) => !used.has(one.column) && isTypeText(one))
      .map(({ column }) => ({ column, isDeclared: declared.has(column) })),
  };
}

function sampleColumns(rows: readonly Row[]): SampledColumn[] {
  const names = [...new Set(rows.slice(0, 50).flatMap(listColumns))];
  return names.map((column) => {
    const values = rows.map((row) => readCell(row, column)).filter((text) => text !== '');
    const filled = values.length / Math.max(1, rows.length);
    return { column, header: splitHeader(column), filled, values, distinct: new Set(values).size };
  });
}

/** Words that publishers write without a space between. */
const GLUED =
  /(business|license|licence|applicant|application|company|owner|legal|site|mailing|mail|location|address|city|state|zip|code|desc|name|type|date|dttm|status|number|full|first|last|start|issued?|created?|category|class|cat|lic|dba)/g;

function splitHeader(column: string): string {
  const plain = column.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const apart = words.map((word) => (word.replace(GLUED, '') === '' ? word.replace(GLUED, ' $1 ') : word));
  return ` ${apart.join(' ').replace(/\s+/g, ' ').trim()} `;
}

/** Nine in ten of the cells, and at least one. */
function isMostly(values: readonly string[], test: (text: string) => boolean): boolean {
  return values.length > 0 && values.filter(test).length >= values.length * 0.9;
}

function isNameLike({ values, distinct }: SampledColumn): boolean {
  return distinct > Math.min(20, values.length / 5) && isMostly(values, (text) => /\p{L}{2}/u.test(text));
}

export const COMPANY_FORM =
  /corp|\bllc\b|l\.l\.c|limited liab|\binc\b|\bltd\b|non.?profit|trust|government|association/i;
export const PERSON_FORM = /\b(?:individual|sole|proprietor\w*|natural person)\b/i;

function isLegalForm({ header, values, distinct }: SampledColumn): boolean {
  if (
    distinct > 40 ||
    !/ (type|entity|owners?|ownership|organi\w*|company|form|structure|legal|license) /.test(header)
  )
    return false;
  const legal = values.filter((text) => PERSON_FORM.test(text) || COMPANY_FORM.test(text)).length;
  return values.some((text) => PERSON_FORM.test(text)) && legal >= values.length * 0.2;
}

function isTown({ header, values, filled }: SampledColumn): boolean {
  return (
    / (city|town|municipality|locality) /.test(header) &&
    !/ (council|district|id|code|limits|county|outside|inside|council\w*) /.test(header) &&
    filled > 0.2 &&
    isMostly(values, (text) => /\p{L}{2}/u.test(text) && text.length < 40 && !FLAG.test(text))
  );
}

function isState({ header, values, filled, distinct }: SampledColumn): boolean {
  return (
    / (state|province|st|prov) /.test(header) &&
    filled > 0.2 &&
    distinct < 80 &&
    isMostly(values, (text) => /^[a-z]{2}\.?$/i.test(text))
  );
}

function findOutsideFlag(columns: readonly SampledColumn[]): ColumnRoles['outside'] {
  for (const { column, header, values } of columns) {
    if (!isMostly(values, (text) => FLAG.test(text))) continue;
    if (/ outside ?\w* /.test(header)) return { column, means: /^(?:y|yes|true|1|t|out|outside)$/i };
    if (/ (inside ?\w*|within|in city|is \w+ address|is in \w+) /.test(header))
      return { column, means: /^(?:n|no|false|0|f|out|outside)$/i };
  }
  return undefined;
}

function findPoint(columns: readonly SampledColumn[]): readonly string[] {
  const named = (words: RegExp, most: number) =>
    columns.find(
      ({ header, values }) =>
        words.test(header) && isMostly(values, (text) => NUMBER.test(text) && Math.abs(Number(text)) <= most),
    )?.column;
  const latitude = named(/ (lat|latitude|y) /, 90);
  const longitude = named(/ (lon|lng|long|longitude|x) /, 180);
  if (latitude !== undefined && longitude !== undefined) return [latitude, longitude];
  const pair = columns.find(({ values }) => isMostly(values, (text) => PAIR.test(text)));
  return pair === undefined ? [] : [pair.column];
}

function isAddress({ header, values, filled }: SampledColumn): boolean {
  return (
    filled > 0.1 &&
    / (address\w*|addr|street|site ?location|premises|house|unit|suite|building|location) /.test(header) &&
    !/ (type|city|state|zip|email|id|date|desc|description|account|start|end|url|status|district|code|area) /.test(
      header,
    ) &&
    !isMostly(values, (text) => PAIR.test(text) || /^[[{]/.test(text))
  );
}

function toDateColumn({ column, values }: SampledColumn): DateColumn | undefined {
  const sample = values.slice(0, 100);
  const format = DAY_FORMATS.filter((one) => one !== 'excel' && one !== 'YYYYMMDD').find((one) =>
    isMostly(sample, (text) => parseDay(text, one) !== undefined),
  );
  return format === undefined || sample.length < 5 ? undefined : { column, format };
}

/** Few texts that repeat, of letters and more than codes. */
function isTypeText({ header, values, distinct }: SampledColumn): boolean {
  return (
    distinct >= 2 &&
    distinct <= values.length / 2 &&
    TYPE.test(header) &&
    !/ (status|state|city|zip|date|unit type|address|street|name|number|area|owner|ownership|company|entity|council|district|id|code|applic\w*|reason\w*|location) /.test(
      header,
    ) &&
    isMostly(values, (text) => /\p{L}{3}/u.test(text) && !/^\d{4}-/.test(text))
  );
}
