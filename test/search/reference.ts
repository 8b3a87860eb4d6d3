/** The expected results of the index, computed the plain way: arrays of objects, filtered and sorted. Shares no code with it. */

import type { Listing } from '../../src/listings/listing.ts';
import type { BuildRow, Counts, Facets, Stats } from '../../src/search/listing-index.ts';
import type { Question } from '../../src/search/parameters.ts';

type Dimension = 'category' | 'neighborhood' | 'status';
type Entry = { listing: Listing; words: Set<string> };

export type Reference = {
  all(question: Question): Listing[];
  facets(question: Question): Omit<Facets, 'chosen'>;
  stats(question: Question): Stats;
};

export function reference(rows: readonly BuildRow[], today: string): Reference {
  const entries = rows.toSorted(inAnswerOrder).map((row) => entryOf(row, today));
  const matching = (question: Question, without?: Dimension) =>
    entries.filter((entry) => isMatch(entry, question, without)).map(({ listing }) => listing);
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
  const { name, category, neighborhood, filedOn } = row;
  const isOver = row.status === 'open' && row.expiresOn !== null && row.expiresOn < today;
  const words = new Set<string>();
  for (const piece of [name, category, neighborhood].flatMap(piecesOf)) {
    for (const word of piece) words.add(word);
    words.add(piece.join(''));
  }
  const status = isOver ? 'expired' : row.status;
  return { listing: { name, category, neighborhood, status, filing_date: filedOn }, words };
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

function isMatch({ listing, words }: Entry, question: Question, without: Dimension | undefined): boolean {
  const isChosen = (['category', 'neighborhood', 'status'] as const).every((dimension) => {
    const asked = question[dimension].filter((value) => value.trim() !== '');
    return (
      dimension === without ||
      asked.length === 0 ||
      asked.some((value) => plain(value) === plain(listing[dimension]))
    );
  });
  if (!isChosen) return false;
  const { filed_from, filed_to } = question;
  if (filed_from !== '' && listing.filing_date < filed_from) return false;
  if (filed_to !== '' && listing.filing_date > filed_to) return false;
  const pieces = piecesOf(question.q);
  return pieces.every((piece, i) => {
    const has = (word: string, begins: boolean) =>
      begins ? [...words].some((known) => known.startsWith(word)) : words.has(word);
    const isLast = i === pieces.length - 1;
    return (
      has(piece.join(''), isLast) || piece.every((word, j) => has(word, isLast && j === piece.length - 1))
    );
  });
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
  };
}

function monthBefore(month: string): string {
  return new Date(Date.parse(`${month}-01`) - 1).toISOString().slice(0, 7);
}
