/** The expected results of the index, computed the plain way: arrays of objects, filtered and sorted. Shares no code with it. */

import type { BuildRow, Facets, Stats } from '../../../src/service/search/listing-index.ts';
import type { Counts, Listing } from '../../../src/shared/listing.ts';
import type { Question } from '../../../src/shared/question.ts';

type Dimension = 'category' | 'neighborhood' | 'status';
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
  const matching = (question: Question, without?: Dimension) => {
    const hasWords = wordTest(entries, question.q);
    return entries
      .filter((entry) => isChosen(entry, question, without) && hasWords(entry))
      .map(({ listing }) => listing);
  };
  return {
    all: (question) => matching(question),
    facets: (question) => ({
      category: spread(matching(question, 'category').map((l) => l.category)),
      neighborhood: spread(matching(question, 'neighborhood').map((l) => l.neighborhood)),
      status: spread(matching(question, 'status').map((l) => l.status)),
    }),
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

function isChosen(
  { listing, arrivedAt }: Entry,
  question: Question,
  without: Dimension | undefined,
): boolean {
  const { filed_from, filed_to, added_from } = question;
  if (added_from !== '' && Date.parse(arrivedAt) < Date.parse(added_from) - 60_000) return false;
  if (filed_from !== '' && listing.filing_date < filed_from) return false;
  if (filed_to !== '' && listing.filing_date > filed_to) return false;
  return (['category', 'neighborhood', 'status'] as const).every((dimension) => {
    const asked = question[dimension].filter((value) => value.trim() !== '');
    return (
      dimension === without ||
      asked.length === 0 ||
      asked.some((value) => plain(value) === plain(listing[dimension]))
    );
  });
}

type Test = (entry: Entry) => boolean;

/** Whether a listing has the words of a query: whole words, else a beginning of the last; neighbors also as one word. */
function wordTest(entries: readonly Entry[], q: string): Test {
  const split = piecesOf(q);
  const last = split.pop();
  if (last === undefined) return () => true;
  const pieces = [...new Map(split.map((piece) => [piece.join(' '), piece])).values(), last];
  const tests: Test[] = pieces.map((piece, i) => {
    const whole = pieceTest(piece, (word, known) => sameWord(word) === sameWord(known));
    const isLast = i === pieces.length - 1;
    const begins = isLast && (q.trimEnd().endsWith('*') || !entries.some(whole));
    return begins ? pieceTest(piece, (word, known) => known.startsWith(word)) : whole;
  });
  const all: Test[] = [];
  for (let at = 0; at < pieces.length; ) {
    const length = [3, 2].find((length) => {
      const some = pieces.slice(at, at + length);
      const joined = some.join('');
      return (
        some.length === length &&
        some.every(({ length }) => length === 1) &&
        entries.some(({ own }) => own.has(joined))
      );
    });
    const end = at + (length ?? 1);
    const joined = length === undefined ? undefined : pieces.slice(at, end).join('');
    const each = tests.slice(at, end);
    all.push((entry) => each.every((test) => test(entry)) || (joined !== undefined && entry.own.has(joined)));
    at = end;
  }
  return (entry) => all.every((test) => test(entry));
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
    byCategory: spread(listings.map(({ category }) => category)),
    byNeighborhood: spread(listings.map(({ neighborhood }) => neighborhood)),
    byStatus: spread(listings.map(({ status }) => status)),
  };
}

function monthBefore(month: string): string {
  return new Date(Date.parse(`${month}-01`) - 1).toISOString().slice(0, 7);
}
