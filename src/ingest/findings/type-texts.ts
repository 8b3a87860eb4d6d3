/**
 * `kinds-from-text` and `not-storefronts`: what the texts that say the type of a licence or business became. Whether a
 * profile reads a text by its words is tried: a table does not know the text with a made-up word before it.
 */

import type { At, Row, Source } from '../../city/define.ts';
import type { Opening } from '../../listings/filing.ts';
import { UNCATEGORIZED } from '../../listings/listing.ts';
import { readCell } from '../sources/row.ts';
import { type FindingCheck, formatOpenings, isMoreThan, makeFinding } from './check.ts';
import type { ColumnRoles } from './column-roles.ts';
import type { ShownFinding } from './finding.ts';

const BY_WORDS_SHARE = 0.05;
const NO_STOREFRONT_SHARE = 0.01;
const MOST_TEXTS = 500;
const TEXTS_SHOWN = 10;
const MADE_UP = 'Zzyzx';

/** Licences of things, events and dwellings: none of them is a new business at its premises. */
const NO_STOREFRONT =
  /\b(?:special events?|temporary (?:event|food|vendor)|event (?:vendor|stall|booth|permit)|(?:market|craft|art) (?:stall|booth)|booth rental|(?:short|long).?term rental|rental (?:propert\w+|dwelling|unit|hous\w+|of propert\w+)|(?:residential|apartment|dwelling|house|home|room|propert\w+) rentals?|rentals?,? (?:residential|propert\w+|dwellings?|units?)|apartments?|landlords?|lessors? of residential|vending machines?|coin.operated|amusement (?:device|machine)s?|juke ?box\w*|video (?:game|machine)s?|pinball|(?:taxi|taxicab|limousine|pedicab|tow|vehicle) (?:permit|decal|license|vehicle)|vehicles? for hire|raffles?|bingo|peddlers?|solicitors? permit|garage sales?|yard sales?|alarm permit|dog licen[cs]e|street performers?|fireworks stands?|christmas trees?)\b/i;

type TypeText = { count: number; category: string; isByWords: boolean; isNoStorefront: boolean };
type TypeColumn = ColumnRoles['types'][number] & { texts: Map<string, TypeText> };

export function openTypeTextCheck({ types }: ColumnRoles, source: Source, at: At): FindingCheck {
  const columns: TypeColumn[] = types.map((type) => ({ ...type, texts: new Map() }));
  return {
    see(opening, row, weight) {
      for (const { column, isDeclared, texts } of columns) {
        const text = readCell(row, column);
        const known = texts.get(text);
        if (known !== undefined) known.count += weight;
        else if (text !== '' && texts.size < MOST_TEXTS) {
          const { category } = opening;
          const isByWords = isDeclared && isReadByWords(source, at, { row, column, text, opening });
          texts.set(text, { count: weight, category, isByWords, isNoStorefront: NO_STOREFRONT.test(text) });
        }
      }
    },
    find: (openings) => [findByWords(columns, openings), findNoStorefronts(columns, openings)],
  };
}

/** The same kind with a made-up word before the text, and another without the text. */
function isReadByWords(
  source: Source,
  at: At,
  { row, column, text, opening }: { row: Row; column: string; text: string; opening: Opening },
): boolean {
  if (opening.category === UNCATEGORIZED) return false;
  const kindWith = (cell: string): string | undefined => {
    const changed = Object.create(row, { [column]: { value: cell, enumerable: true } }) as Row;
    try {
      const verdict = source.verdict(changed, at);
      return verdict.kind === 'opening' ? verdict.facts.category : undefined;
    } catch {
      return undefined; // a table that knows no such text
    }
  };
  return kindWith(`${MADE_UP} ${text}`) === opening.category && kindWith(MADE_UP) !== opening.category;
}

function findByWords(columns: readonly TypeColumn[], openings: number): ShownFinding | undefined {
  const found = mostOf(columns, ({ isByWords }) => isByWords);
  if (found === undefined || !isMoreThan(BY_WORDS_SHARE, found.count, openings)) return undefined;
  const { column, count, texts } = found;
  const detail = `the kinds of ${formatOpenings(count, openings)} were read from the words of ${texts.length} texts in "${column}", not from a table`;
  const examples = texts
    .slice(0, TEXTS_SHOWN)
    .map(([text, { category, count: n }]) => `${text}: ${category} (${n})`);
  const fix = `in the verdict, take category from a table of the texts in "${column}"`;
  return makeFinding('kinds-from-text', 'warn', { count, of: openings, detail, examples, fix });
}

function findNoStorefronts(columns: readonly TypeColumn[], openings: number): ShownFinding | undefined {
  const found = mostOf(columns, ({ isNoStorefront }) => isNoStorefront);
  if (found === undefined || !isMoreThan(NO_STOREFRONT_SHARE, found.count, openings)) return undefined;
  const { column, count, texts } = found;
  const detail = `${formatOpenings(count, openings)} have a type in "${column}" that is no new business (events, rentals, machines, vehicles)`;
  const examples = texts.slice(0, 5).map(([text, { count: n }]) => `${text}: ${n}`);
  const fix = `in the verdict, return skip() for these types in "${column}"`;
  return makeFinding('not-storefronts', 'warn', { count, of: openings, detail, examples, fix });
}

/** The column with the most openings under such texts. */
function mostOf(columns: readonly TypeColumn[], test: (text: TypeText) => boolean) {
  return columns
    .map(({ column, texts }) => {
      const found = [...texts].filter(([, text]) => test(text)).sort((a, b) => b[1].count - a[1].count);
      return { column, texts: found, count: found.reduce((sum, [, { count }]) => sum + count, 0) };
    })
    .toSorted((a, b) => b.count - a.count)[0];
}
