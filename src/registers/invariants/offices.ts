/** Checks `registered-offices`: many companies at one address, which is the office of their accountant or agent. */

import type { Source } from '../../city/define.ts';
import { foldValue } from '../../city/mapping/cells.ts';
import { listAddressColumns } from '../../city/mapping/known-mappings.ts';
import { hasCompanyForm } from '../../city/people/person-words.ts';
import type { Evidence } from './evidence.ts';
import { type FindingCheck, isMoreThan, listNames, makeFinding, openCounts } from './finding.ts';

/** Minimum companies at one address. Malls and large buildings have fewer, or suite numbers. */
const COMPANIES = 25;
/** Minimum share of the names at an office that have a legal form. Shops at one address have trade names. */
const COMPANY_SHARE = 0.8;
const OFFICE_SHARE = 0.01;
const MOST_ADDRESSES = 50_000;
const MOST_SKIPPED = 100;

/** Compares the addresses of the mapping, or those found by the survey. In a whole state, includes the town. */
export function openOfficesCheck({ address: found }: Evidence, source: Source): FindingCheck {
  const mapped = listAddressColumns(source);
  const column = mapped.length > 0 ? [...mapped] : [...found];
  const [all, companies] = [openCounts(MOST_ADDRESSES), openCounts(MOST_ADDRESSES)];
  return {
    see({ name }, cell, { weight }) {
      const address = foldValue(
        column
          .map(cell)
          .filter((text) => text !== '')
          .join(' '),
      );
      if (!/\d/.test(address)) return;
      all.add(address, weight);
      if (hasCompanyForm(name)) companies.add(address, weight);
    },
    find(openings) {
      const total = new Map(all.list());
      const offices = companies
        .list()
        .filter(([address, n]) => n >= COMPANIES && n >= total.get(address)! * COMPANY_SHARE);
      const count = offices.reduce((sum, [address]) => sum + total.get(address)!, 0);
      if (!isMoreThan(OFFICE_SHARE, count, openings)) return [];
      const values = offices.slice(0, MOST_SKIPPED).map(([address]) => address);
      return [
        makeFinding('registeredOffices', {
          count,
          of: openings,
          examples: offices.slice(0, 5).map(([address, n]) => `${address}: ${n} companies`),
          values: {
            addresses: `${offices.length} ${offices.length === 1 ? 'address' : 'addresses'}`,
            columns: listNames(column),
            most: offices[0]![1],
          },
          repair: { skip: [{ column, values, because: 'registered office' }] },
        }),
      ];
    },
  };
}
