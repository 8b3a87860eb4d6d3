/** Checks of texts that a pattern cannot say; TypeBox knows them by these names. */

import Format from 'typebox/format';
import { makeDay } from '../../listings/day.ts';
import { DAY_FORMATS } from '../days.ts';
import { parseNetwork } from '../networks.ts';

const FORMATS: Record<string, (text: string) => boolean> = {
  day: isDayText,
  'day-format': (text) => text === 'instant' || DAY_FORMATS.some((format) => format === text),
  /** The CSV reader works on bytes: a quote, a line end or a character of several bytes is no delimiter. */
  delimiter: (text) => /^[\t -~]$/.test(text) && text !== '"',
  domain: (text) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(text),
  encoding: isEncoding,
  host: (text) => /^[a-z0-9.-]+(?::\d+)?$/i.test(text),
  language: isLanguage,
  network: (text) => parseNetwork(text) !== undefined,
  'time-zone': isTimeZone,
  'web-address': (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
};
for (const [name, check] of Object.entries(FORMATS)) Format.Set(name, check);

export function isLanguage(text: string): boolean {
  try {
    return text.trim() !== '' && new Intl.Locale(text).language !== '';
  } catch {
    return false;
  }
}

function isDayText(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return makeDay(Number(year), Number(month), Number(day)) === text;
}

function isTimeZone(text: string): boolean {
  try {
    return text.includes('/') && new Temporal.ZonedDateTime(0n, text) !== undefined;
  } catch {
    return false;
  }
}

function isEncoding(text: string): boolean {
  try {
    return new TextDecoder(text) !== undefined;
  } catch {
    return false;
  }
}
