/** Converts the roles of columns to the mapping of `city.yaml`. The evidence for each line becomes its comment. */

import type { DayMapping, MappedFormat, RegisterMapping } from '../../city/mapping/mapping.ts';
import { findNoBusiness, listTypeLines, type TypeLine } from '../business-types.ts';
import { type DayColumn, describeDays, listUnknownDays, toDayMapping } from '../days.ts';
import type { PointColumns } from '../locations.ts';
import { describeNames } from '../names.ts';
import { findRival, type Roles } from '../roles.ts';
import { listRenewalValues, readStatusValues } from '../statuses.ts';
import { type Column, describeFill, isPersonText, shareOf } from '../survey.ts';

export type RegisterFacts = {
  from: MappedFormat;
  delivers: RegisterMapping['delivers'];
  publisher: string;
  homepage: string;
  license: string;
  showsPostalCodes: boolean;
};

export type DraftedRegister = ReturnType<typeof draftMapping>;

export const CATEGORIES_FILE = 'categories.csv';

export function draftMapping(roles: Roles, facts: RegisterFacts) {
  const { names, filed, ended, expires, types } = roles;
  const { from, delivers, publisher, homepage, license, showsPostalCodes } = facts;
  const lines = listTypeLines(types.columns);
  const missing = (['name', 'filed'] as const).filter((role) =>
    role === 'name' ? names.length === 0 : filed === undefined,
  );
  const remarks = describeRoles(roles);
  if (filed === undefined || missing.length > 0)
    return { mapping: undefined, missing, types: lines, remarks };
  const mapping = dropUndefined<RegisterMapping>({
    id: 'filings',
    publisher,
    homepage,
    license,
    from,
    delivers,
    missing: draftMissing(roles),
    key: draftKey(roles),
    ...draftPeople(roles),
    filed: draftDay(filed),
    ended: ended && draftDay(ended),
    expires: expires && draftDay(expires),
    ...draftStatus(roles),
    ...draftCategory(roles, lines),
    ...draftPlaces(roles, showsPostalCodes),
  });
  return { mapping, missing, types: lines, remarks };
}

type Optional<T> = { [Key in keyof T]: T[Key] | undefined };

/** Removes fields that are `undefined`, because an optional word must be absent, not `undefined`. */
function dropUndefined<T extends object>(value: Optional<T>): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}

const nameOf = ({ name }: Column): string => name;

function oneOrMore(columns: readonly Column[]): string | string[] {
  const [first] = columns;
  return columns.length === 1 ? nameOf(first!) : columns.map(nameOf);
}

/** Matches texts for a missing trade name. In other columns they may have a meaning. */
const NO_NAME = /^(?:no|same|same as above|same name|unknown|tbd|x+)$/i;

function draftMissing({ names: [name], status, inside, renewals }: Roles): string[] | undefined {
  const others = [status, inside?.column, renewals].flatMap((one) => one?.values ?? []);
  const meant = new Set(others.map(([text]) => text.toLowerCase()));
  const found = (name?.values ?? [])
    .map(([text]) => text)
    .filter((text) => NO_NAME.test(text) && !meant.has(text.toLowerCase()));
  return found.length === 0 ? undefined : found.slice(0, 20);
}

function draftKey({ key, names }: Roles): RegisterMapping['key'] {
  if (key.kind === 'number') return oneOrMore(key.columns);
  return { nameAnd: (key.columns.length > 0 ? key.columns : names).map(nameOf) };
}

const MANY_PEOPLE = 0.2;

function draftPeople({
  names,
  owners,
  person,
  shapeRule,
  types,
}: Roles): Pick<RegisterMapping, 'name' | 'owner' | 'person' | 'namesLikePeople'> {
  const others = owners.filter((one) => one !== names[0]);
  const isByOwner = others.length > 0 || names.length > 1 || person !== undefined;
  const [type] = types.columns;
  // if a column says whose a business is, only names without a trade name are judged by their look
  const byShape =
    isByOwner || shapeRule.rule === 'keep'
      ? 'keep'
      : shapeRule.rule === 'under' && type !== undefined && shapeRule.values.length > 0
        ? { column: type.name, values: shapeRule.values }
        : names.some((name) => shareOf(name, isPersonText) > MANY_PEOPLE)
          ? 'skip'
          : 'certain';
  return {
    name: oneOrMore(names),
    ...(others.length > 0 && { owner: oneOrMore(others) }),
    ...(person && { person: { column: person.column.name, values: person.values } }),
    namesLikePeople: byShape,
  };
}

function draftDay(day: DayColumn): DayMapping {
  const unknown = listUnknownDays(day).map(([one]) => one);
  return { ...toDayMapping(day), ...(unknown.length > 0 && { unknown }) };
}

function draftStatus({ status, renewals }: Roles): Optional<Pick<RegisterMapping, 'status' | 'renewals'>> {
  const words = status && Map.groupBy(readStatusValues(status), ([, , meaning]) => meaning);
  const meanings = [...(words ?? [])]
    .toSorted(([a], [b]) => Number(b === 'open') - Number(a === 'open'))
    .map(([meaning, values]) => [meaning, values.map(([text]) => text)] as const);
  const values = renewals === undefined ? [] : listRenewalValues(renewals).map(([text]) => text);
  return {
    status: status && { column: status.name, ...Object.fromEntries(meanings) },
    renewals: renewals && values.length > 0 ? { column: renewals.name, values } : undefined,
  };
}

function draftCategory(
  { types: { naics, nace, columns, text }, survey }: Roles,
  lines: readonly TypeLine[],
): Optional<Pick<RegisterMapping, 'category' | 'skip'>> {
  const hasTable = columns.length > 0 && lines.length > 0;
  const category = dropUndefined<NonNullable<RegisterMapping['category']>>({
    column: hasTable ? oneOrMore(columns) : undefined,
    table: hasTable ? CATEGORIES_FILE : undefined,
    naics: naics?.name,
    nace: nace?.name,
    text: text?.name,
  });
  const skip = findNoBusiness(survey.columns, columns).map(({ column, values }) => ({
    column: column.name,
    values,
    because: 'no new business',
  }));
  return {
    category: Object.keys(category).length > 0 ? category : undefined,
    skip: skip.length > 0 ? skip : undefined,
  };
}

function draftPlaces(roles: Roles, showsPostalCodes: boolean): Optional<Partial<RegisterMapping>> {
  const { town, inside, neighborhood, address, postalCode, point } = roles;
  const area = showsPostalCodes && postalCode ? { postalCode: postalCode.name } : undefined;
  const hasTown = town !== undefined && town.keep.length > 0 && town.column !== neighborhood;
  return {
    neighborhood: neighborhood?.name ?? area,
    address: address.length > 0 ? oneOrMore(address) : undefined,
    postalCode: postalCode?.name,
    point: point && draftPoint(point),
    town: hasTown ? { column: town.column.name, keep: town.keep } : undefined,
    inside: inside && { column: inside.column.name, values: inside.values },
  };
}

function draftPoint({ longitude, latitude }: PointColumns): RegisterMapping['point'] {
  if (longitude === latitude) return { column: longitude.name };
  return { longitude: longitude.name, latitude: latitude.name };
}

/** Describes the evidence for each word of the mapping, without values of the register. */
function describeRoles(roles: Roles): Partial<Record<keyof RegisterMapping, string>> {
  const { names, owners, person, filed, expires, ended, status, key, types, neighborhood, town, shapeRule } =
    roles;
  const [name] = names;
  const rival = findRival(roles);
  const { naics, nace, columns, text } = types;
  const typeColumns = [naics, nace, ...columns, text].filter((one) => one !== undefined);
  const isByShape =
    name !== undefined && shapeRule.rule !== 'keep' && shareOf(name, isPersonText) > 0 && names.length === 1;
  const other = rival === undefined ? '' : `. ${rival.name} may be the first filing as well`;
  return dropUndefined({
    key: key.evidence,
    name: name && describeNames(name),
    namesLikePeople:
      isByShape && owners.length === 0 && person === undefined
        ? "Only names that look like a person's are skipped; nothing else tells whose they are"
        : undefined,
    filed: filed && `${describeDays(filed)}${other}`,
    expires: expires && describeDays(expires),
    ended: ended && describeDays(ended),
    status: status && describeFill(status),
    category: typeColumns.map((one) => `${one.name}: ${describeFill(one)}`).join('; ') || undefined,
    neighborhood: neighborhood && describeFill(neighborhood),
    town:
      town && town.keep.length > 0
        ? `${Math.round(town.share * 100)} % of the rows are in the city; the others are skipped`
        : undefined,
  });
}
