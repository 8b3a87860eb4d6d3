/** Builders of filings: a test names only what matters to it. */

import type { Opening, Update } from '../src/shared/filing.ts';

/** A filing whose values are known, as of most tests. */
type Known = Opening & { category: string; neighborhood: string };

export function aFiling(facts: Partial<Known> = {}): Known {
  const filedOn = facts.filedOn ?? '2024-03-01';
  return {
    kind: 'opening',
    key: 'K1',
    name: 'Blue Heron LLC',
    category: 'Restaurants',
    neighborhood: 'Old Town',
    status: 'open',
    expiresOn: null,
    termOn: filedOn,
    ...facts,
    filedOn,
  };
}

export function anUpdate(facts: Partial<Update> = {}): Update {
  return {
    kind: 'update',
    key: 'K1',
    name: null,
    category: null,
    neighborhood: null,
    status: null,
    expiresOn: null,
    termOn: '2025-03-01',
    ...facts,
  };
}
