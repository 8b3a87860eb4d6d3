/** Writes a draft of a `city.ts` from the guesses, each with its evidence. A pure function. */

import type { Guesses } from './guess.ts';

export type DraftFacts = {
  /** The city's name, or a placeholder. */
  name: string;
  region: string;
  timeZone: string;
  guesses: Guesses;
  /** The profile's `from`, and the constructor it needs. */
  from: string;
  uses: string;
  rows: number;
  /** The place that was read. */
  place: string;
};

const quoted = (text: string): string =>
  `'${text
    .replace(/\\/g, '\\\\')
    .replace(/'/g, "\\'")
    .replace(/[\n\r]/g, ' ')}'`;
const formatColumn = (column: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(column) ? `row.${column}` : `row[${quoted(column)}]`;
/** Evidence is written into line comments, so it must not contain line breaks. */
const remark = (text: string): string => text.replace(/[\r\n\u2028\u2029]+/g, ' ').slice(0, 160);

/** The whole file. Never throws: for a missing guess, a line says what to fill in. */
export function draftProfile(facts: DraftFacts): string {
  const columns = columnsOf(facts.guesses);
  const imports = [
    'defineCity',
    'opening',
    'parseDay',
    'reject',
    'skip',
    'source',
    'tidyName',
    'kindOf',
    facts.uses,
  ];
  if (!facts.guesses.key.isNumber) imports.push('keyOf');
  if ((facts.guesses.name?.isOften ?? 0) > 0) imports.push('looksPersonal');
  return `/**
 * ${remark(facts.name)}: a draft, guessed from ${facts.rows} rows. Read every line: nobody has checked it.
 *
 * Publisher   who publishes it, and where: fill in
 * Licence     under which terms: fill in, and name restrictions of use
 * Looked at   ${remark(facts.place)}
 * Missing     what the register does not hold: fill in
 */

import { ${imports.toSorted().join(', ')} } from 'shingle/city';

${draftTables(facts.guesses)}export default defineCity({
  name: ${quoted(facts.name)},
  region: ${quoted(facts.region)}, // fill in
  timeZone: ${quoted(facts.timeZone)}, // check: the city's IANA zone
  operator: { name: 'Fill in who runs the service', contact: 'fill in where to request removal' },
  sources: [
    source({
      id: 'filings',
      publisher: 'Fill in the publisher',
      homepage: 'https://example.org/fill-in',
      licence: 'Fill in the licence',
      checked: 'documentation',
      from: ${facts.from},
      delivers: 'snapshot', // or 'changes', where a file holds only what is new
      columns: [${columns.map(quoted).join(', ')}],
${verdict(facts.guesses)}
    }),
  ],
});
`;
}

function columnsOf(guesses: Guesses): string[] {
  const { key, name, filedOn, expiresOn, endedOn, status, kind, neighborhood, point } = guesses;
  const named = [
    ...key.columns,
    ...[
      name?.column,
      name?.fallback,
      name?.isTrade ? name.owner : undefined,
      filedOn?.column,
      expiresOn?.column,
      endedOn?.column,
      status?.column,
    ],
    ...[kind?.column, neighborhood?.column, point?.longitude, point?.latitude],
  ];
  return [...new Set(named.filter((column) => column !== undefined))];
}

function draftTables({ status, kind }: Guesses): string {
  let text = '';
  if (status !== undefined) {
    const lines = status.values.map(
      ([value, count, word]) => `  ${quoted(value)}: ${quoted(word)}, // ${count} rows`,
    );
    text += `// What each value of the status column means. 'never': the business never opened. Correct this by hand.\nconst STATUS: Record<string, 'open' | 'closed' | 'expired' | 'abandoned' | 'unknown' | 'never'> = {\n${lines.join('\n')}\n};\n\n`;
  }
  if (kind !== undefined && !kind.isNaics) {
    const lines = kind.values
      .filter(([value]) => value.length <= 120)
      .map(([value, count, category]) => `  // ${count} x ${remark(value)}: ${category}`);
    text += `// What our words make of the most frequent kinds; see docs/categories.md, and add a table where it is wrong:\n${lines.slice(0, 40).join('\n')}\n\n`;
  }
  return text;
}

function verdict(guesses: Guesses): string {
  const { name, filedOn, endedOn, status, town } = guesses;
  const lines: string[] = [];
  const say = (...more: string[]) => lines.push(...more.map((line) => `        ${line}`));
  const sayDay = (label: string, variable: string, day: NonNullable<Guesses['filedOn']>) =>
    say(
      `// ${label}: ${remark(day.evidence)}`,
      `const ${variable} = parseDay(${formatColumn(day.column)}, '${day.format}');`,
    );
  if (name === undefined) say('// NAME: no column was found. Fill this in', "const name = '';");
  else {
    const value =
      name.fallback === undefined
        ? formatColumn(name.column)
        : `${formatColumn(name.column)} || ${formatColumn(name.fallback)}`;
    say(
      `// NAME: ${remark(name.evidence)}`,
      `const name = tidyName(${value});`,
      "if (name === '') return reject('no name');",
    );
    if (name.isOften > 0)
      say(`if (${personal(name)}) return skip('personal name'); // unless you have a legal basis`);
  }
  if (filedOn === undefined)
    say('// FILED: no column was found. Fill this in', 'const filedOn = undefined as string | undefined;');
  else sayDay('FILED', 'filedOn', filedOn);
  say("if (filedOn === undefined) return reject('no filing date');");
  if (status !== undefined)
    say(
      `// STATUS: ${remark(status.evidence)}`,
      `const stands = STATUS[${formatColumn(status.column)}] ?? 'unknown';`,
      "if (stands === 'never') return skip('never opened');",
    );
  const state = status === undefined ? "'open'" : 'stands';
  if (endedOn !== undefined) sayDay('ENDED', 'endedOn', endedOn);
  const closed =
    endedOn === undefined ? state : `endedOn !== undefined && endedOn <= at.today ? 'closed' : ${state}`;
  if (town !== undefined)
    say(
      `// TOWN: most rows have ${remark(quoted(town.value))} in ${remark(quoted(town.column))}; ${remark(town.evidence)}. Skip the others where they lie outside.`,
    );
  say('return opening({', ...openingFacts(guesses, closed).map((line) => `  ${line}`), '});');
  const head = closed.includes('at.today') ? 'verdict(row, at) {' : 'verdict(row) {';
  return [`      ${head}`, ...lines, '      },'].join('\n');
}

/** The fields of an opening, a line each. `closed` is the expression of its status. */
function openingFacts(guesses: Guesses, closed: string): string[] {
  const { key, expiresOn, kind, neighborhood, point } = guesses;
  return [
    `key: ${keyText(guesses)}, // ${remark(key.evidence)}`,
    'name,',
    `category: ${kindText(guesses)},${kind === undefined ? ' // from words in the name only' : ` // ${remark(kind.evidence)}`}`,
    neighborhood === undefined
      ? '// neighborhood: no column was found. Boundaries and a point would also work'
      : `neighborhood: ${neighborhood.isZip ? `${formatColumn(neighborhood.column)} && \`ZIP \${${formatColumn(neighborhood.column)}.slice(0, 5)}\`` : `tidyName(${formatColumn(neighborhood.column)})`}, // ${remark(neighborhood.evidence)}`,
    point === undefined
      ? undefined
      : `// point: { longitude: ${formatColumn(point.longitude)}, latitude: ${formatColumn(point.latitude)} }, // with \`boundaries\` in the profile`,
    `status: ${closed},`,
    'filedOn,',
    expiresOn === undefined
      ? undefined
      : `expiresOn: parseDay(${formatColumn(expiresOn.column)}, '${expiresOn.format}'), // ${remark(expiresOn.evidence)}`,
  ].filter((line) => line !== undefined);
}

/** Used on every name, it would take some trade names for people. If there is an owner column, only its names are checked. */
function personal({ column, fallback, owner, isTrade }: NonNullable<Guesses['name']>): string {
  if (!isTrade || owner === undefined) return 'looksPersonal(name)';
  const isOwners =
    owner === fallback
      ? `(${formatColumn(column)} === '' || ${formatColumn(column)} === ${formatColumn(owner)})`
      : `${formatColumn(column)} === ${formatColumn(owner)}`;
  return `${isOwners} && looksPersonal(name)`;
}

function keyText({ key, name }: Guesses): string {
  if (key.isNumber) return formatColumn(key.columns[0]!);
  return `keyOf(${['name', ...key.columns.filter((column) => column !== name?.column).map(formatColumn)].join(', ')})`;
}

function kindText({ kind }: Guesses): string {
  if (kind === undefined) return 'kindOf({ name })';
  if (kind.isNaics) return `kindOf({ naics: ${formatColumn(kind.column)}, name })`;
  return `kindOf({ name: ${formatColumn(kind.column)}, broad: kindOf({ name }) })`;
}
