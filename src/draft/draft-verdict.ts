/** Writes the verdict of a draft: a line or two for each question, with the evidence above it. */

import type { Column } from './columns.ts';
import { formatColumn, formatDay, formatRemark, formatText } from './draft-text.ts';
import type { Guesses } from './guess.ts';
import { choosePeopleRule, type NameGuess } from './people.ts';

/** What the operator gave or asked for beside the export. */
export type DraftAreas = {
  hasBoundaries: boolean;
  /** ZIP areas stand for neighborhoods where there are none. */
  showsZips: boolean;
};

/** The function `verdict`, indented as a source has it. */
export function writeVerdict(guesses: Guesses, areas: DraftAreas): string {
  const lines = [
    ...writePlace(guesses),
    ...writeNoBusiness(guesses),
    ...writeName(guesses),
    ...writeStatus(guesses),
    ...writeDays(guesses),
    ...writeKey(guesses),
    ...writeRenewals(guesses),
    ...writeKind(guesses),
    ...writePeople(guesses),
    'return opening({',
    ...writeFacts(guesses, areas).map((line) => `  ${line}`),
    '});',
  ];
  const head = guesses.endedOn === undefined ? 'verdict(row) {' : 'verdict(row, at) {';
  return [`      ${head}`, ...lines.map((line) => `        ${line}`), '      },'].join('\n');
}

const say = (label: string, text: string): string => `// ${label}: ${formatRemark(text)}`;

function writePlace({ town, inside }: Guesses): string[] {
  const lines: string[] = [];
  if (town !== undefined)
    lines.push(
      say('TOWN', `${Math.round(town.share * 100)} % of the rows are in ${formatText(town.names[0]!)}`),
      `if (!isInTown(${formatColumn(town.column)}, TOWN)) return skip('outside the city');`,
    );
  if (inside !== undefined)
    lines.push(`if (!INSIDE.includes(${formatColumn(inside.column)})) return skip('outside the city');`);
  return lines;
}

function writeNoBusiness({ noBusiness }: Guesses): string[] {
  return noBusiness.map(
    ({ column }) => `if (NO_NEW_BUSINESS.includes(${formatColumn(column)})) return skip('no new business');`,
  );
}

function writeName({ name }: Guesses): string[] {
  if (name === undefined) return ['// CHECK: no column names the business. Fill this in', "const name = '';"];
  const { column, fallback, placeholders } = name;
  const own = formatColumn(column);
  const trade = placeholders.length > 0 ? `NO_NAME.includes(${own}) ? '' : ${own}` : own;
  return [
    say('NAME', name.evidence),
    `const trade = ${trade};`,
    `const name = tidyName(${fallback === undefined ? 'trade' : `trade || ${formatColumn(fallback)}`});`,
    "if (name === '') return skip('no name');",
  ];
}

function writeStatus({ status }: Guesses): string[] {
  if (status === undefined) return [];
  return [
    say('STATUS', status.evidence),
    `const stands = STATUS.get(${formatColumn(status.column)}) ?? 'unknown';`,
    "if (stands === 'never') return skip('never opened');",
  ];
}

function writeDays(guesses: Guesses): string[] {
  const { filedOn, expiresOn, endedOn } = guesses;
  if (filedOn === undefined)
    return [
      '// CHECK: no column is the filing date. Fill this in',
      'const filedOn = undefined as string | undefined;',
      "if (filedOn === undefined) return reject('no filing date');",
      ...writeState(guesses),
    ];
  const label = filedOn.rival === undefined ? 'FILED' : 'CHECK';
  const rival =
    filedOn.rival === undefined ? '' : `; ${filedOn.rival.column.name} may be the filing date as well`;
  const lines = [
    say(label, `filed on ${filedOn.column.name}: ${filedOn.evidence}${rival}`),
    `if (${formatColumn(filedOn.column)} === '') return skip('no filing date yet');`,
    `const filedOn = ${formatDay(filedOn)};`,
    "if (filedOn === undefined) return reject('unreadable filing date');",
  ];
  if (filedOn.unknownDays.length > 0)
    lines.push("if (UNKNOWN_DAYS.includes(filedOn)) return skip('filing date not known');");
  if (expiresOn !== undefined)
    lines.push(say('EXPIRES', expiresOn.evidence), `const expiresOn = ${formatDay(expiresOn)};`);
  if (endedOn !== undefined)
    lines.push(say('ENDED', endedOn.evidence), `const endedOn = ${formatDay(endedOn)};`);
  return [...lines, ...writeState(guesses)];
}

function writeState({ endedOn, filedOn, status }: Guesses): string[] {
  const state = status === undefined ? "'open'" : 'stands';
  if (endedOn === undefined || filedOn === undefined) return [`const status = ${state};`];
  return [`const status = endedOn !== undefined && endedOn <= at.today ? 'closed' : ${state};`];
}

function writeKey({ key }: Guesses): string[] {
  const columns = key.columns.map(formatColumn);
  const text = key.kind === 'number' ? columns[0] : `keyOf(${['name', ...columns].join(', ')})`;
  const shares =
    key.repeats > 0.001
      ? `; ${Math.round(key.repeats * 1000) / 10} % of the rows repeat a key and are merged`
      : '';
  return [say('KEY', `${key.evidence}${shares}`), `const key = ${text};`];
}

function writeRenewals({ renewals, expiresOn, filedOn }: Guesses): string[] {
  if (renewals === undefined) return [];
  const term = expiresOn === undefined || filedOn === undefined ? 'status' : 'status, expiresOn';
  return [
    say('RENEWALS', renewals.evidence),
    `if (RENEWALS.includes(${formatColumn(renewals.column)})) return update({ key, termOn: filedOn, ${term} });`,
  ];
}

function writeKind({ kinds }: Guesses): string[] {
  const { naics, types, exact, broad, description } = kinds;
  const among = (table: string, columns: readonly Column[]) =>
    columns.map((column) => `${table}.get(${formatColumn(column)})`);
  // A code on most rows says more than the types beside it.
  const first = exact.length > 0 && (naics === undefined || naics.filled < MOSTLY) ? types.slice(0, 1) : [];
  const text = naics !== undefined && naics.letters > 0.1 ? naics : description;
  const last = [
    ...(exact.length > 0 ? among('KINDS', types.slice(first.length)) : []),
    ...(broad.length > 0 ? among('BROAD', types) : []),
  ];
  const clues = [
    first.length > 0 && `code: ${among('KINDS', first).join('')}`,
    naics !== undefined && naics !== text && `naics: ${formatColumn(naics)}`,
    text !== undefined && `type: ${formatColumn(text)}`,
    'name',
    last.length > 0 && `broad: ${last.join(' ?? ')}`,
  ].filter((clue) => clue !== false);
  return [say('KIND', kinds.evidence), `const category = kindOf({ ${clues.join(', ')} });`];
}

const MOSTLY = 0.7;

function writePeople({ name, personalTypes, kinds }: Guesses): string[] {
  if (name === undefined) return [];
  const [type] = personalTypes.length > 0 ? kinds.types : [];
  const test = peopleTest(name, type);
  return test === undefined
    ? []
    : [`if (${test}) return skip('personal name'); // unless you have a legal basis`];
}

function peopleTest(name: NameGuess, type: Column | undefined): string | undefined {
  const { column, owners, ownerType, fallback } = name;
  const rule = choosePeopleRule(name);
  const onePerson = ownerType && `ONE_PERSON.includes(${formatColumn(ownerType.column)})`;
  if (rule === 'none') return undefined;
  if (rule === 'by shape' && type === undefined) return 'looksPersonal(name)';
  if (rule === 'by shape') return `PEOPLE_TYPES.includes(${formatColumn(type!)}) && looksPersonal(name)`;
  if (rule === 'by type') return `${onePerson} && looksPersonal(name)`;
  const others = [...new Set([...owners, fallback])].filter(
    (one) => one !== undefined && one !== column,
  ) as Column[];
  const same = `namesOnlyOwner(trade, ${others.map((one) => formatColumn(one)).join(', ')})`;
  const owner = onePerson === undefined ? same : `${onePerson} && ${same}`;
  return fallback === undefined ? owner : `trade === '' ? looksPersonal(name) : ${owner}`;
}

/** The fields of an opening, a line each. */
function writeFacts(guesses: Guesses, areas: DraftAreas): string[] {
  return [
    'key,',
    'name,',
    'category,',
    ...writeAreas(guesses, areas),
    'status,',
    'filedOn,',
    ...(guesses.expiresOn === undefined || guesses.filedOn === undefined ? [] : ['expiresOn,']),
  ];
}

/** The publisher's own neighborhood, the point, the address, and a ZIP area only where the operator asked for it. */
function writeAreas(guesses: Guesses, { hasBoundaries, showsZips }: DraftAreas): string[] {
  const { neighborhood, point, zip } = guesses;
  const lines: string[] = [];
  const area = zip && `zipArea(${formatColumn(zip.column)})`;
  const shown = showsZips && !neighborhood?.isTown ? area : undefined;
  if (neighborhood !== undefined) {
    const mark = neighborhood.isTown ? 'CHECK: ' : '';
    lines.push(
      `// ${mark}${formatRemark(neighborhood.evidence)}`,
      `neighborhood: tidyName(${formatColumn(neighborhood.column)})${shown === undefined ? '' : ` || ${shown}`},`,
    );
  } else if (shown !== undefined) lines.push(`neighborhood: ${shown}, // ${formatRemark(zip!.evidence)}`);
  if (point !== undefined && hasBoundaries) lines.push(`point: ${formatPoint(point)},`);
  if (point !== undefined && !hasBoundaries)
    lines.push(`// With boundaries in the profile (\`--boundaries\`): point: ${formatPoint(point)},`);
  lines.push(...writeAddress(guesses));
  if (lines.length === 0) lines.push('// CHECK: nothing in the file places a business in a neighborhood');
  if (area !== undefined && shown === undefined && neighborhood === undefined && !hasBoundaries)
    lines.push(`// To show ZIP areas instead of neighborhoods: neighborhood: ${area},`);
  return lines;
}

/** Placed by `addresses` in the profile; without them it is not looked at. The ZIP and the town tell streets of one name apart. */
function writeAddress({ address, zip, town, towns }: Guesses): string[] {
  if (address.length === 0) return [];
  const [first, ...others] = address.map(formatColumn);
  const text = others.length === 0 ? first! : `[${[first, ...others].join(', ')}].join(' ')`;
  const apart = (column: Column | undefined) => column !== undefined && !address.includes(column);
  const townColumn = town?.column ?? towns;
  return [
    `address: ${text},`,
    ...(zip !== undefined && apart(zip.column) ? [`zip: ${formatColumn(zip.column)},`] : []),
    ...(apart(townColumn) && townColumn !== zip?.column ? [`town: ${formatColumn(townColumn!)},`] : []),
  ];
}

function formatPoint({ longitude, latitude }: NonNullable<Guesses['point']>): string {
  if (longitude === latitude) return `parsePoint(${formatColumn(longitude)})`;
  return `{ longitude: ${formatColumn(longitude)}, latitude: ${formatColumn(latitude)} }`;
}
