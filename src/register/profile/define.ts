/**
 * Defines a city profile: `defineCity({...})` and the verdicts of its sources. Contains only types and constructors.
 * `schema/profile.ts` defines the fields and checks profiles, and `load.ts` finds them on disk.
 */

import { UNNAMED_OPERATOR } from '../../shared/city/city-facts.ts';
import type { Day } from '../../shared/day.ts';
import type { Status } from '../../shared/listing.ts';
import type { SourceFormat } from './formats.ts';
import type { RegisterMapping } from './mapping/mapping.ts';
import type { ADDRESS_HEADERS, CityFields, OPERATOR, SourceFields } from './schema/profile.ts';
import type { Place, Static } from './schema/schema.ts';

export type { Place } from './schema/schema.ts';

/** A row of a source. Declared columns are trimmed texts, or `''` if empty. */
export type Row<Column extends string = string> = { readonly [C in Column]: string };

/** The date of a verdict: the city's local date, or the profile's `asOf`. */
export type At = {
  today: Day;
  /** @internal Returns whether a day has come. A verdict that asks holds until that day, and one that reads `today` for a day. */
  hasCome?(day: Day): boolean;
};

/** The location of a business, in order of precedence: the publisher's own column, a point, an address, a ZIP code. */
export type Whereabouts = {
  neighborhood?: string | undefined;
  /** Degrees (WGS 84), as text from the source. Empty values, 0/0 and points outside the boundaries are ignored. */
  point?: { longitude: string | number; latitude: string | number } | undefined;
  /**
   * The address of the premises in one text, as in the register. Used only to find the neighborhood in the city's
   * `addresses`. Never stored.
   */
  address?: string | undefined;
  /** The ZIP code. It also distinguishes streets with the same name. Only the first five digits count. */
  zip?: string | undefined;
  /** The town. It distinguishes streets with the same name. */
  town?: string | undefined;
};

export type OpeningFacts = Whereabouts & {
  /** Identifies the business and its premises within this source. For data that must not be stored, use `keyOf`. */
  key: string;
  name: string;
  category?: string;
  /** The register's own words for the type. They are searched if at least 20 listings share them, and never served. */
  type?: string | undefined;
  status: Status;
  filedOn: Day;
  /**
   * The date that orders filings with the same key. The latest filing determines status and expiry. Default: `filedOn`.
   */
  termOn?: Day | undefined;
  /** The last day on which the filing is valid. */
  expiresOn?: Day | undefined;
};

export type UpdateFacts = Whereabouts &
  Pick<OpeningFacts, 'key' | 'category' | 'expiresOn'> &
  Partial<Pick<OpeningFacts, 'name' | 'status'>> & {
    /** The date that orders filings with the same key. */
    termOn: Day;
  };

export type Verdict =
  | { kind: 'opening'; facts: OpeningFacts }
  | { kind: 'update'; facts: UpdateFacts }
  | { kind: 'skip'; reason: string; filedOn?: Day | undefined }
  | { kind: 'reject'; reason: string };

/** Reports a new business at its premises. */
export function opening(facts: OpeningFacts): Verdict {
  return { kind: 'opening', facts };
}

/** Reports a renewal, move or closure of a business. It never creates a listing or makes one new. */
export function update(facts: UpdateFacts): Verdict {
  return { kind: 'update', facts };
}

/** The reason to skip a row with only a person's name. The finding `dropped-businesses` examines those rows. */
export const PERSONAL_NAME = 'personal name';

/**
 * Skips a valid row that is neither an opening nor an update. Reports show each reason with its number of rows. For a row
 * that may still become an opening, such as a pending license, `filedOn` shows whether such rows are mostly new.
 */
export function skip(reason: string, filedOn?: Day): Verdict {
  return { kind: 'skip', reason, filedOn };
}

/** Rejects a damaged row. Reports show each reason with its number of rows and some line numbers. */
export function reject(reason: string): Verdict {
  return { kind: 'reject', reason };
}

export type AddressFileColumns = Static<typeof ADDRESS_HEADERS>;

export type Source<Column extends string = string> = Omit<SourceFields, 'aliases'> & {
  license: string;
  /**
   * How the source was tested: `live` with the publisher's data, or `documentation` if it was only written from
   * documentation.
   */
  checked: 'live' | 'documentation';
  from: SourceFormat;
  /** Another file with more columns. Its columns `take` are added to the row whose `column` equals the file's `key`. */
  join?: { from: SourceFormat; column: string; key: string; take: readonly string[] };
  /** A complete file for a source whose `from` delivers only changes. It is read once, before all others. */
  baseline?: Place;
  /** Columns that every file must have. Otherwise the run fails. Verdicts get only these columns and `optional`. */
  columns: readonly Column[];
  /** Columns that may be missing. Their text is then `''`. */
  optional?: readonly Column[];
  /** Other headers of a column, such as in the portal's CSV: `{ businessname: ['BusinessName'] }`. */
  aliases?: { readonly [C in Column]?: readonly string[] };
  verdict(row: Row<Column>, at: At): Verdict;
  /** @internal Additional facts about a register in `city.yaml`. A `city.ts` omits them. */
  mapping?: MappingFacts;
};

/** @internal */
export type MappingFacts = {
  /** Types that the table of types lacks, with their row counts. */
  unlisted: ReadonlyMap<string, number>;
  /** Returns the file and line that name a column: `city.yaml:23`. */
  locate?: ((column: string) => string | undefined) | undefined;
  /** The register in `city.yaml`. */
  register: RegisterMapping;
  /** Returns the source that the register would be with other words in place of some. */
  revise(words: Partial<RegisterMapping>): Source;
};

/** A profile. The fields that it shares with `city.yaml` are described in docs/city-yaml.md. */
export type City = CityFields & { operator: Static<typeof OPERATOR>; sources: readonly Source[] };

/** Defines a source with typed columns, so that a misspelled `row.COLUMN` does not compile. */
export function source<const Column extends string>(definition: Source<Column>): Source {
  return definition as unknown as Source;
}

/**
 * Defines the profile of a city. The file that `SHINGLE_CITY` names must export it as default. A profile that anyone
 * may use has no `operator`: OPERATOR_NAME and OPERATOR_CONTACT set it.
 */
export function defineCity(city: Omit<City, 'operator'> & Partial<Pick<City, 'operator'>>): City {
  return { operator: UNNAMED_OPERATOR, ...city };
}
