/** What `city.yaml` says of a city and its registers. Columns are headers of the register; all values are text unless stated. */

import type { City, FindingCode, HeaderRows } from '../define.ts';

/** A city as data: everything of a profile except its sources, and a mapping for each register. */
export type CityMapping = Omit<City, 'sources' | 'operator'> & {
  operator?: City['operator'];
  registers: readonly RegisterMapping[];
};

/** Exactly one of the formats, with how to read it. A place is a file or folder (relative to `city.yaml`) or a URL; absent with `--from`. */
export type MappedFormat =
  | ({ csv?: string } & TextReading)
  | { json?: string; records?: string }
  | { excel?: string; sheet?: string; header?: HeaderRows }
  | { geojson?: string }
  | { socrata: { host: string; dataset: string; where?: string } }
  | { arcgis: string; where?: string }
  | { ckan: { host: string; resource: string; filters?: Readonly<Record<string, string>> } };

/** How text is read that is not plain comma-separated UTF-8 with its header on the first line. */
export type TextReading = {
  /** One character; default `,`. */
  delimiter?: string;
  /** Default `"`. */
  quote?: string;
  /** As `TextDecoder` names it; default `utf-8`. */
  encoding?: string;
  header?: HeaderRows;
  /** Characters of each column of a file of fixed width; its columns are named `1`, `2` and so on unless it has a header. */
  widths?: readonly number[];
};

/** A day in a column. `instant` is a moment with an offset, read as the city's local day. */
export type DayMapping = {
  column: string;
  /** Tried in their order. */
  format: string | readonly string[];
  /** The last year that two digits may mean. */
  pivot?: number;
  /** Days that stand for "not known". */
  unknown?: readonly string[];
};

export type ValuesOf = { column: string; values: readonly string[] };

export type RegisterMapping = {
  id: string;
  publisher: string;
  homepage: string;
  license: string;
  notice?: string;
  /** Default `documentation`. */
  checked?: 'live' | 'documentation';
  from: MappedFormat;
  baseline?: string;
  delivers: 'snapshot' | 'changes';
  hosts?: readonly string[];
  everyHours?: number;
  freshForHours?: number;
  rejectedShare?: number;
  accepts?: Readonly<Partial<Record<FindingCode, string>>>;
  /** Texts that mean "empty" in every column, besides the usual ones (`N/A`, `None`, `-`). */
  missing?: readonly string[];

  /** Names the business and its premises: a column, several joined by `-`, or the name and these columns as a hash, which stores none of them. */
  key: string | readonly string[] | { nameAnd: readonly string[] };
  /** The first that is not empty. */
  name: string | readonly string[];
  /** Never served. A name equal to the owner's is a person's; so is one that looks like a person's where the first name column is empty. */
  owner?: string | readonly string[];
  /** What says that a business is one person's. Without a trade name that differs from the owner's, such rows are skipped. */
  person?: ValuesOf;
  /** Whether a name that only looks like a person's is skipped where no column tells: always, never, or under these values. Default `skip`. */
  namesLikePeople?: 'skip' | 'keep' | ValuesOf;

  filed: DayMapping;
  /** Closed from this day on. */
  ended?: DayMapping;
  expires?: DayMapping;
  /** What the words of a column mean. `never`: it never opened and is skipped. Other words are `unknown`. Without a status column: open. */
  status?: { column: string } & Partial<
    Record<'open' | 'closed' | 'expired' | 'abandoned' | 'unknown' | 'never', readonly string[]>
  >;
  /** Rows that say so change a listing and never open one. */
  renewals?: ValuesOf;

  /** Types of the register (the more specific column first) through a table; a NAICS code; an official text; then words of the name. */
  category?: { column?: string | readonly string[]; table?: string; naics?: string; text?: string };

  neighborhood?: string | { column: string; prefix: string } | { postalCode: string };
  address?: string | readonly string[];
  postalCode?: string;
  point?: { longitude: string; latitude: string } | { column: string };
  /** Rows of other towns are skipped as outside the city. */
  town?: { column: string; keep: readonly string[] };
  /** Rows with other values are skipped as outside the city. */
  inside?: ValuesOf;
  skip?: readonly (ValuesOf & { because: string })[];
};
