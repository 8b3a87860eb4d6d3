/** Converts a register of `city.yaml` to a source. Prepares the rules for verdicts once when the city is loaded. */

import { rememberTexts } from '../../listings/remember.ts';
import {
  arcgis,
  ckan,
  csv,
  excel,
  geojson,
  json,
  type MappingFacts,
  opening,
  PERSONAL_NAME,
  type Place,
  type Row,
  reject,
  type Source,
  type SourceFormat,
  skip,
  socrata,
  update,
  type Verdict,
  type Whereabouts,
} from '../define.ts';
import { keyOf } from '../keys.ts';
import { tidyName } from '../people/names.ts';
import { isInTown, parsePoint, zipArea } from '../places/place-text.ts';
import { SOURCE_FIELDS, type SourceFields } from '../schema/profile.ts';
import { type CategoryTable, openCategoryRule } from './category-table.ts';
import {
  type CellRules,
  cellOf,
  cellsOf,
  columnsOf,
  dayOf,
  firstCellOf,
  foldValue,
  joinedCellsOf,
  knownDayOf,
  type ReadCell,
  testValues,
} from './cells.ts';
import { listMappedColumns, type MappedFormat, type RegisterMapping } from './mapping.ts';
import { openPeopleRule, splitNameColumns } from './people.ts';

/** The reason to skip a row without a filing date. The license may not be issued yet, or the column may be wrong. */
export const UNDATED = 'no filing date yet';

export type MappingTools = {
  timeZone: string;
  table?: CategoryTable | undefined;
  /** Returns the file and line that name a column: `city.yaml:23`. */
  locate?: MappingFacts['locate'];
};

export function openMappedSource(mapping: RegisterMapping, tools: MappingTools): Source {
  const { license, checked = 'documentation', from, join, baseline } = mapping;
  const unlisted = new Map<string, number>();
  const verdict = openVerdict(mapping, { ...tools, unlisted });
  const isOneTown = mapping.town !== undefined || mapping.inside !== undefined;
  const address = isOneTown ? columnsOf(mapping.address) : [];
  return {
    ...pickSourceFields(mapping),
    licence: license,
    checked,
    from: openFormat(from),
    ...(baseline !== undefined && { baseline: placeOf(baseline)! }),
    ...(join !== undefined && { join: { ...join, from: openFormat(join.from) } }),
    columns: listMappedColumns(mapping),
    verdict,
    mapping: { unlisted, locate: tools.locate, address, owner: columnsOf(mapping.owner) },
  };
}

function pickSourceFields(mapping: RegisterMapping): SourceFields {
  const given = Object.entries(mapping).filter(
    ([name, value]) => name in SOURCE_FIELDS && value !== undefined,
  );
  return Object.fromEntries(given) as SourceFields;
}

type VerdictTools = MappingTools & { unlisted: Map<string, number> };

function openVerdict(mapping: RegisterMapping, tools: VerdictTools): Source['verdict'] {
  const missing = new Set((mapping.missing ?? []).map((text) => text.toLowerCase()));
  const rules: CellRules = { missing, timeZone: tools.timeZone };
  const names = splitNameColumns(mapping);
  const trade = firstCellOf(names.trade, rules);
  const anyName = firstCellOf([...names.trade, ...names.legal], rules);
  const category = openCategoryRule(mapping.category, {
    rules,
    table: tools.table,
    unlisted: tools.unlisted,
  });
  const findNoBusiness = openSkips(mapping, rules);
  const readStatus = openStatus(mapping, rules);
  const filed = dayOf(mapping.filed, rules);
  const [ended, expires] = [mapping.ended, mapping.expires].map((day) => day && dayOf(day, rules));
  const isRenewal = mapping.renewals && testValues(mapping.renewals, rules);
  const isOpening = mapping.opens && testValues(mapping.opens, rules);
  const makeKey = openKey(mapping.key, rules);
  const namesPerson = openPeopleRule(mapping, rules);
  const whereabouts = openWhereabouts(mapping, rules);

  return (row, at): Verdict => {
    const noBusiness = findNoBusiness(row) ?? category.findNoBusiness(row);
    if (noBusiness !== undefined) return skip(noBusiness);
    const name = tidyName(anyName(row));
    if (name === '') return skip('no name');
    const stands = readStatus(row);
    if ('never' in stands) return skip(`never opened: ${stands.never}`);
    const filedOn = filed(row);
    if (filedOn === undefined) return skip(UNDATED);
    if (filedOn === 'unknown') return skip('filing date not known');
    if (filedOn === 'unreadable') return reject('unreadable filing date');
    if (mapping.since !== undefined && filedOn < mapping.since) return skip(`filed before ${mapping.since}`);
    const endedOn = ended && knownDayOf(ended(row));
    const hasEnded = endedOn !== undefined && endedOn <= at.today;
    const term = { key: makeKey(row, name), ...(expires && { expiresOn: knownDayOf(expires(row)) }) };
    const status = hasEnded ? 'closed' : stands.status;
    if (isRenewal?.(row))
      return update({ ...term, ...((hasEnded || stands.isSaid) && { status }), termOn: filedOn });
    if (isOpening?.(row) === false) return reject(`unknown ${mapping.opens?.column}`);
    if (namesPerson(row, { trade: trade(row), name })) return skip(PERSONAL_NAME);
    return opening({
      ...term,
      status,
      name,
      category: category.read(row, name),
      ...whereabouts(row),
      filedOn,
    });
  };
}

type FindReason = (row: Row) => string | undefined;

const OUTSIDE = 'outside the city';

function openSkips({ town, inside, skip: skips = [] }: RegisterMapping, rules: CellRules): FindReason {
  const reasons: [test: (row: Row) => boolean, reason: string][] = [];
  if (town !== undefined) {
    const cell = cellOf(town.column, rules);
    const isOutside = rememberTexts((text) => !isInTown(text, town.keep));
    reasons.push([(row) => isOutside(cell(row)), OUTSIDE]);
  }
  if (inside !== undefined) {
    const isInside = testValues(inside, rules);
    reasons.push([(row) => !isInside(row), OUTSIDE]);
  }
  for (const one of skips) reasons.push([testValues(one, rules), one.because]);
  return (row) => reasons.find(([test]) => test(row))?.[1];
}

type Status = Exclude<keyof NonNullable<RegisterMapping['status']>, 'column' | 'never'>;
/** The status of a row. `isSaid` is false if the mapping does not list the text of its status. */
type Stands = { status: Status; isSaid: boolean } | { never: string };

function openStatus({ status }: RegisterMapping, rules: CellRules): (row: Row) => Stands {
  const open: Stands = { status: 'open', isSaid: true };
  if (status === undefined) return () => open;
  const { column, never = [], ...others } = status;
  const unknown: Stands = { status: 'unknown', isSaid: false };
  const known = new Map<string, Stands>(never.map((word) => [foldValue(word), { never: word }]));
  for (const word of ['open', 'closed', 'expired', 'abandoned', 'unknown'] as const)
    for (const text of others[word] ?? []) known.set(foldValue(text), { status: word, isSaid: true });
  const cell = cellOf(column, rules);
  return (row) => known.get(foldValue(cell(row))) ?? unknown;
}

function openKey(key: RegisterMapping['key'], rules: CellRules): (row: Row, name: string) => string {
  if (typeof key === 'object' && 'nameAnd' in key) {
    const cells = cellsOf(key.nameAnd, rules);
    return (row, name) => keyOf(name, ...cells.map((cell) => cell(row)));
  }
  const cells = cellsOf(key, rules);
  return (row) => {
    const parts = cells.map((cell) => cell(row));
    return parts.includes('') ? '' : parts.join('-');
  };
}

function openWhereabouts(mapping: RegisterMapping, rules: CellRules): (row: Row) => Whereabouts {
  const { neighborhood, point, address, postalCode, town } = mapping;
  const facts: [name: keyof Whereabouts, read: (row: Row) => unknown][] = [];
  if (neighborhood !== undefined) facts.push(['neighborhood', openNeighborhood(neighborhood, rules)]);
  if (point !== undefined) facts.push(['point', openPoint(point, rules)]);
  const hasAddress = columnsOf(address).length > 0;
  if (hasAddress) facts.push(['address', joinedCellsOf(address, rules)]);
  if (postalCode !== undefined) facts.push(['zip', cellOf(postalCode, rules)]);
  if (hasAddress && town !== undefined) facts.push(['town', cellOf(town.column, rules)]);
  return (row) => Object.fromEntries(facts.map(([name, read]) => [name, read(row)]));
}

function openNeighborhood(mapped: NonNullable<RegisterMapping['neighborhood']>, rules: CellRules): ReadCell {
  if (typeof mapped === 'string') {
    const cell = cellOf(mapped, rules);
    const tidy = rememberTexts(tidyName);
    return (row) => tidy(cell(row));
  }
  if ('postalCode' in mapped) {
    const cell = cellOf(mapped.postalCode, rules);
    const area = rememberTexts((text) => zipArea(text) ?? '');
    return (row) => area(cell(row));
  }
  const cell = cellOf(mapped.column, rules);
  const prefixed = rememberTexts((text) => `${mapped.prefix}${text.replace(/^0+(?=\d)|\.0$/g, '')}`);
  return (row) => {
    const text = cell(row);
    return text === '' ? '' : prefixed(text);
  };
}

function openPoint(point: NonNullable<RegisterMapping['point']>, rules: CellRules): (row: Row) => unknown {
  if ('column' in point) {
    const cell = cellOf(point.column, rules);
    return (row) => parsePoint(cell(row));
  }
  const [longitude, latitude] = [cellOf(point.longitude, rules), cellOf(point.latitude, rules)];
  return (row) => ({ longitude: longitude(row), latitude: latitude(row) });
}

function placeOf(text: string): Place | undefined {
  if (text === '') return undefined;
  return /^https?:\/\//i.test(text) ? { url: text } : { file: text };
}

function openFormat(from: MappedFormat): SourceFormat {
  return { ...formatOf(from), ...('entry' in from && { entry: from.entry }) };
}

function formatOf(from: MappedFormat): SourceFormat {
  if ('socrata' in from) return socrata(from.socrata);
  if ('ckan' in from) return ckan(from.ckan);
  if ('arcgis' in from) return arcgis({ ...from, url: from.arcgis });
  if ('geojson' in from) return geojson(placeOf(from.geojson));
  if ('json' in from) return json({ ...from, ...placeOf(from.json) });
  if ('excel' in from) return excel({ ...from, ...placeOf(from.excel) });
  const { csv: place, ...reading } = from;
  return csv({ ...placeOf(place), ...reading });
}
