/** Every description of the real registers is known to their profiles, if the registers are available. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import * as chicago from '../../../cities/chicago/kinds.ts';
import * as longBeach from '../../../cities/long-beach/kinds.ts';
import { realData } from '../../real-data.ts';

const knownBy = ({ EXACT, BROAD, NO_SHOP, SILENT }: typeof longBeach | typeof chicago) =>
  [EXACT, BROAD, NO_SHOP, SILENT].flatMap((words) => [...words.keys()]);

const REGISTERS = {
  'long-beach': {
    known: knownBy(longBeach),
    file: realData('long-beach/business_licenses.csv'),
    /** The description of a row, if the profile reads it. */
    describe: (row: Record<string, string>) =>
      row.CLASSDESC!.startsWith('Rental ') ? undefined : row.LICCATDESC,
  },
  chicago: {
    known: knownBy(chicago),
    file: realData('chicago/business-licenses-sample.csv'),
    describe: (row: Record<string, string>) => row['LICENSE DESCRIPTION'],
  },
};

for (const [city, { known, file, describe }] of Object.entries(REGISTERS))
  test(`${city}: the profile has every description of the register exactly once`, { skip: file.skip }, () => {
    const rows: Record<string, string>[] = parse(readFileSync(file.path), { bom: true, columns: true });
    const seen = new Set(rows.map(describe).filter((text) => text !== undefined));
    assert.deepEqual(new Set(known), seen);
    assert.equal(known.length, seen.size, 'none is named twice');
  });
