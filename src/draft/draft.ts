/** Writes a draft of a `city.ts` from what was guessed, every guess with its evidence beside it. A pure function. */

import { UNKNOWN_HOMEPAGE } from '../city/placeholders.ts';
import type { Column } from './columns.ts';
import { formatColumn, formatList, formatRemark, formatTable, formatText } from './draft-text.ts';
import { type DraftAreas, writeVerdict } from './draft-verdict.ts';
import type { Guesses } from './guess.ts';

export type DraftFacts = {
  /** The city's name, or what stands for it until a person says. */
  name: string;
  region: string | undefined;
  timeZone: string | undefined;
  guesses: Guesses;
  /** The profile's `from`, and the constructor it needs. */
  from: string;
  uses: string;
  /** Whether each file holds all there is. */
  delivers: 'snapshot' | 'changes';
  /** The property of `boundaries.geojson` in the drafted folder, where there is one. */
  boundaries: string | undefined;
  /** Where the address files are, as text of the profile; nothing without any. */
  addresses: string | undefined;
  /** See `DraftAreas`. */
  showsZips: boolean;
  /** What was looked at, for the dossier. */
  place: string;
};

/** Everything a draft may use; what its text does not name is not imported. */
const VOCABULARY = [
  ...['Category', 'Status'].map((type) => `type ${type}`),
  ...['dayAt', 'defineCity', 'isInTown', 'namesOnlyOwner', 'keyOf', 'kindOf', 'looksPersonal', 'opening'],
  ...['parseDay', 'parsePoint', 'reject', 'skip', 'source', 'tidyName', 'update', 'zipArea'],
];

/** The whole file. Throws nothing: what was not guessed is a line that says what to fill in. */
export function draftProfile(facts: DraftFacts): string {
  const { guesses } = facts;
  const areas: DraftAreas = { hasBoundaries: facts.boundaries !== undefined, showsZips: facts.showsZips };
  const verdict = writeVerdict(guesses, areas);
  const lists = writeLists(guesses).join('\n');
  const isUsed = (word: string) =>
    new RegExp(`\\b${word.replace('type ', '')}\\b`).test(`${lists}${verdict}`);
  const imports = [...VOCABULARY.filter((word) => isUsed(word)), 'defineCity', 'source', facts.uses];
  const zone = facts.timeZone ?? 'Etc/UTC';
  return `/**
 * ${formatRemark(facts.name)}: a draft, guessed from ${guesses.rows} rows. Nobody has checked it. Check the lines marked CHECK.
 *
 * Publisher   who publishes it, and where: fill in
 * Licence     under which terms: fill in, and name restrictions of use
 * Looked at   ${formatRemark(facts.place)}
 * Missing     what the register does not hold: fill in
 */

import { ${[...new Set(imports)].toSorted(compareImports).join(', ')} } from 'shingle/city';

const TIME_ZONE = ${formatText(zone)};${zoneRemark(facts)}

${lists === '' ? '' : `// Lists: add, remove or correct the text between the quotes, and keep the commas.\n\n${lists}\n`}export default defineCity({
  name: ${formatText(facts.name)},
  region: ${formatText(facts.region ?? 'Fill in the region')},
  timeZone: TIME_ZONE,
  operator: { name: 'Fill in who runs the service', contact: 'fill in where to request removal' }, // or OPERATOR_NAME, OPERATOR_CONTACT
${facts.boundaries === undefined ? '' : `  boundaries: { file: 'boundaries.geojson', property: ${formatText(facts.boundaries)} },\n`}${facts.addresses === undefined ? '' : `  addresses: ${facts.addresses},\n`}  sources: [
    source({
      id: 'filings',
      publisher: 'Fill in the publisher',
      homepage: ${formatText(UNKNOWN_HOMEPAGE)},
      licence: 'Fill in the licence',
      checked: 'documentation',
      from: ${facts.from},
      delivers: '${facts.delivers}', // 'snapshot': every file holds all there is; 'changes': a file holds only what is new
      columns: [${listColumns(guesses, verdict)
        .map((column) => formatText(column.name))
        .join(', ')}],
${verdict}
    }),
  ],
});
`;
}

function zoneRemark({ timeZone, guesses }: DraftFacts): string {
  if (timeZone === undefined) return ' // CHECK: the file does not show the time zone';
  return guesses.isZoneByPoint && timeZone === guesses.timeZone
    ? ' // CHECK: time zone of the state nearest to the points'
    : '';
}

function compareImports(a: string, b: string): number {
  return a.replace('type ', '').localeCompare(b.replace('type ', ''), 'en');
}

/** The columns that the verdict reads. */
function listColumns(guesses: Guesses, verdict: string): Column[] {
  const { key, name, filedOn, expiresOn, endedOn, status, renewals, kinds, noBusiness } = guesses;
  const { neighborhood, point, zip, town, towns, inside, address } = guesses;
  const all = [
    ...key.columns,
    ...[name?.column, name?.fallback, ...(name?.owners ?? []), name?.ownerType?.column],
    ...[filedOn?.column, expiresOn?.column, endedOn?.column, status?.column, renewals?.column],
    ...[kinds.naics, ...kinds.types, kinds.description, ...noBusiness.map(({ column }) => column)],
    ...[
      neighborhood?.column,
      point?.longitude,
      point?.latitude,
      zip?.column,
      town?.column,
      towns,
      inside?.column,
    ],
    ...address,
  ].filter((column) => column !== undefined);
  return [...new Set(all)].filter((column) => verdict.includes(formatColumn(column)));
}

function writeLists(guesses: Guesses): string[] {
  const { town, inside, filedOn } = guesses;
  return [
    town &&
      formatList('TOWN', 'The town as the register writes it. Rows in other towns are skipped.', town.names),
    inside &&
      formatList(
        'INSIDE',
        `What ${inside.column.name} says of businesses inside the city. The others are skipped.`,
        inside.values,
      ),
    ...writeNameLists(guesses),
    filedOn &&
      filedOn.unknownDays.length > 0 &&
      formatList(
        'UNKNOWN_DAYS',
        `CHECK: dates that stand for "not known" (the first on ${filedOn.unknownDays[0]![1]} rows). Such rows are skipped. Remove a date that is real.`,
        filedOn.unknownDays.map(([day]) => day),
      ),
    ...writeStatusLists(guesses),
    ...writeKindTables(guesses),
  ].filter((text) => typeof text === 'string');
}

function writeNameLists({ name, personalTypes }: Guesses): string[] {
  if (name === undefined) return [];
  const lists: string[] = [];
  if (name.placeholders.length > 0)
    lists.push(
      formatList(
        'NO_NAME',
        `What ${name.column.name} says where there is no name.`,
        name.placeholders.slice(0, 20),
      ),
    );
  if (name.ownerType !== undefined)
    lists.push(
      formatList(
        'ONE_PERSON',
        `What ${name.ownerType.column.name} says of owners who are people, not companies.`,
        name.ownerType.values,
      ),
    );
  if (personalTypes.length > 0)
    lists.push(
      formatList(
        'PEOPLE_TYPES',
        "CHECK: under these types, names that look like a person's are skipped. Under other types they are served as business names.",
        personalTypes,
      ),
    );
  return lists;
}

function writeStatusLists({ status, renewals, noBusiness }: Guesses): string[] {
  const lists: string[] = [];
  if (status !== undefined)
    lists.push(
      formatTable(
        {
          name: 'STATUS',
          type: "Status | 'never'",
          remark: `What the words of ${status.column.name} mean: open, closed, expired, abandoned, unknown, or never (it never opened).`,
        },
        status.values,
      ),
    );
  if (renewals !== undefined)
    lists.push(
      formatList(
        'RENEWALS',
        `What ${renewals.column.name} says of a business that was there before: such rows never open one.`,
        renewals.values.map(([text]) => text),
      ),
    );
  const none = [...new Set(noBusiness.flatMap(({ values }) => values.map(([text]) => text)))];
  if (none.length > 0)
    lists.push(
      formatList(
        'NO_NEW_BUSINESS',
        'CHECK: types that are no new business: rented homes, stalls for a day, machines. Remove one that is.',
        none,
      ),
    );
  return lists;
}

function writeKindTables({ kinds, noBusiness }: Guesses): string[] {
  const tables: string[] = [];
  const type = 'Category';
  if (kinds.exact.length > 0)
    tables.push(
      formatTable(
        {
          name: 'KINDS',
          type,
          remark:
            'CHECK: the kinds of business that the types of the register were read as. docs/categories.md has all kinds.',
        },
        kinds.exact,
      ),
    );
  if (kinds.broad.length > 0)
    tables.push(
      formatTable(
        {
          name: 'BROAD',
          type,
          remark: 'Broad types: used only if the name of the business says nothing.',
        },
        kinds.broad,
      ),
    );
  const none = noBusiness.flatMap(({ values }) => values.map(([text]) => text));
  const unknown = kinds.unknown.filter(([text]) => text.length <= 60 && !none.includes(text));
  if (unknown.length > 0) {
    const most = unknown.slice(0, 10).map(([text, rows]) => `//   ${formatRemark(text)} (${rows})`);
    tables.push(
      `// Types without a kind; the name of the business decides. Add them to KINDS where you know better:\n${most.join('\n')}\n`,
    );
  }
  return tables;
}
