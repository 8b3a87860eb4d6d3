/** Calculates the days of what a calendar names: weeks, parts of years and periods counted back. */

import { addDays, addMonths, countDays, type Day, firstDayOf, monthOf } from '../../../../shared/day.ts';
import { type Days, listMonths, moveByMonths, spanDaysTo, spanMonths } from '../../../../shared/periods.ts';
import { rememberTexts } from '../../../../shared/remember.ts';
import { splitWords } from '../../../../shared/words.ts';

/** Returns some months of a year, and of the next if it has too few. */
export function takeMonths(year: number, month: number, count: number): Days {
  const first = addMonths(`${year}-01`, month - 1);
  return spanMonths(first, addMonths(first, count - 1));
}

/** Indexes months (1 to 12) and weekdays (0, Sunday, to 6) by their long and short names, in English and in a language, where `mer` is also the sea. */
export const indexNames = rememberTexts((language) => {
  const [month, weekday] = [new Map<string, number>(), new Map<string, number>()];
  for (const locale of ['en', language])
    for (const style of ['long', 'short'] as const) {
      const [months, weekdays] = (['month', 'weekday'] as const).map(
        (name) => new Intl.DateTimeFormat(locale, { [name]: style, timeZone: 'UTC' }),
      );
      // the first of each month of 2020, and the week that began on March 1, a Sunday
      for (let i = 0; i < 12; i++)
        for (const word of splitWords(months!.format(Date.UTC(2020, i)))) month.set(word, i + 1);
      for (let i = 0; i < 7 && (style === 'long' || locale === 'en'); i++)
        for (const word of splitWords(weekdays!.format(Date.UTC(2020, 2, 1 + i)))) weekday.set(word, i);
    }
  return { month: month.set('sept', 9), weekday };
});

export function weekdayOf(day: Day): number {
  return new Date(day).getUTCDay();
}

/** Returns the part `n/of` of a period: in whole years, months or days, whichever it has several of. */
export function sliceOf({ filed_from, filed_to }: Days, slice: string): Days {
  const [n = 1, of = 1] = slice.split('/').map(Number);
  const months = listMonths(monthOf(filed_from), monthOf(filed_to)).length;
  const unit = months >= 120 ? 12 : months >= of ? 1 : 0;
  const count = unit > 0 ? months / unit : countDays(filed_from, filed_to) + 1;
  const move = (parts: number) => {
    const units = Math.round((count * parts) / of);
    return unit > 0 ? firstDayOf(addMonths(monthOf(filed_from), units * unit)) : addDays(filed_from, units);
  };
  return { filed_from: move(n - 1), filed_to: addDays(move(n), -1) };
}

/** Returns `n` days, weeks, months or years at the end of a period (`nth` is -1), or from the nth one of it on. */
export function endOf(days: Days, unit: string, n: number, nth: number): Days {
  const { filed_from, filed_to } = days;
  if (filed_from === '' || filed_to === '') return days;
  if (nth < 0) return { filed_from: moveBy(addDays(filed_to, 1), unit, -n), filed_to };
  const first = moveBy(filed_from, unit, nth - 1);
  return { filed_from: first, filed_to: addDays(moveBy(first, unit, n), -1) };
}

/** Returns the day a number of days, weeks, months, years or decades after another one. */
export function moveBy(day: Day, unit: string, n: number): Day {
  const months = { month: n, year: 12 * n, decade: 120 * n }[unit];
  return months === undefined ? addDays(day, (unit === 'week' ? 7 : 1) * n) : moveByMonths(day, months);
}

/** The day on which a question is asked, and the end of the data if it is older by more than a few days; of an archive, both are that end. */
export type Ends = { lastDay: Day; dataEnd: Day };

/**
 * Returns the days of a relative period: the seven `days` to today, the `week` or `year` before; -1 is the next one. What the data does
 * not reach ends with it: a number of days that ends later, and a month or a year that begins later.
 */
export function countBack(kind: string, count: number, { lastDay, dataEnd }: Ends): Days | undefined {
  const span = countFrom(kind, count, lastDay);
  const reached = /^(?:days|week)$/.test(kind) ? span?.filed_to : span?.filed_from;
  return reached !== undefined && count >= 0 && reached > dataEnd ? countFrom(kind, count, dataEnd) : span;
}

function countFrom(kind: string, count: number, lastDay: Day): Days | undefined {
  if (kind === 'days') return spanDaysTo(lastDay, count);
  if (kind === 'day') return spanDaysTo(addDays(lastDay, -count), 1);
  if (kind === 'week') return spanDaysTo(addDays(lastDay, -7 * count), 7);
  const sunday = addDays(lastDay, -weekdayOf(lastDay));
  if (kind === 'weekend') return spanDaysTo(addDays(sunday, -7 * count), 2);
  const length = { month: 1, quarter: 3, year: 12 }[kind];
  if (length === undefined) return undefined;
  const passed = (Number(lastDay.slice(5, 7)) - 1) % length;
  const from = addMonths(monthOf(lastDay), -passed - length * count);
  return spanMonths(from, addMonths(from, length - 1));
}

/** Returns what is left of a period without another one: nothing, one period or two. */
export function subtractDays({ filed_from, filed_to }: Days, without: Days): Days[] {
  const before = without.filed_from && addDays(without.filed_from, -1);
  const after = without.filed_to && addDays(without.filed_to, 1);
  const early: Days = { filed_from, filed_to: filed_to !== '' && filed_to < before ? filed_to : before };
  const late: Days = { filed_from: after > filed_from ? after : filed_from, filed_to };
  return [before && early, after && late].flatMap((one) =>
    one && (one.filed_to === '' || one.filed_from <= one.filed_to) ? one : [],
  );
}

/** Reads the first and the last day of a phrase: `2020-03-11 2023-05-05`. */
export function parseDays(text = ''): Days {
  const [filed_from = '', filed_to = ''] = text.split(' ');
  return { filed_from, filed_to };
}

/** Returns the latest year whose span has begun or, with `hasEnded`, ended. */
export function findLatest(span: (year: number) => Days, hasEnded: boolean, lastDay: Day): number {
  let year = Number(lastDay.slice(0, 4));
  while ((hasEnded ? span(year).filed_to : span(year).filed_from) > lastDay) year--;
  return year;
}

/** Returns the first year of a decade: `1980s`, `80s`, or a year. */
export function toDecade(text: string): string {
  const digits = text.replace(/s$/, '');
  return digits.length === 4 ? digits : `${Number(digits) < 30 ? 20 : 19}${digits}`;
}
