/** A sound `city.yaml` and a sound register, for tests to change. */

import type { Row, Source, Verdict } from '../../../src/register/profile/define.ts';
import { readCategoryTable } from '../../../src/register/profile/mapping/category-table.ts';
import { openMappedSource } from '../../../src/register/profile/mapping/mapped-source.ts';
import { parseMapping } from '../../../src/register/profile/mapping/read-mapping.ts';

export const SOUND = `name: Otterfall
region: Oregon
timeZone: America/Los_Angeles
registers:
  - id: licenses
    publisher: City of Otterfall
    homepage: https://example.org/licenses
    license: CC0
    from: { csv: filings }
    delivers: snapshot
    key: No
    name: [Trade, Legal]
    filed: { column: Day, format: M/D/YYYY }
`;

/** The problems of a text, as the operator sees them. */
export function faultsOf(text: string): string[] {
  return parseMapping('city.yaml', text).problems;
}

/** The source of the sound register with these lines; a line replaces that of the same word. */
export function aMappedSource(lines: Record<string, string> = {}, table?: string): Source {
  const kept = SOUND.split('\n').filter(
    (line) => !Object.keys(lines).some((word) => line.startsWith(`    ${word}:`)),
  );
  const added = Object.entries(lines).map(([word, value]) => `    ${word}: ${value}`);
  const { mapping, problems } = parseMapping('city.yaml', `${kept.join('\n')}${added.join('\n')}\n`);
  if (mapping === undefined) throw new Error(problems.join('\n'));
  return openMappedSource(mapping.registers[0]!, {
    timeZone: mapping.timeZone,
    table: table === undefined ? undefined : readCategoryTable(Buffer.from(table)).table,
  });
}

const ROW = { No: '7', Trade: 'BLUE HERON', Legal: 'Heron Foods LLC', Day: '3/2/2026' };

/** What becomes of a sound row with these cells, on 30 September 2026. */
export function judged(source: Source, cells: Row = {}): Verdict {
  return source.verdict({ ...ROW, ...cells }, { today: '2026-09-30' });
}

/** The facts of an opening or update, or `skip: REASON`, with the day of a row that was skipped for its status. */
export function outcomeOf(verdict: Verdict): object | string {
  if ('facts' in verdict) return { kind: verdict.kind, ...verdict.facts };
  const day = verdict.kind === 'skip' && verdict.filedOn !== undefined ? `, filed ${verdict.filedOn}` : '';
  return `${verdict.kind}: ${verdict.reason}${day}`;
}
