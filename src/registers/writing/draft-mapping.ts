/** Turns the roles of columns into the mapping of `city.yaml`, with the evidence for each line as its comment. */

import type { DayMapping, MappedFormat, RegisterMapping } from '../../city/mapping/mapping.ts';
import { findNoBusiness, listTypeLines, type TypeLine } from '../business-types.ts';
import { type DayColumn, describeDays, listUnknownDays, toDayMapping } from '../days.ts';
import { describeNames } from '../names.ts';
import { findRival, type Roles } from '../roles.ts';
import { listRenewalValues, readStatusValues } from '../statuses.ts';
import { type Column, describeFill, looksOf } from '../survey.ts';

/** What no column tells: asked of a person, or left to fill in. */
export type RegisterFacts = {
  from: MappedFormat;
  delivers: RegisterMapping['delivers'];
  publisher: string;
  homepage: string;
  license: string;
  /** Postal-code areas stand for neighborhoods where there are none. */
  showsPostalCodes: boolean;
};

export type DraftedRegister = {
  /** `undefined` where no column names the business or tells its first filing. */
  mapping: RegisterMapping | undefined;
  /** Roles without which there are no listings. */
  missing: readonly ('name' | 'filed')[];
  /** Lines of `categories.csv`, none without types. */
  types: readonly TypeLine[];
  /** A remark for a line of the mapping. */
  remarks: Readonly<Partial<Record<keyof RegisterMapping, string>>>;
};

export const CATEGORIES_FILE = 'categories.csv';

export function draftMapping(roles: Roles, facts: RegisterFacts): DraftedRegister {
  const { names, filed, types } = roles;
  const lines = listTypeLines(types.columns);
  const missing: DraftedRegister['missing'] = [
    ...(names.length === 0 ? (['name'] as const) : []),
    ...(filed === undefined ? (['filed'] as const) : []),
  ];
  const mapping =
    filed === undefined || names.length === 0
      ? undefined
      : {
          id: 'filings',
          publisher: facts.publisher,
          homepage: facts.homepage,
          license: facts.license,
          from: facts.from,
          delivers: facts.delivers,
          ...draftMissing(roles),
          key: draftKey(roles),
          ...draftPeople(roles),
          filed: draftDay(filed),
          ...(roles.ended && { ended: draftDay(roles.ended) }),
          ...(roles.expires && { expires: draftDay(roles.expires) }),
          ...draftStatus(roles),
          ...draftCategory(roles, lines),
          ...draftPlaces(roles, facts),
        };
  return { mapping, missing, types: lines, remarks: describeRoles(roles) };
}

const nameOf = ({ name }: Column): string => name;

/** One column as it is, several as a list. */
function oneOrMore(columns: readonly Column[]): string | string[] {
  const [first] = columns;
  return columns.length === 1 ? nameOf(first!) : columns.map(nameOf);
}

/** Ways to leave a trade name out that other columns may mean something by. */
const NO_NAME = /^(?:no|same|same as above|same name|unknown|tbd|x+)$/i;

function draftMissing({ names, status, inside, renewals }: Roles): Pick<RegisterMapping, 'missing'> {
  const [name] = names;
  const meant = new Set(
    [status, inside?.column, renewals].flatMap(
      (one) => one?.values.map(([text]) => text.toLowerCase()) ?? [],
    ),
  );
  const found = (name?.values ?? [])
    .map(([text]) => text)
    .filter((text) => NO_NAME.test(text) && !meant.has(text.toLowerCase()));
  return found.length === 0 ? {} : { missing: found.slice(0, 20) };
}

/** Where nothing but the name tells businesses apart, it is the key alone. */
function draftKey({ key, names }: Roles): RegisterMapping['key'] {
  if (key.kind === 'number') return oneOrMore(key.columns);
  return { nameAnd: (key.columns.length > 0 ? key.columns : names).map(nameOf) };
}

/** With so many names like people's, a register is one of people. */
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
  // Where a column tells whose a business is, its shape is asked only for names without a trade name.
  const byShape =
    isByOwner || shapeRule.rule === 'keep'
      ? 'keep'
      : shapeRule.rule === 'under' && type !== undefined && shapeRule.values.length > 0
        ? { column: type.name, values: shapeRule.values }
        : names.some((name) => looksOf(name).people > MANY_PEOPLE)
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

function draftStatus({ status, renewals }: Roles): Pick<RegisterMapping, 'status' | 'renewals'> {
  const words = status && Map.groupBy(readStatusValues(status), ([, , meaning]) => meaning);
  const meanings = [...(words ?? [])]
    .toSorted(([a], [b]) => Number(b === 'open') - Number(a === 'open'))
    .map(([meaning, values]) => [meaning, values.map(([text]) => text)] as const);
  const values = renewals && listRenewalValues(renewals).map(([text]) => text);
  return {
    ...(status && { status: { column: status.name, ...Object.fromEntries(meanings) } }),
    ...(renewals && values && values.length > 0 && { renewals: { column: renewals.name, values } }),
  };
}

function draftCategory(
  { types, survey }: Roles,
  lines: readonly TypeLine[],
): Pick<RegisterMapping, 'category' | 'skip'> {
  const { naics, columns, text } = types;
  const category = {
    ...(columns.length > 0 && lines.length > 0 && { column: oneOrMore(columns), table: CATEGORIES_FILE }),
    ...(naics && { naics: naics.name }),
    ...(text && { text: text.name }),
  };
  const skip = findNoBusiness(survey.columns, columns).map(({ column, values }) => ({
    column: column.name,
    values,
    because: 'no new business',
  }));
  return {
    ...(Object.keys(category).length > 0 && { category }),
    ...(skip.length > 0 && { skip }),
  };
}

function draftPlaces(roles: Roles, facts: RegisterFacts): Partial<RegisterMapping> {
  const { town, inside, neighborhood, address, postalCode, point } = roles;
  return {
    ...draftNeighborhood(neighborhood, postalCode, facts.showsPostalCodes),
    ...(address.length > 0 && { address: oneOrMore(address) }),
    ...(postalCode && { postalCode: postalCode.name }),
    ...(point && {
      point:
        point.longitude === point.latitude
          ? { column: point.longitude.name }
          : { longitude: point.longitude.name, latitude: point.latitude.name },
    }),
    ...(town &&
      town.keep.length > 0 &&
      town.column !== neighborhood && { town: { column: town.column.name, keep: town.keep } }),
    ...(inside && { inside: { column: inside.column.name, values: inside.values } }),
  };
}

function draftNeighborhood(
  column: Column | undefined,
  postalCode: Column | undefined,
  showsPostalCodes: boolean,
): Pick<RegisterMapping, 'neighborhood'> {
  if (column !== undefined) return { neighborhood: column.name };
  return showsPostalCodes && postalCode !== undefined
    ? { neighborhood: { postalCode: postalCode.name } }
    : {};
}

/** The evidence, without values of the register. */
function describeRoles(roles: Roles): DraftedRegister['remarks'] {
  const { names, filed, expires, ended, status, key, types, neighborhood, town, shapeRule } = roles;
  const [name] = names;
  const rival = findRival(roles);
  const typeText = [types.naics, ...types.columns, types.text].filter((one) => one !== undefined);
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  return {
    key: key.evidence,
    ...(name && { name: describeNames(name) }),
    ...(name &&
      shapeRule.rule !== 'keep' &&
      looksOf(name).people > 0 &&
      names.length === 1 &&
      roles.owners.length === 0 &&
      roles.person === undefined && {
        namesLikePeople:
          "Only names that look like a person's are skipped; nothing else tells whose they are",
      }),
    ...(filed && {
      filed: `${describeDays(filed)}${rival === undefined ? '' : `. ${rival.column.name} may be the first filing as well`}`,
    }),
    ...(expires && { expires: describeDays(expires) }),
    ...(ended && { ended: describeDays(ended) }),
    ...(status && { status: describeFill(status) }),
    ...(typeText.length > 0 && {
      category: typeText.map((one) => `${one.name}: ${describeFill(one)}`).join('; '),
    }),
    ...(neighborhood && { neighborhood: describeFill(neighborhood) }),
    ...(town &&
      town.keep.length > 0 && {
        town: `${percent(town.share)} of the rows are in the city; the others are skipped`,
      }),
  };
}
