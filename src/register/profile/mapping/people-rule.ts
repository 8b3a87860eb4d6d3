/**
 * Finds rows of a mapped register that name only a person: a column shows that the row is a person's, and its only
 * trade name is the owner's; or the name is the owner's; or no column shows whose the name is, and it looks like a
 * person's.
 */

import type { Row } from '../define.ts';
import { keyOf } from '../key-of.ts';
import { cutSoleForm, hasCompanyForm, namesSoleTrader } from '../people/company-forms.ts';
import { hasKnownScript } from '../people/name-words.ts';
import { isOwnersName, namesOnlyOwner } from '../people/owners.ts';
import { hasMadeUpWord, isSurnameFirst, looksPersonal } from '../people/personal-names.ts';
import { namesPrivateTrust } from '../people/private-trusts.ts';
import { type Cells, columnsOf } from './cells.ts';
import type { RegisterMapping } from './mapping.ts';

export type Names = { trade: string; name: string };

export type NamesPerson = (row: Row, names: Names) => boolean;

type PeopleWords = Pick<RegisterMapping, 'name' | 'legalName' | 'owner' | 'person' | 'namesLikePeople'>;

export function openPeopleRule(mapping: PeopleWords, cells: Cells): NamesPerson {
  const readOwners = openOwners(mapping, cells);
  const isPersons = mapping.person && cells.test(mapping.person);
  const personCell = mapping.person && cells.read(mapping.person.column);
  const { namesLikePeople } = mapping;
  const looksPersonalByShape = openShapeRule(mapping, cells);
  return (row, { trade, name }) => {
    const isOnes = isPersons?.(row) === true;
    const bare = cutSoleForm(name); // `Odile Fenwright E.I.R.L.` is only her name
    if (bare !== undefined && (isOnes || looksPersonal(bare, { isStrict: true }))) return looksPersonal(bare);
    if (namesSoleTrader(name) || namesPrivateTrust(name)) return true;
    if (hasCompanyForm(name)) return false; // `Fenwright LLC` is a company, even if one person owns it
    const isCompanys = personCell !== undefined && personCell(row) !== '' && !isOnes;
    const owners = readOwners(row, isCompanys);
    if (isOnes && !hasOwnTradeName(owners, { trade, name })) return true;
    if (trade !== '' && namesOnlyOwner(trade, ...owners)) return true;
    // any other value, such as "Corporation", means that the row is not a person's, unless its names show the opposite
    if (isCompanys && namesLikePeople === undefined) return false;
    if (trade === '' && !isCompanys) return looksPersonal(name);
    return (owners.length === 0 || isSurnameFirst(name)) && looksPersonalByShape(row, name);
  };
}

export function splitNameColumns({ name, legalName }: Pick<RegisterMapping, 'name' | 'legalName'>) {
  const names = columnsOf(name);
  if (legalName === undefined) return { trade: names.slice(0, 1), legal: names.slice(1) };
  return { trade: names, legal: columnsOf(legalName) };
}

/**
 * Reads the owner's names: those of each column, and all columns joined. Adds legal names. That of a company is its own,
 * even in a column of owners.
 */
function openOwners(mapping: PeopleWords, cells: Cells): (row: Row, isCompanys: boolean) => string[] {
  const { trade, legal } = splitNameColumns(mapping);
  const parts = columnsOf(mapping.owner);
  const columns = [...new Set([...parts, ...legal])].filter((column) => !trade.includes(column));
  const readers = columns.map((column) => ({ column, read: cells.read(column) }));
  return (row, isCompanys) => {
    const texts = readers
      .map(({ column, read }) => ({ column, text: read(row) }))
      .filter(({ column, text }) => text !== '' && !(isCompanys && legal.includes(column)));
    const named = texts.filter(({ column }) => parts.length > 1 && parts.includes(column));
    const joined = named.length > 1 ? [named.map(({ text }) => text).join(' ')] : [];
    return [...texts.map(({ text }) => text), ...joined];
  };
}

/**
 * Returns whether the trade name is not an owner's name. Without owners, it must not look like a person's, or must have a
 * made-up word. With owners, several words that do not look like a person's are enough.
 */
function hasOwnTradeName(owners: readonly string[], { trade, name }: Names): boolean {
  if (trade === '') return false;
  if (owners.length === 0) return hasKnownScript(name) && (!looksPersonal(name) || hasMadeUpWord(name));
  if (hasKnownScript(trade) && /\S\s+\S/.test(trade) && !looksPersonal(trade)) return true;
  const isSame = (owner: string) => isOwnersName(trade, owner) || keyOf(trade) === keyOf(owner);
  return !owners.some(isSame) && !namesOnlyOwner(trade, ...owners);
}

function openShapeRule(
  { namesLikePeople = 'skip' }: PeopleWords,
  cells: Cells,
): (row: Row, name: string) => boolean {
  if (namesLikePeople === 'keep') return () => false;
  if (namesLikePeople === 'certain') return (_, name) => looksPersonal(name, { isStrict: true });
  const applies = typeof namesLikePeople === 'object' ? cells.test(namesLikePeople) : () => true;
  return (row, name) => applies(row) && looksPersonal(name);
}
