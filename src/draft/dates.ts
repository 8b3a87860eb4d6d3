/** Which columns are days, how they are written, and what each is the day of. */

import { DAY_FORMATS, type DayFormat, dayAt, hasShortYear, parseDay } from '../city/days.ts';
import type { Day } from '../listings/day.ts';
import { textAt } from '../registers/table.ts';
import { type Column, countRows, formatShare, rankColumns, scoreColumn, type Weighted } from './columns.ts';

/** How a column writes its days: one or two formats, or moments with an offset. */
export type DayReading = { formats: readonly DayFormat[]; pivot: number | undefined; isMoment: boolean };

export type DayColumn = { column: Column; reading: DayReading; evidence: string };

export type FiledGuess = DayColumn & {
  /** The day a business was created or began, rather than the day of a paper that is issued again each year. */
  isFirst: boolean;
  /** Days that many rows share, which therefore say nothing. */
  unknownDays: readonly (readonly [Day, number])[];
  /** Another column that may be the filing date as well. */
  rival: DayColumn | undefined;
};

export type DayGuesses = {
  filedOn: FiledGuess | undefined;
  expiresOn: DayColumn | undefined;
  endedOn: DayColumn | undefined;
};

/** How well a header names the day of the first filing. Creation and start come before papers that are issued anew. */
const FILED: Weighted = [
  [
    /\b(creat\w*|start\w*|began|begin\w*|commenc\w*|open\w*|first|establish\w*|origin\w*|incorporat\w*|formation|formed|inception|since)\b/,
    10,
  ],
  [/\b(filed?|filing|regist\w*|record\w*)\b/, 9],
  [/\b(issued?|granted|licensed)\b|^(license|permit|account|business) date$/, 6],
  [/\b(effective|from|approv\w*|issuance)\b/, 5],
  [/\b(appl\w*|received|entered|submitted|added)\b/, 4],
  [/\b(date|day|on)\b|date$/, 2],
];
/** A start that begins anew with each paper, and a creation that is the application's. */
const FIRST_OF_A_TERM = /\b(term|period|current|cycle|fiscal)\b/;
const OF_AN_APPLICATION = /\b(application|request)\b/;
const NOT_FILED =
  /expir|\bend|clos|ceas|cancel|renew|updat|modif|load|status|chang|as of|payment|paid|inspect|birth|last|next|due|dissol|terminat|abandon|withdr|until|valid to|data|print|extract|export|inactiv|milestone|complet/;
const EXPIRES: Weighted = [[/expir|valid (until|to|through)|until|term end/, 10]];
const ENDED: Weighted = [
  [
    /\b(end\w*|clos\w*|ceas\w*|dissol\w*|terminat\w*|cancel\w*|out of business|abandon\w*|inactive|surrender\w*)\b/,
    10,
  ],
];

export function guessDays(columns: readonly Column[]): DayGuesses {
  const days = columns.flatMap((column) => {
    const reading = readingOf(column);
    return reading === undefined ? [] : [{ column, reading, evidence: describeDays(column, reading) }];
  });
  const filedOn = filedColumn(days);
  const rest = days.filter(({ column }) => column !== filedOn?.column);
  const bestOf = (weights: Weighted, not: RegExp) =>
    bestDay(rest, ({ column }) => (not.test(column.header) ? 0 : scoreColumn(column, weights)));
  return { filedOn, expiresOn: bestOf(EXPIRES, /^$/), endedOn: bestOf(ENDED, /renew|expir|weekend/) };
}

function filedColumn(days: readonly DayColumn[]): FiledGuess | undefined {
  const score = ({ column }: DayColumn) => filedScore(column) * (column.filled < 0.5 ? 0.1 : 1);
  const ranked = days.filter((day) => score(day) > 0).sort((a, b) => score(b) - score(a));
  const [best, ...others] = ranked;
  if (best === undefined) return undefined;
  const equals = [best, ...others.filter((other) => score(other) === score(best))];
  const first = equals.reduce((a, b) => (isBetter(b, a) ? b : a));
  const rival = ranked.find((other) => other !== first && score(other) >= 4 && other.column.filled > 0.8);
  return { ...first, isFirst: score(first) >= 9, unknownDays: unknownDaysOf(first), rival };
}

function filedScore(column: Column): number {
  if (NOT_FILED.test(column.header)) return 0;
  const score = scoreColumn(column, FILED);
  if (OF_AN_APPLICATION.test(column.header)) return Math.min(score, 4);
  return FIRST_OF_A_TERM.test(column.header) ? Math.min(score, 3) : score;
}

function bestDay(days: readonly DayColumn[], score: (day: DayColumn) => number): DayColumn | undefined {
  const [column] = rankColumns(
    days.map((day) => day.column),
    (one) => score(days.find((day) => day.column === one)!),
  );
  return days.find((day) => day.column === column);
}

/** Of two days that are named alike: one without impossible days, else the earlier one. */
function isBetter(a: DayColumn, b: DayColumn): boolean {
  const [mine, other] = [countImpossible(a), countImpossible(b)];
  return mine === other || (mine > 0 && other > 0) ? isMostlyEarlier(a, b) : mine < other;
}

function countImpossible(day: DayColumn): number {
  return daysOf(day).filter((one) => one !== undefined && (one < '1850' || one > '2100')).length;
}

/** Whether `a` is before `b` on most of the rows where they differ. */
function isMostlyEarlier(a: DayColumn, b: DayColumn): boolean {
  const [before, after] = [daysOf(a), daysOf(b)];
  let [earlier, later] = [0, 0];
  for (let row = 0; row < a.column.rows; row++) {
    const [one, other] = [before[a.column.codes[row]!], after[b.column.codes[row]!]];
    if (one === undefined || other === undefined || one === other) continue;
    if (one < other) earlier++;
    else later++;
  }
  return earlier > later;
}

/** The day of each different text of a column. */
export function daysOf({ column, reading }: Pick<DayColumn, 'column' | 'reading'>): (Day | undefined)[] {
  return column.texts.map((text) => readDay(text, reading, 'Etc/UTC'));
}

export function readDay(text: string, reading: DayReading, timeZone: string): Day | undefined {
  if (reading.isMoment) return dayAt(text, timeZone);
  for (const format of reading.formats) {
    const day = parseDay(text, format, reading.pivot === undefined ? {} : { pivot: reading.pivot });
    if (day !== undefined) return day;
  }
  return undefined;
}

const MOST_TRIED = 20_000;

/** The format that most cells are days in, and a second one where that reads what is left. */
function readingOf(column: Column): DayReading | undefined {
  const step = Math.ceil(column.values.length / MOST_TRIED);
  const values = column.values.filter((_, i) => i % step === 0);
  const all = countRows(values);
  if (all === 0) return undefined;
  const moments = countRows(values.filter(([text]) => dayAt(text, 'Etc/UTC') !== undefined));
  if (moments / all >= 0.8 && values.some(([text]) => !/T00:00:00(?:\.0+)?Z$/.test(text)))
    return { formats: [], pivot: undefined, isMoment: true };
  const formats = DAY_FORMATS.filter((format) => format !== 'excel' || /date|day/.test(column.header));
  const [first, share] = bestFormat(values, formats);
  if (first === undefined || share === 0) return undefined;
  const left = values.filter(([text]) => !isLikely(text, first));
  const [second, more] = bestFormat(left, formats);
  const both = (share * all + more * countRows(left)) / all;
  if (both < 0.8) return undefined;
  const chosen = second !== undefined && both - share > 0.005 ? [first, second] : [first];
  const pivot = chosen.some(hasShortYear) ? pivotOf(values) : undefined;
  return { formats: chosen, pivot, isMoment: false };
}

function bestFormat(
  values: Column['values'],
  formats: readonly DayFormat[],
): [DayFormat | undefined, number] {
  const all = Math.max(1, countRows(values));
  const [best] = formats
    .map((format): [DayFormat, number] => [
      format,
      countRows(values.filter(([text]) => isLikely(text, format))) / all,
    ])
    .sort((a, b) => b[1] - a[1]);
  return best ?? [undefined, 0];
}

/** A register of businesses: days of the last two centuries and this one. */
function isLikely(text: string, format: DayFormat): boolean {
  const day = parseDay(text, format, { pivot: 2049 });
  return day !== undefined && day > '1700-01-01' && day < '2200';
}

/** Two-digit years form a circle: the pivot lies in the longest gap, at most ten years after the newest year. */
function pivotOf(values: Column['values']): number {
  const years = [
    ...new Set(
      values.flatMap(
        ([text]) => /^\d{1,2}[-/. ](?:\d{1,2}|[a-z]+\.?)[-/. ](\d\d)(?!\d)/i.exec(text)?.[1] ?? [],
      ),
    ),
  ]
    .map(Number)
    .sort((a, b) => a - b);
  const gaps = years.map((year, i) => ({
    year,
    silent: (i + 1 < years.length ? years[i + 1]! : years[0]! + 100) - year,
  }));
  const widest = gaps.reduce((a, b) => (b.silent > a.silent ? b : a), { year: 29, silent: 0 });
  const newest = widest.year < 70 ? 2000 + widest.year : 1900 + widest.year;
  return newest + Math.min(10, Math.floor(widest.silent / 2));
}

const SENTINEL_SHARE = 0.05;
const SENTINEL_TIMES = 20;

/**
 * One day on more than 5 % of the rows, and on twenty times as many as a usual one: it stands for "not known". So do days before
 * 1900, where a register has them.
 */
function unknownDaysOf(day: DayColumn): [Day, number][] {
  const days = daysOf(day);
  const counts = new Map<Day, number>();
  for (const code of day.column.codes) {
    const one = days[code];
    if (one !== undefined) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  const rows = [...counts.values()].reduce((a, b) => a + b, 0);
  const usual = rows / Math.max(1, counts.size);
  const isUnknown = (one: Day, count: number) =>
    one <= '1900-01-01' || (count / rows > SENTINEL_SHARE && count > SENTINEL_TIMES * usual && count > 20);
  return [...counts]
    .filter(([one, count]) => isUnknown(one, count))
    .sort((a, b) => b[1] - a[1])
    .slice(0, 20);
}

function describeDays({ filled }: Column, { formats, isMoment, pivot }: DayReading): string {
  const how = isMoment ? 'timestamps with an offset' : `dates as ${formats.join(' or ')}`;
  const years = pivot === undefined ? '' : `; two-digit years are read as years up to ${pivot}`;
  return `${formatShare(filled)} of the rows have it, ${how}${years}`;
}

/** Three rows where two columns differ, as both have them. */
export function compareDays(a: DayColumn, b: DayColumn): [string, string][] {
  const found: [string, string][] = [];
  for (let row = 0; row < a.column.rows && found.length < 3; row++) {
    const pair: [string, string] = [textAt(a.column, row), textAt(b.column, row)];
    if (pair[0] !== '' && pair[1] !== '' && pair[0] !== pair[1]) found.push(pair);
  }
  return found;
}
