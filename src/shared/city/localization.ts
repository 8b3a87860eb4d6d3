/** Formats texts, numbers and dates in the city's language, for its pages and emails. */

import { type Day, monthOf } from '../day.ts';
import type { NamedFilter } from '../listing.ts';
import { isWholeMonths, isWholeYears } from '../periods.ts';
import { rememberTexts } from '../remember.ts';
import type { CityFacts } from './city-facts.ts';
import { languageOf } from './languages.ts';
import { type CountedWord, type PageWord, shippedWordsOf, WORDS } from './page-words.ts';
import { isUnknown } from './value-names.ts';

type Values = Record<string, string | number>;

export type Localization = ReturnType<typeof makeLocalization>;

/** Right-to-left scripts of living languages. */
const RIGHT_TO_LEFT = ['Arab', 'Hebr', 'Thaa', 'Nkoo', 'Syrc', 'Adlm'];

const [plain, unbroken] = [new WeakMap<CityFacts, Localization>(), new WeakMap<CityFacts, Localization>()];

export function localizationFor(city: CityFacts): Localization {
  return plain.getOrInsertComputed(city, (facts) => makeLocalization(facts, false));
}

/** Returns a localization for pages and editions: a date, such as `October 9, 2026`, has spaces that never break a line. */
export function pageLocalizationFor(city: CityFacts): Localization {
  return unbroken.getOrInsertComputed(city, (facts) => makeLocalization(facts, true));
}

function makeLocalization({ language = 'en', name, words, timeZone }: CityFacts, isPage: boolean) {
  const numbers = new Intl.NumberFormat(language);
  const plurals = new Intl.PluralRules(language);
  const lists = new Intl.ListFormat(language);
  const alternatives = new Intl.ListFormat(language, { type: 'disjunction' });
  const finish = languageOf(language) === 'fr' ? finishFrench : (text: string) => text;
  const finishDate = isPage ? (text: string) => finish(text).replaceAll(' ', '\u00a0') : finish;
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options });
    // pages name the same days, months and years again and again, and `formatRange` takes 10 µs
    const ranges = rememberTexts((days) => {
      const [from = '', to = ''] = days.split(' ');
      const range = finishDate(format.formatRange(new Date(from), new Date(to)));
      return isPage ? joinRange(range, monthOf(from) === monthOf(to)) : range;
    });
    return {
      one: rememberTexts((text) => finishDate(format.format(new Date(text)))),
      range: (from: Day, to: Day) => ranges(`${from} ${to}`),
    };
  };
  const years = dates({ year: 'numeric' });
  const months = dates({ month: 'long', year: 'numeric' });
  const days = dates({ dateStyle: 'long' });
  const yearless = dates({ month: 'long', day: 'numeric' });
  const monthLooks = {
    short: dates({ month: 'short' }).one,
    long: months.one,
    name: dates({ month: 'long' }).one,
  };
  const monthDays = {
    short: dates({ month: 'short', day: 'numeric' }).one,
    shortYear: dates({ dateStyle: 'medium' }).one,
    long: yearless.one,
    longYear: days.one,
  };
  const changes = new Intl.NumberFormat(language, { signDisplay: 'exceptZero' });
  const shares = new Intl.NumberFormat(language, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  /** Replaces the hyphen with a minus sign, which is as wide as a plus and does not break lines. */
  const minus = (text: string) => text.replace('-', '\u2212');
  const said: Record<string, string> = { ...WORDS, ...shippedWordsOf(language), ...words };
  const number = rememberTexts((value: number) => numbers.format(value));
  const formOf = rememberTexts((n: number) => plurals.select(n));
  /** Splits a text at its placeholders. Their names are at the odd places. */
  const split = rememberTexts((text) => text.split(/\{(\w+)\}/));
  const view = (value: string | number) => (typeof value === 'number' ? number(value) : value);
  const viewOf = (values: Values, key: string) =>
    key === 'city' ? name : Object.hasOwn(values, key) ? view(values[key]!) : `{${key}}`;
  const fill = (text: string, values: Values) => {
    const pieces = split(text);
    let filled = pieces[0]!;
    for (let i = 1; i < pieces.length; i += 2) filled += viewOf(values, pieces[i]!) + pieces[i + 1]!;
    return finish(filled);
  };
  const sayPlain = rememberTexts((word: PageWord) => fill(said[word]!, {}));
  return {
    language,
    direction: RIGHT_TO_LEFT.includes(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr',
    /** Returns the text with its placeholders in braces filled in. */
    say: (word: PageWord, values?: Values) =>
      values === undefined ? sayPlain(word) : fill(said[word]!, values),
    /** Returns the text for a number in the right plural form. `{n}` is the number. */
    count: (word: CountedWord, n: number, values: Values = {}) =>
      fill(said[`${word}.${formOf(n)}`] ?? said[`${word}.other`]!, { ...values, n }),
    /** Returns a neighborhood or category, or the words for an unknown one. */
    nameValue: (by: NamedFilter, value: string) =>
      isUnknown(value) ? fill(said[`unknown.${by}`]!, {}) : value,
    list: (items: readonly string[]) => (items.length < 2 ? (items[0] ?? '') : lists.format(items)),
    either: (items: readonly string[]) => (items.length < 2 ? (items[0] ?? '') : alternatives.format(items)),
    number,
    day: days.one,
    /** Formats the day of an instant in the city's time zone. */
    dayOf: dates({ dateStyle: 'long', timeZone }).one,
    date: dates({ dateStyle: 'full' }).one,
    /** Formats a day: `Oct 6`, `October 6, 2015`. Omits the year if it equals `year`. */
    monthDay: (day: Day, how: 'short' | 'long', year?: string) =>
      monthDays[year !== undefined && day.startsWith(year) ? how : (`${how}Year` as const)](day),
    month: (month: string, how: keyof typeof monthLooks) => monthLooks[how](`${month}-01`),
    /** Formats a range of days. Whole years or months need no days: `2015`, `March – May 2015`. */
    period(from: Day, to: Day): string {
      const span = { filed_from: from, filed_to: to };
      return (isWholeYears(span) ? years : isWholeMonths(span) ? months : days).range(from, to);
    },
    /** Formats a range of days without years: `January 1 – October 6`. */
    daysOfYear: yearless.range,
    change: rememberTexts((value: number) => minus(changes.format(value))),
    share: rememberTexts((value: number) => minus(shares.format(value))),
    moment: dates({ dateStyle: 'long', timeStyle: 'short', timeZone }).one,
  } as const;
}

/** Keeps the days of one month on one line: `October 3 – 9`. A longer range can break after its dash. */
function joinRange(range: string, isMonth: boolean): string {
  const joined = range.replace('\u2009–', '\u00a0–');
  return isMonth ? joined.replace('–\u2009', '–\u00a0').replace('–', '–\u2060') : joined;
}

/** Corrects the first day of a month (`1er mai`) and prepositions before a name with an article (`au Mans`) or a kind (`que d’épiceries`). */
function finishFrench(text: string): string {
  return text
    .replace(/(?<!\S)1 (?=(?:janv|févr|mars|avr|mai|juin|juil|août|sept|oct|nov|déc))/g, '1er ')
    .replace(/\bque (?=(?:en|à|au|aux)\s)/g, 'qu’')
    .replace(/\bque de (?=[aeiouéèêhœ])/g, 'que d’')
    .replace(/(?<!\S)à Le(s?) (?=\p{L})/gu, (_, s: string) => `${s === '' ? 'au' : 'aux'} `);
}
