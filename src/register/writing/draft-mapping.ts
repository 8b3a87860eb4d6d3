/** Converts the roles of columns to the mapping of `city.yaml`. The evidence for each line becomes its comment. */

import { openWordLists } from '../../shared/text/word-table.ts';
import type { DayMapping, RegisterMapping } from '../profile/mapping/mapping.ts';
import { findNoBusiness, listTypeLines, type TypeLine } from '../survey/business-types.ts';
import { type Column, describeFill } from '../survey/columns.ts';
import { type DayColumn, describeDays, toDayMapping } from '../survey/day-columns.ts';
import { listUnknownDays } from '../survey/day-evidence.ts';
import { describeRepeats } from '../survey/key-columns.ts';
import { describeNames } from '../survey/name-columns.ts';
import { describeFiled, listMissing } from '../survey/role-table.ts';
import { listRenewalTexts, toStatusMapping } from '../survey/statuses.ts';
import type { Roles } from '../survey/survey.ts';

type RegisterFacts = Pick<RegisterMapping, 'from' | 'delivers' | 'publisher' | 'homepage' | 'license'> & {
  showsPostalCodes: boolean;
};

export type DraftedRegister = ReturnType<typeof draftMapping>;

export const CATEGORIES_FILE = 'categories.csv';

export function draftMapping(roles: Roles, facts: RegisterFacts) {
  const { from, delivers, publisher, homepage, license, showsPostalCodes } = facts;
  const types = listTypeLines(roles.types.columns);
  const words = Object.entries(draftWords(roles, types, showsPostalCodes));
  const register = pickDefined(words.map(([word, [value]]) => [word, value]));
  const missing = listMissing(roles);
  const mapping = { id: 'filings', publisher, homepage, license, from, delivers, ...register };
  return {
    mapping: missing.length === 0 ? (mapping as RegisterMapping) : undefined,
    missing,
    types,
    /** The evidence for each field of `city.yaml`, without values of the register. */
    remarks: pickDefined(words.map(([word, [, evidence]]) => [word, evidence])) as Partial<
      Record<keyof RegisterMapping, string>
    >,
  };
}

/** The fields of a register in `city.yaml`, in its order, each with its value and the evidence. */
type DraftedWords = {
  [Word in keyof RegisterMapping]?: readonly [
    RegisterMapping[Word] | undefined,
    evidence?: string | undefined,
  ];
};

function draftWords(roles: Roles, lines: readonly TypeLine[], showsPostalCodes: boolean): DraftedWords {
  const { names, person, filed, expires, ended, status, renewals, key, shapeRule } = roles;
  const { neighborhood, address, postalCode, point, town, inside } = roles;
  const area = showsPostalCodes && postalCode ? { postalCode: postalCode.name } : undefined;
  const hasTown = town !== undefined && town.keep.length > 0;
  const skips = findNoBusiness(roles.columns, roles.types.columns);
  return {
    missing: [draftMissing(roles)],
    key: [draftKey(roles), `${key.evidence}${describeRepeats(key)}`],
    name: [oneOrMore(names), names[0] && describeNames(names[0])],
    owner: [oneOrMore(roles.owners.filter((one) => one !== names[0]))],
    person: [person && toValues(person.column, person.values)],
    namesLikePeople: [shapeRule, shapeRule === 'keep' ? KEPT : BY_SHAPE],
    filed: [filed && draftDay(filed), describeFiled(roles)],
    ended: [ended && draftDay(ended), ended && describeDays(ended)],
    expires: [expires && draftDay(expires), expires && describeDays(expires)],
    status: [status && toStatusMapping(status), status && describeFill(status)],
    renewals: [renewals && toValues(renewals, listRenewalTexts(renewals))],
    category: draftCategory(roles, lines),
    skip: [skips.length > 0 ? skips : undefined],
    neighborhood: [neighborhood?.name ?? area, neighborhood && describeFill(neighborhood)],
    address: [oneOrMore(address)],
    postalCode: [postalCode?.name],
    point: [
      point &&
        (point.longitude === point.latitude
          ? { column: point.longitude.name }
          : { longitude: point.longitude.name, latitude: point.latitude.name }),
    ],
    town: [
      hasTown && town.column !== neighborhood ? { column: town.column.name, keep: town.keep } : undefined,
      hasTown
        ? `${Math.round(town.share * 100)} % of the rows are in the city; the others are skipped`
        : undefined,
    ],
    inside: [inside && toValues(inside.column, inside.values)],
  };
}

const KEPT =
  "No name is skipped because it looks like a person's: few do, or another column tells whose they are";
const BY_SHAPE = "Only names that look like a person's are skipped; nothing else tells whose they are";

function pickDefined(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined));
}

const nameOf = ({ name }: Column): string => name;

function oneOrMore(columns: readonly Column[]): string | string[] | undefined {
  return columns.length > 1 ? columns.map(nameOf) : columns[0]?.name;
}

function toValues({ name }: Column, values: readonly string[]) {
  return values.length === 0 ? undefined : { column: name, values };
}

/** Texts that mean a missing trade name. In other columns, they may mean something else. */
const NO_NAME = openWordLists('missing-words.csv')('no name');

function draftMissing({ names: [name], status, inside, renewals }: Roles): string[] | undefined {
  const others = [status, inside?.column, renewals].flatMap((one) => one?.values ?? []);
  const meant = new Set(others.map(([text]) => text.toLowerCase()));
  const found = (name?.values ?? [])
    .map(([text]) => text)
    .filter((text) => NO_NAME.has(text.toLowerCase()) && !meant.has(text.toLowerCase()));
  return found.length === 0 ? undefined : found.slice(0, 20);
}

function draftKey({ key, names }: Roles): RegisterMapping['key'] {
  if (key.kind === 'number') return oneOrMore(key.columns)!;
  return { nameAnd: (key.columns.length > 0 ? key.columns : names).map(nameOf) };
}

function draftDay(day: DayColumn): DayMapping {
  const unknown = listUnknownDays(day).map(([one]) => one);
  return { ...toDayMapping(day), ...(unknown.length > 0 && { unknown }) };
}

function draftCategory(
  { types: { naics, nace, columns, text } }: Roles,
  lines: readonly TypeLine[],
): NonNullable<DraftedWords['category']> {
  const used = [naics, nace, ...columns, text].filter((one) => one !== undefined);
  const table =
    columns.length > 0 && lines.length > 0 ? { column: oneOrMore(columns), table: CATEGORIES_FILE } : {};
  const codes = { naics: naics?.name, nace: nace?.name, text: text?.name };
  const category = pickDefined(Object.entries({ ...table, ...codes }));
  const evidence = used.map((one) => `${one.name}: ${describeFill(one)}`).join('; ');
  return [Object.keys(category).length > 0 ? category : undefined, evidence || undefined];
}
