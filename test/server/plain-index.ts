/** An index as simple as possible: it filters and sorts an array. Tests of the API get the expected results from it. */

import type { Listing } from '../../src/listings/listing.ts';
import type { ListingIndex } from '../../src/search/listing-index.ts';
import type { Question } from '../../src/search/parameters.ts';

/** The edition that announced all of its listings. */
export const AN_EDITION = '2026-11-16';

const DIMENSIONS = ['category', 'neighborhood', 'status'] as const;

/** Words are whole words of the name; filters ignore case. Nothing else is promised. */
export function plainCatalogue(listings: readonly Listing[], version = 'v1'): ListingIndex {
  const sorted = listings.toSorted((a, b) => (a.filing_date < b.filing_date ? 1 : -1));
  const matches = (question: Question): Listing[] =>
    sorted.filter(
      (listing) =>
        (question.q === '' || listing.name.toLowerCase().split(' ').includes(question.q.toLowerCase())) &&
        DIMENSIONS.every(
          (name) =>
            question[name].length === 0 ||
            question[name].some((value) => value.toLowerCase() === listing[name].toLowerCase()),
        ),
    );
  const page = (question: Question) =>
    matches(question).slice(question.offset, question.offset + question.limit);
  const counts = (name: (typeof DIMENSIONS)[number]) =>
    [...new Set(sorted.map((listing) => listing[name]))].map((value) => ({
      value,
      count: sorted.filter((listing) => listing[name] === value).length,
    }));
  const recognize = (question: Question, name: (typeof DIMENSIONS)[number]) =>
    question[name].filter((value) => sorted.some((one) => one[name].toLowerCase() === value.toLowerCase()));
  const search: ListingIndex['search'] = (question) => ({
    total: matches(question).length,
    count: page(question).length,
    page: Buffer.from(
      page(question)
        .map((one) => JSON.stringify(one))
        .join(),
    ),
    warnings: DIMENSIONS.flatMap((parameter) =>
      question[parameter]
        .filter((value) => !sorted.some((one) => one[parameter].toLowerCase() === value.toLowerCase()))
        .map((value) => ({
          ...{ parameter, cause: 'value' as const, word: value },
          ...{ detail: `no ${parameter} is "${value}"`, didYouMean: 'Café Row' },
        })),
    ),
  });
  return {
    version,
    day: '2026-11-20',
    size: listings.length,
    bytes: 0,
    search,
    suggest: () => [],
    facets: (question) => ({
      ...{ category: counts('category'), neighborhood: counts('neighborhood'), status: counts('status') },
      chosen: {
        ...{ category: recognize(question, 'category'), neighborhood: recognize(question, 'neighborhood') },
        status: recognize(question, 'status'),
      },
    }),
    stats: () => ({
      warnings: [],
      total: listings.length,
      latestFiling: sorted[0]?.filing_date ?? null,
      byMonth: [{ value: '2026-11', count: listings.length }],
      byCategory: counts('category'),
      byNeighborhood: counts('neighborhood'),
    }),
    listEditions: (question) => [{ edition: AN_EDITION, total: matches(question).length }],
    readEdition: (edition, question) => (edition === AN_EDITION ? search(question) : undefined),
    seenSince: () => ({ total: 0, listings: () => [] }),
    filedSince: () => ({ total: 0, listings: () => [] }),
  };
}
