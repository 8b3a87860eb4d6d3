/** Texts, numbers and dates of the page in the city's language. */

import type { City } from '../city/define.ts';
import { PAGE_WORDS, type PageWord } from '../city/page-words.ts';
import type { Day } from '../listings/day.ts';

export type Localization = {
  /** `lang` and `dir` of the `html` element. */
  language: string;
  direction: 'ltr' | 'rtl';
  /** The text with the values for its placeholders in braces. */
  say(word: PageWord, values?: Record<string, string | number>): string;
  number(value: number): string;
  day(day: Day): string;
  /** With its weekday. */
  date(day: Day): string;
  /** Of `YYYY-MM`. */
  month(month: string, how: 'short' | 'long'): string;
  /** An instant in the city's time zone. */
  moment(instant: string): string;
};

/** Scripts of living languages that are written from right to left. */
const RIGHT_TO_LEFT = ['Arab', 'Hebr', 'Thaa', 'Nkoo', 'Syrc', 'Adlm'];

export function localizationFor({ language = 'en', name, words, timeZone }: City): Localization {
  const numbers = new Intl.NumberFormat(language);
  const formatted = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(language, options);
    return (text: string): string => format.format(new Date(text));
  };
  const months = {
    short: formatted({ month: 'short', timeZone: 'UTC' }),
    long: formatted({ month: 'long', year: 'numeric', timeZone: 'UTC' }),
  };
  const said = { ...PAGE_WORDS, ...words };
  const view = (value: string | number) => (typeof value === 'number' ? numbers.format(value) : value);
  return {
    language,
    direction: RIGHT_TO_LEFT.includes(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr',
    say: (word, values = {}) =>
      said[word].replace(/\{(\w+)\}/g, (whole, key: string) =>
        key === 'city' ? name : Object.hasOwn(values, key) ? view(values[key]!) : whole,
      ),
    number: numbers.format,
    day: formatted({ dateStyle: 'long', timeZone: 'UTC' }),
    date: formatted({ dateStyle: 'full', timeZone: 'UTC' }),
    month: (month, how) => months[how](`${month}-01`),
    moment: formatted({ dateStyle: 'long', timeStyle: 'short', timeZone }),
  };
}
