/** Checks `registered-offices`: many companies at one address, which is the office of their accountant or agent. */

import { foldValue } from '../../city/mapping/cells.ts';
import { listAddressColumns } from '../../city/mapping/known-mappings.ts';
import { hasCompanyForm } from '../../city/people/person-words.ts';
import type { SampledRegister } from './evidence.ts';
import { isMoreThan, listNames, makeFinding, sumWeights } from './finding.ts';

/** Minimum companies at one address. Malls and large buildings have fewer, or suite numbers. */
const COMPANIES = 25;
/** Minimum share of the names at an office that have a legal form. Shops at one address have trade names. */
const COMPANY_SHARE = 0.8;
const OFFICE_SHARE = 0.01;
const MOST_SKIPPED = 100;

/** Compares the addresses of the mapping, or those found by the survey. In a whole state, includes the town. */
export function checkOffices({ evidence, source, openings, total: of }: SampledRegister) {
  const mapped = listAddressColumns(source);
  const column = mapped.length > 0 ? [...mapped] : [...evidence.address];
  const places = Map.groupBy(openings, ({ cell }) => {
    const parts = column.map(cell).filter((text) => text !== '');
    return foldValue(parts.join(' '));
  });
  const offices = [...places]
    .filter(([address]) => /\d/.test(address))
    .map(([address, all]) => {
      const companies = sumWeights(all.filter(({ name }) => hasCompanyForm(name)));
      return { address, companies, all: sumWeights(all) };
    })
    .filter(({ companies, all }) => companies >= COMPANIES && companies >= all * COMPANY_SHARE)
    .sort((a, b) => b.companies - a.companies);
  const count = offices.reduce((sum, { all }) => sum + all, 0);
  if (!isMoreThan(OFFICE_SHARE, count, of)) return [];
  const values = {
    addresses: `${offices.length} ${offices.length === 1 ? 'address' : 'addresses'}`,
    columns: listNames(column),
    most: offices[0]!.companies,
  };
  const skipped = offices.slice(0, MOST_SKIPPED).map(({ address }) => address);
  return [
    makeFinding('registeredOffices', {
      ...{ count, of, values },
      examples: offices.slice(0, 5).map(({ address, companies }) => `${address}: ${companies} companies`),
      repair: { skip: [{ column, values: skipped, because: 'registered office' }] },
    }),
  ];
}
