/** The expected results of the index, computed the plain way: arrays of objects, filtered and sorted. Shares no code with it. */

import type { BuildRow } from '../../../src/service/search/index/build.ts';
import type { Facets, Stats } from '../../../src/shared/answers.ts';
import type { Counts, Listing } from '../../../src/shared/listing.ts';
import type { Question } from '../../../src/shared/question.ts';

type Filter = keyof Facets;
const VALUE_OF: Record<Filter, (listing: Listing) => string> = {
  category: ({ category }) => category,
  neighborhood: ({ neighborhood }) => neighborhood,
  status: ({ status }) => status,
};
const FILTERS = Object.keys(VALUE_OF) as Filter[];
const perFilter = (listings: (filter: Filter) => readonly Listing[]) =>
  Object.fromEntries(FILTERS.map((one) => [one, spread(listings(one).map(VALUE_OF[one]))])) as Facets;

/** `own`: the words of the name, with those that other names write as one. */
type Entry = { listing: Listing; arrivedAt: string; words: Set<string>; own: Set<string> };

export type Reference = {
  all(question: Question): Listing[];
  facets(question: Question): Facets;
  stats(question: Question): Stats;
};

export function reference(rows: readonly BuildRow[], today: string): Reference {
  const entries = rows.toSorted(inAnswerOrder).map((row) => entryOf(row, today));
  joinNeighbors(entries);
  const matching = (question: Question, without?: Filter) => {
    const hasWords = wordTest(entries, question.q);
    return entries
      .filter((entry) => isChosen(entry, question, without) && hasWords(entry))
      .map(({ listing }) => listing);
  };
  return {
    all: (question) => matching(question),
    facets: (question) => perFilter((filter) => matching(question, filter)),
    stats: (question) =>
      statsOf(
        matching(question),
        question,
        [entries[0]?.listing.filing_date ?? '', today].toSorted().at(-1)!,
      ),
  };
}

function inAnswerOrder(a: BuildRow, b: BuildRow): number {
  for (const [x, y] of [
    [b.filedOn, a.filedOn],
    [a.name, b.name],
    [a.key, b.key],
  ] as const) {
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}

function entryOf(row: BuildRow, today: string): Entry {
  const { name, filedOn } = row;
  const [category, neighborhood] = [row.category ?? 'Uncategorized', row.neighborhood ?? 'Unknown'];
  const isOver = row.status === 'open' && row.expiresOn !== null && row.expiresOn < today;
  const spoken = (texts: readonly string[]) =>
    new Set(texts.flatMap(piecesOf).flatMap((piece) => [...piece, piece.join('')]));
  const status = isOver ? 'expired' : row.status;
  return {
    listing: { name, category, neighborhood, status, filing_date: filedOn },
    arrivedAt: row.arrivedAt,
    words: spoken([category, neighborhood]),
    own: spoken([name]),
  };
}

/** One character at a time, where the catalogue works on whole texts. */
export function piecesOf(text: string): string[][] {
  const pieces: string[][] = [[]];
  let word = '';
  const endWord = () => {
    if (word !== '') pieces.at(-1)!.push(word);
    word = '';
  };
  for (const character of [...text]
    .filter((c) => !"'’‘ʼ`´′＇".includes(c))
    .join('')
    .normalize('NFKD')) {
    if (/\p{M}/u.test(character)) continue;
    if (/[\p{L}\p{N}]/u.test(character)) word += character.toLowerCase();
    else endWord();
    if (character === '&') pieces.at(-1)!.push('and');
    if (/\s/.test(character)) pieces.push([]);
  }
  endWord();
  return pieces.filter((piece) => piece.length > 0);
}

/** `day care` in one name is also `daycare`, if another name says so. */
function joinNeighbors(entries: readonly Entry[]): void {
  const known = new Set(entries.flatMap(({ own }) => [...own]));
  for (const { own } of entries) {
    const inOrder = [...own];
    for (const [i, word] of inOrder.entries()) {
      const both = `${inOrder[i - 1] ?? ''}${word}`;
      if (i > 0 && inOrder[i - 1]!.length > 1 && word.length > 1 && both.length > 4 && known.has(both))
        own.add(both);
    }
  }
}

function isChosen({ listing, arrivedAt }: Entry, question: Question, without: Filter | undefined): boolean {
  const { filed_from, filed_to, added_from } = question;
  if (added_from !== '' && Date.parse(arrivedAt) < Date.parse(added_from) - 60_000) return false;
  if (filed_from !== '' && listing.filing_date < filed_from) return false;
  if (filed_to !== '' && listing.filing_date > filed_to) return false;
  return FILTERS.every((filter) => {
    const asked = question[filter].filter((value) => value.trim() !== '');
    const isValue = (value: string) => plain(value) === plain(VALUE_OF[filter](listing));
    const [out, chosen] = [true, false].map((isOut) =>
      asked.filter((value) => /^\s*-/.test(value) === isOut),
    );
    return (
      filter === without ||
      ((chosen!.length === 0 || chosen!.some(isValue)) &&
        !out!.some((value) => isValue(value.replace('-', ''))))
    );
  });
}

type Test = (entry: Entry) => boolean;

type Typed = { text: string; pieces: string[][]; isOut: boolean; isPhrase: boolean };

/** Pieces between spaces, phrases between quotation marks, each perhaps after a minus sign. */
function typedOf(q: string): Typed[] {
  const found: Typed[] = [];
  for (let rest = q.trimStart(); rest !== ''; rest = rest.trimStart()) {
    const sign = rest.startsWith('-') ? 1 : 0;
    const close = rest[sign] === '"' ? rest.indexOf('"', sign + 1) : -1;
    const isPhrase = close > 0 && (close + 1 === rest.length || /\s/.test(rest[close + 1]!));
    const space = rest.search(/\s/);
    const end = isPhrase ? close + 1 : space < 0 ? rest.length : space;
    const text = isPhrase ? rest.slice(sign + 1, close) : rest.slice(sign, end);
    const pieces = piecesOf(text);
    if (pieces.length > 0)
      found.push({ text, pieces, isOut: sign > 0 && text.replaceAll('-', '') !== '', isPhrase });
    rest = rest.slice(end);
  }
  return found;
}

/** Whether a listing meets every condition of a query: words, words joined by OR, and none of those after a minus sign. */
function wordTest(entries: readonly Entry[], q: string): Test {
  const typed = typedOf(q);
  const singles: { piece: string[]; isLast: boolean }[] = [];
  const others: Test[] = [];
  const isStar = q.trimEnd().endsWith('*');
  const known = new Set<string>();
  for (let i = 0; i < typed.length; i++) {
    const one = typed[i]!;
    const joined = [one];
    while (typed[i + 1]?.text === 'OR' && !joined.at(-1)!.isOut && typed[i + 2]?.isOut === false) {
      joined.push(typed[i + 2]!);
      i += 2;
    }
    const isLast = (side: Typed) => side === typed.at(-1) && !side.isPhrase && (isStar || !side.isOut);
    const tests = joined.flatMap((side) => {
      if (side.isPhrase) return [phraseTest(side.pieces.flat())];
      return side.pieces.map((piece, at) =>
        singleTest(entries, piece, { isLast: isLast(side) && at === side.pieces.length - 1, isStar }),
      );
    });
    if (joined.length > 1) {
      const first = joined[0]!.pieces.length;
      for (const test of tests.slice(0, first - 1)) others.push(test);
      others.push((entry) => tests.slice(first - 1).some((test) => test(entry)));
    } else if (one.isOut) others.push((entry) => !tests.some((test) => test(entry)));
    else if (one.isPhrase) others.push(tests[0]!);
    else
      for (const [at, piece] of one.pieces.entries()) {
        const ends = isLast(one) && at === one.pieces.length - 1;
        if (known.has(piece.join(' ')) && !(ends && isStar)) continue;
        known.add(piece.join(' '));
        singles.push({ piece, isLast: ends });
      }
  }
  const tests = singles.map(({ piece, isLast }) => singleTest(entries, piece, { isLast, isStar }));
  const all: Test[] = [];
  for (let at = 0; at < singles.length; ) {
    const length = [3, 2].find((length) => {
      const some = singles.slice(at, at + length).map(({ piece }) => piece);
      const joined = some.join('');
      return (
        some.length === length &&
        some.every(({ length }) => length === 1) &&
        entries.some(({ own }) => own.has(joined))
      );
    });
    const end = at + (length ?? 1);
    const joined =
      length === undefined
        ? undefined
        : singles
            .slice(at, end)
            .map(({ piece }) => piece)
            .join('');
    const each = tests.slice(at, end);
    all.push((entry) => each.every((test) => test(entry)) || (joined !== undefined && entry.own.has(joined)));
    at = end;
  }
  return (entry) => [...all, ...others].every((test) => test(entry));
}

/** Whole words, else a beginning of the last one. */
function singleTest(
  entries: readonly Entry[],
  piece: readonly string[],
  { isLast, isStar }: { isLast: boolean; isStar: boolean },
): Test {
  const whole = pieceTest(piece, (word, known) => sameWord(word) === sameWord(known));
  const begins = isLast && (isStar || !entries.some(whole));
  return begins ? pieceTest(piece, (word, known) => known.startsWith(word)) : whole;
}

/** The words side by side, as they are spelled, in the name or in a value. */
function phraseTest(phrase: readonly string[]): Test {
  const text = ` ${phrase.join(' ')} `;
  return ({ listing: { name, category, neighborhood } }) =>
    [name, category, neighborhood].some((one) => ` ${piecesOf(one).flat().join(' ')} `.includes(text));
}

/** The last word and the joined piece are compared as `last` says; the others must be there as they are. */
function pieceTest(piece: readonly string[], last: (word: string, known: string) => boolean): Test {
  return ({ words, own }) => {
    const has = (word: string, isSame: typeof last) =>
      [...words, ...own].some((known) => isSame(word, known));
    const whole = (word: string, known: string) => sameWord(word) === sameWord(known);
    const inPieces = piece.every((word, i) => has(word, i === piece.length - 1 ? last : whole));
    return inPieces || (piece.length > 1 && has(piece.join(''), last));
  };
}

/** The same for singular and plural, and for the numbers that the made-up names have. */
function sameWord(word: string): string {
  const singular = /^[a-z]{2,}[^su]s$/.test(word) && !word.endsWith('is') ? word.slice(0, -1) : word;
  return { '7': 'seven', '11': 'eleven', '1': 'one', '2': 'two' }[singular] ?? singular;
}

export function plain(value: string): string {
  return [...value.normalize('NFD')]
    .filter((character) => !/\p{M}/u.test(character))
    .join('')
    .toLowerCase()
    .trim();
}

function spread(values: readonly string[]): Counts {
  return [...new Set(values)]
    .map((value) => ({ value, count: values.filter((other) => other === value).length }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function statsOf(listings: readonly Listing[], { filed_from, filed_to }: Question, newest: string): Stats {
  const months = listings.map(({ filing_date }) => filing_date.slice(0, 7)).sort();
  const asked = {
    from: filed_from < '1900' ? '1900-01' : filed_from,
    to: filed_to > newest ? newest : filed_to,
  };
  const first = filed_from === '' ? months[0] : asked.from.slice(0, 7);
  const last = filed_to === '' ? months.at(-1) : asked.to.slice(0, 7);
  const byMonth: { value: string; count: number }[] = [];
  for (
    let month = last;
    month !== undefined && first !== undefined && month >= first;
    month = monthBefore(month)
  )
    byMonth.push({ value: month, count: months.filter((other) => other === month).length });
  return {
    total: listings.length,
    latestFiling: listings[0]?.filing_date ?? null,
    byMonth,
    by: perFilter(() => listings),
  };
}

function monthBefore(month: string): string {
  return new Date(Date.parse(`${month}-01`) - 1).toISOString().slice(0, 7);
}
