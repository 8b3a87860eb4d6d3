/** Converts a register of `city.yaml` to a source. Prepares the rules for verdicts once when the city is loaded. */

import { STATUSES, type Status } from '../../../shared/listing.ts';
import { rememberTexts } from '../../../shared/remember.ts';
import {
  type MappingFacts,
  opening,
  PERSONAL_NAME,
  type Place,
  type Row,
  reject,
  type Source,
  skip,
  update,
  type Verdict,
  type Whereabouts,
} from '../define.ts';
import { arcgis, ckan, FORMATS, type SourceFormat, socrata } from '../formats.ts';
import { keyOf } from '../key-of.ts';
import { cutOwner } from '../people/owners.ts';
import { tidyName } from '../people/tidy-name.ts';
import { isInTown, parsePoint, postalArea } from '../places/place-text.ts';
import { SOURCE_FIELDS, type SourceFields } from '../schema/profile.ts';
import { type CategoryTable, openCategoryRule } from './category-table.ts';
import { type Cells, foldValue, knownDayOf, openCells, type ReadCell } from './cells.ts';
import { listMappedColumns, type MappedFormat, type RegisterMapping } from './mapping.ts';
import { openPeopleRule, splitNameColumns } from './people-rule.ts';

/** The reason to skip a row without a filing date: the license may not be issued yet, or the register may not know it. */
export const UNDATED = 'no filing date';
/** The reason to skip a row whose day means that the register does not know it. */
export const UNKNOWN_DAY = 'filing date not known';
/** The reason to skip a row of another town, or of an address that the register says is outside. */
export const OUTSIDE = 'outside the city';

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
  const revise = (words: Partial<RegisterMapping>) => openMappedSource({ ...mapping, ...words }, tools);
  return {
    ...pickSourceFields(mapping),
    license,
    checked,
    from: openFormat(from),
    ...(baseline !== undefined && { baseline: placeOf(baseline)! }),
    ...(join !== undefined && { join: { ...join, from: openFormat(join.from) } }),
    columns: listMappedColumns(mapping),
    verdict,
    mapping: { unlisted, locate: tools.locate, register: mapping, revise },
  };
}

function pickSourceFields(mapping: RegisterMapping): SourceFields {
  const given = Object.entries(mapping).filter(
    ([name, value]) => name in SOURCE_FIELDS && value !== undefined,
  );
  return Object.fromEntries(given) as SourceFields;
}

function openVerdict(
  mapping: RegisterMapping,
  { timeZone, ...tools }: MappingTools & { unlisted: Map<string, number> },
): Source['verdict'] {
  const cells = openCells(mapping, timeZone);
  const names = splitNameColumns(mapping);
  const trade = cells.readFirst(names.trade);
  const anyName = cells.readFirst([...names.trade, ...names.legal]);
  const category = openCategoryRule(mapping.category, { cells, ...tools });
  const findNoBusiness = openSkips(mapping, cells);
  const readStatus = openStatus(mapping, cells);
  const filed = cells.readDay(mapping.filed);
  const [ended, expires] = [mapping.ended, mapping.expires].map((day) => day && cells.readDay(day));
  const isRenewal = mapping.renewals && cells.test(mapping.renewals);
  const isOpening = mapping.opens && cells.test(mapping.opens);
  const makeKey = openKey(mapping.key, cells);
  const namesPerson = openPeopleRule(mapping, cells);
  const whereabouts = openWhereabouts(mapping, cells);

  return (row, at): Verdict => {
    const noBusiness = findNoBusiness(row) ?? category.findNoBusiness(row);
    if (noBusiness !== undefined) return skip(noBusiness);
    const name = cutOwner(tidyName(anyName(row)));
    if (name === '') return skip('no name');
    const stands = readStatus(row);
    const filedOn = filed(row);
    if ('never' in stands) return skip(`never opened: ${stands.never}`, knownDayOf(filedOn));
    if (filedOn === undefined) return skip(UNDATED);
    if (filedOn === 'unknown') return skip(UNKNOWN_DAY);
    if (filedOn === 'unreadable') return reject('unreadable filing date');
    if (filedOn === 'swapped') return reject('filing date with day and month swapped');
    if (mapping.since !== undefined && filedOn < mapping.since) return skip(`filed before ${mapping.since}`);
    const endedOn = ended && knownDayOf(ended(row));
    const hasEnded = endedOn !== undefined && (at.hasCome?.(endedOn) ?? endedOn <= at.today);
    const term = { key: makeKey(row, name), ...(expires && { expiresOn: knownDayOf(expires(row)) }) };
    const status = hasEnded ? 'closed' : stands.status;
    if (isRenewal?.(row))
      return update({ ...term, ...((hasEnded || stands.isSaid) && { status }), termOn: filedOn });
    if (isOpening?.(row) === false) return reject(`unknown ${mapping.opens?.column}`);
    if (namesPerson(row, { trade: cutOwner(trade(row)), name })) return skip(PERSONAL_NAME);
    const type = category.readType(row);
    return opening({
      ...term,
      status,
      name,
      category: category.read(row, name),
      ...(type !== '' && { type }),
      ...whereabouts(row),
      filedOn,
    });
  };
}

function openSkips({ town, inside, skip: skips = [] }: RegisterMapping, cells: Cells) {
  const reasons: [test: (row: Row) => boolean, reason: string][] = [];
  if (town !== undefined) {
    const read = cells.read(town.column);
    const isOutside = rememberTexts((text) => !isInTown(text, town.keep));
    reasons.push([(row) => isOutside(read(row)), OUTSIDE]);
  }
  if (inside !== undefined) {
    const isInside = cells.test(inside);
    reasons.push([(row) => !isInside(row), OUTSIDE]);
  }
  for (const one of skips) reasons.push([cells.test(one), one.because]);
  return (row: Row): string | undefined => reasons.find(([test]) => test(row))?.[1];
}

/** The status of a row. `isSaid` is false if the mapping does not list the text of its status. */
type FoundStatus = { status: Status; isSaid: boolean } | { never: string };

function openStatus({ status }: RegisterMapping, cells: Cells): (row: Row) => FoundStatus {
  if (status === undefined) return () => ({ status: 'open', isSaid: true });
  const { column, never = [], ...others } = status;
  const unknown: FoundStatus = { status: 'unknown', isSaid: false };
  const known = new Map<string, FoundStatus>(never.map((word) => [foldValue(word), { never: word }]));
  for (const word of STATUSES)
    for (const text of others[word] ?? []) known.set(foldValue(text), { status: word, isSaid: true });
  const read = cells.read(column);
  return (row) => known.get(foldValue(read(row))) ?? unknown;
}

function openKey(key: RegisterMapping['key'], cells: Cells): (row: Row, name: string) => string {
  const isHashed = typeof key === 'object' && 'nameAnd' in key;
  const columns = cells.readAll(isHashed ? key.nameAnd : key);
  return (row, name) => {
    const parts = columns.map((read) => read(row));
    if (isHashed) return keyOf(name, ...parts);
    return parts.includes('') ? '' : parts.join('-');
  };
}

function openWhereabouts(mapping: RegisterMapping, cells: Cells): (row: Row) => Whereabouts {
  const { neighborhood, point, address, postalCode, town } = mapping;
  const facts: [name: keyof Whereabouts, read: (row: Row) => unknown][] = [];
  if (neighborhood !== undefined) facts.push(['neighborhood', openNeighborhood(neighborhood, cells)]);
  if (point !== undefined) facts.push(['point', openPoint(point, cells)]);
  if (address !== undefined) facts.push(['address', cells.readJoined(address)]);
  if (postalCode !== undefined) facts.push(['zip', cells.read(postalCode)]);
  if (address !== undefined && town !== undefined) facts.push(['town', cells.read(town.column)]);
  return (row) => {
    const where: Record<string, unknown> = {};
    for (const [name, read] of facts) where[name] = read(row);
    return where;
  };
}

function openNeighborhood(mapped: NonNullable<RegisterMapping['neighborhood']>, cells: Cells): ReadCell {
  const shape = (column: string, make: (text: string) => string): ReadCell => {
    const [read, makeOnce] = [cells.read(column), rememberTexts(make)];
    return (row) => makeOnce(read(row));
  };
  if (typeof mapped === 'string') return shape(mapped, tidyName);
  if ('postalCode' in mapped) return shape(mapped.postalCode, (text) => postalArea(text, cells.timeZone));
  const { column, prefix } = mapped;
  return shape(column, (text) => text && `${prefix}${text.replace(/^0+(?=\d)|\.0$/g, '')}`);
}

function openPoint(point: NonNullable<RegisterMapping['point']>, cells: Cells): (row: Row) => unknown {
  if ('column' in point) {
    const read = cells.read(point.column);
    return (row) => parsePoint(read(row));
  }
  const [longitude, latitude] = [cells.read(point.longitude), cells.read(point.latitude)];
  return (row) => ({ longitude: longitude(row), latitude: latitude(row) });
}

function placeOf(text: string): Place | undefined {
  if (text === '') return undefined;
  return /^https?:\/\//i.test(text) ? { url: text } : { file: text };
}

function openFormat(from: MappedFormat): SourceFormat {
  if ('socrata' in from) return socrata(from.socrata);
  if ('ckan' in from) return ckan(from.ckan);
  if ('arcgis' in from) return arcgis({ ...from, url: from.arcgis });
  const format = FORMATS.find((one) => one in from)!;
  const { [format]: place = '', ...options } = from as Record<string, string>;
  return { format, ...options, place: placeOf(place) } as SourceFormat;
}
