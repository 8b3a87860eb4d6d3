/** Real names: each is found by its own name, whatever its words mean. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { kindOfPhrase } from '../../../src/register/profile/categories/kind.ts';
import { openIndex } from '../../../src/service/search/index/open.ts';
import { UNCATEGORIZED } from '../../../src/shared/listing.ts';
import { splitCsvText } from '../../../src/shared/text/csv-text.ts';
import { realData } from '../../real-data.ts';
import { aRow, asking, partsOf } from './made-up.ts';

const EVERY = 5;
const REGISTERS = [
  { file: 'little-rock/business_licenses.csv', delimiter: ',', name: 'Business', kind: 'Classification' },
  {
    file: 'vancouver/business-licences.csv',
    delimiter: ';',
    name: 'BusinessTradeName',
    kind: 'BusinessType',
  },
];

for (const { file, delimiter, name, kind } of REGISTERS) {
  const { path, skip } = realData(file);
  test(`each name of ${file} is found by its own name`, { skip }, () => {
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    const [head, ...records] = Array.from(splitCsvText(text, delimiter), ({ cells }) => cells);
    const [nameAt, kindAt] = [head!.indexOf(name), head!.indexOf(kind)];
    const kinds = new Map(records.map((cells) => [cells[nameAt]?.trim() ?? '', cells[kindAt] ?? '']));
    kinds.delete('');
    const rows = Array.from(kinds, ([one, what], i) =>
      aRow({ key: String(i), name: one, category: kindOfPhrase(what) ?? UNCATEGORIZED }),
    );
    const index = openIndex(partsOf(rows), {
      kindOfWord: kindOfPhrase,
      placeNames: ['Little Rock', 'Vancouver'],
    });
    const lost = [...kinds.keys()].filter((one, i) => {
      if (i % EVERY > 0) return false;
      const { search, answer } = index.read(asking({ q: one }));
      const isOnlyWords =
        answer === 'list' && !(search.filed_from || search.filed_to) && search.status.length === 0;
      const { rows: found } = index.search({ ...search, limit: rows.length });
      return !isOnlyWords || !index.readListings(found).some((listing) => listing.name === one);
    });
    assert.deepEqual(lost, []);
  });
}
