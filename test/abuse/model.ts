/** A model of docs/api.md, as simple as possible: the expected response to each query. Shares no code with what it checks. */

import type { Question } from '../../src/shared/question.ts';
import { piecesOf } from '../service/search/reference.ts';

/** Filters by values, which may be repeated. */
const VALUES = ['category', 'neighborhood', 'status'] as const;
const NARROWING = ['q', 'filed_from', 'filed_to', 'added_from'];
const COUNTED = [...NARROWING, ...VALUES];
export const KNOWN_PARAMETERS = [...COUNTED, 'limit', 'offset'];
export const FEED_PARAMETERS = [...COUNTED, 'limit', 'before'];
const ONCE = [...NARROWING, 'limit', 'offset', 'before', 'width', 'compare', 'by', 'data'];
const LISTS = VALUES.map((name) => `${name}[]`);
const LONGEST_ADDRESS = 2048;

/** The status a search deserves. `totalOf` says how many listings a question finds. */
export function searchStatus(
  path: string,
  totalOf: (question: Question) => number,
  known = KNOWN_PARAMETERS,
  isTable = false,
): number {
  if (Buffer.byteLength(path) > LONGEST_ADDRESS) return 414;
  const given = new Map<string, string[]>(known.map((name) => [name, []]));
  const query = path.includes('?') ? path.slice(path.indexOf('?') + 1) : '';
  for (const pair of query.split('&').filter((one) => one !== '')) {
    const [, name, value] = /^([^=]*)=?(.*)$/s.exec(pair)!;
    const plain = spelled(name!) ?? '';
    if (plain === '_' || plain.startsWith('utm_')) continue;
    const values = given.get(LISTS.includes(plain) ? plain.slice(0, -2) : plain);
    const text = spelled(value!);
    if (values === undefined || text === undefined) return 400;
    if (text !== '') values.push(text);
  }
  const all = (name: string): string[] => given.get(name) ?? [];
  if (ONCE.some((name) => all(name).length > 1)) return 400;
  if ([...(all('q')[0] ?? '')].length > 200 || wordsOf(all('q')[0] ?? '') > 12) return 400;
  const [from, to] = [dayOf(all('filed_from')[0], '-01-01'), dayOf(all('filed_to')[0], '-12-31')];
  if (from === undefined || to === undefined) return 400;
  const since = sinceOf(all('added_from')[0]);
  if (since === undefined || all('before').some((text) => !/^\d{17}-\d{1,9}$/.test(text))) return 400;
  if (['limit', 'offset'].some((name) => all(name).some((text) => !/^(?:0|[1-9]\d*)$/.test(text))))
    return 400;
  if (all('width').some((text) => !/^[1-9]\d{2,3}$/.test(text) || Number(text) < 240 || Number(text) > 2000))
    return 400;
  if (all('compare').some((text) => text !== 'year_before')) return 400;
  if (all('by').some((text) => !isBy(text, isTable))) return 400;
  const limit = Math.min(25, Number(all('limit')[0] ?? 25));
  const offset = Number(all('offset')[0] ?? 0);
  if (offset + limit <= 1000) return 200;
  const total = totalOf({
    ...{ q: all('q')[0] ?? '', category: all('category'), neighborhood: all('neighborhood') },
    ...{ status: all('status'), filed_from: from, filed_to: to, added_from: since, limit: 0, offset: 0 },
  });
  return total > 1000 && offset < total ? 400 : 200;
}

/** The status that counts deserve: what narrows may be asked, pages may not. */
export function statsStatus(path: string): number {
  return searchStatus(path, () => 0, [...COUNTED, 'by']);
}

/** The status that a picture of counts deserves: it may be a comparison, and as SVG have a width. */
export function chartStatus(path: string): number {
  const more = path.startsWith('/chart.svg') ? ['compare', 'width'] : ['compare'];
  return searchStatus(path, () => 0, [...COUNTED, ...more]);
}

/** The status that a table of counts deserves: its rows may be chosen. */
export function tableStatus(path: string): number {
  return searchStatus(path, () => 0, [...COUNTED, 'by'], true);
}

/** Whether counts can be by this: two dimensions, or for a table one. */
function isBy(text: string, isTable: boolean): boolean {
  const names = text.split(',').map((name) => name.trim());
  const known = ['month', ...VALUES];
  const isLong = names.length === 2 || (isTable && names.length === 1);
  return isLong && new Set(names).size === names.length && names.every((name) => known.includes(name));
}

/** How many different words or pieces a text has, whichever are more. */
export function wordsOf(q: string): number {
  const pieces = piecesOf(q);
  return Math.max(new Set(pieces.flat()).size, new Set(pieces.map((piece) => piece.join(' '))).size);
}

/** A day, or an instant in UTC; `''` where nothing was asked, `undefined` where there is no such time. */
function sinceOf(text: string | undefined): string | undefined {
  if (text === undefined) return '';
  const [, day, time, hour, minute, second = '0', hours = '0', minutes = '0'] =
    /^(\d{4}-\d\d-\d\d)(T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?:Z|[+-](\d\d):(\d\d)))?$/.exec(text) ?? [];
  if (day === undefined || dayOf(day, '-01-01') === undefined) return undefined;
  if (time === undefined) return day;
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
  if (!isTime || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return new Date(text.replace(/:60(?=[.Z+-])/, ':59')).toISOString();
}

/** The first or last day of what was asked for; `''` where nothing was, `undefined` where there is no such day. */
function dayOf(text: string | undefined, edge: '-01-01' | '-12-31'): string | undefined {
  if (text === undefined) return '';
  const [, year, month, date] = /^(\d{4})(-\d\d)?(-\d\d)?$/.exec(text) ?? [];
  if (year === undefined || year === '0000') return undefined;
  const inMonth = month ?? edge.slice(0, 3);
  if (date !== undefined) return isDayThere(text) ? text : undefined;
  if (!isDayThere(`${year}${inMonth}-01`)) return undefined;
  if (edge === '-01-01') return `${year}${inMonth}-01`;
  return ['-31', '-30', '-29', '-28'].map((last) => `${year}${inMonth}${last}`).find(isDayThere);
}

function isDayThere(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

/** What percent-encoding spells; `undefined` where it is broken or no UTF-8. */
export function spelled(text: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(text)) return undefined;
  const bytes = text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return undefined;
  }
}
