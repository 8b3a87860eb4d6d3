/** A made-up city as data: a folder with a `city.yaml` full of comments, its table of types and its register. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '../../a-folder.ts';
import { type Cells, toCsv } from '../../register/import/a-register.ts';

const MAPPING = `# The city of the chamber.
name: Rivermouth
region: Oregon
timeZone: America/Los_Angeles # the county's
operator: { name: The chamber, contact: listings@rivermouth.example }

registers:
  # The clerk's list.
  - id: licenses
    publisher: City
    homepage: https://data.rivermouth.example
    license: CC0-1.0
    from: { csv: register.csv }
    delivers: snapshot
    rejectedShare: 1
    key: ID # one for each license
    name: NAME
    namesLikePeople: keep

    # The day of the counter, says the clerk.
    filed: { column: DAY, format: YYYY-MM-DD } # not the counter in Farfield
    category: { column: KIND, table: categories.csv }
    neighborhood: AREA
`;

const TABLE = 'type;rows;category;new_business;seen by\r\nAlpha;400;Restaurants;yes;Quill\r\n';

export type MappedCity = {
  folder: string;
  env: { SHINGLE_CITY: string; SHINGLE_DATA: string };
  path(name: string): string;
  read(name: string): string;
  write(name: string, text: string): void;
};

/** `edits`: texts of `city.yaml` and what replaces them. */
export function aMappedCity(
  rows: readonly Cells[],
  ...edits: readonly (readonly [string, string])[]
): MappedCity {
  const folder = aFolder();
  const path = (name: string) => join(folder, name);
  const write = (name: string, text: string) => writeFileSync(path(name), text);
  const read = (name: string) => readFileSync(path(name), 'utf8');
  let text = MAPPING;
  for (const [from, to] of edits) {
    if (!text.includes(from)) throw new Error(`city.yaml does not hold ${from}`);
    text = text.replace(from, () => to);
  }
  write('city.yaml', text);
  write('categories.csv', TABLE);
  write('register.csv', toCsv(rows));
  return {
    folder,
    env: { SHINGLE_CITY: path('city.yaml'), SHINGLE_DATA: path('data') },
    path,
    read,
    write,
  };
}
