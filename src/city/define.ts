/**
 * Defines a city profile: `defineCity({...})` and the verdicts of its sources. Contains only types and constructors.
 * `schema/profile.ts` checks profiles, and `load.ts` finds them on disk.
 */

import type { Day } from '../listings/day.ts';
import type { Status } from '../listings/listing.ts';
import type { PageWords } from './words.ts';

/** A row of a source. Declared columns are trimmed texts, or `''` if empty. */
export type Row<Column extends string = string> = { readonly [C in Column]: string };

/** The date of a verdict: the city's local date, or the profile's `asOf`. */
export type At = { today: Day };

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
  status: Status;
  filedOn: Day;
  /** Orders filings with the same key: the latest determines status and expiry. Default: `filedOn`. */
  termOn?: Day | undefined;
  /** The last day on which the filing is valid. */
  expiresOn?: Day | undefined;
};

export type UpdateFacts = Whereabouts & {
  key: string;
  /** Orders filings with the same key. */
  termOn: Day;
  name?: string;
  category?: string;
  status?: Status;
  expiresOn?: Day | undefined;
};

export type Verdict =
  | { kind: 'opening'; facts: OpeningFacts }
  | { kind: 'update'; facts: UpdateFacts }
  | { kind: 'skip'; reason: string }
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

/** Skips a valid row that is neither an opening nor an update. Reports count and show the reason. */
export function skip(reason: string): Verdict {
  return { kind: 'skip', reason };
}

/** Rejects a damaged row. Reports count the reason and show it with line numbers. */
export function reject(reason: string): Verdict {
  return { kind: 'reject', reason };
}

/** A file or folder, relative to the profile or absolute, or an http(s) URL. */
export type Place = { file: string } | { url: string };

/**
 * The addresses of a city: CSV or GeoJSON points from OpenAddresses or the city, or the Census Bureau's shapefile of
 * address ranges (TIGER/Line ADDRFEAT). Files may be gzipped or zipped. A folder may contain several.
 */
export type AddressFile = Place & {
  /** The headers of the file. Needed only if they are unusual. */
  columns?: AddressFileColumns;
};

/** Headers of an address file: `number` and `street`, or `address`. Several street columns are joined in order. */
export type AddressFileColumns = {
  longitude?: string;
  latitude?: string;
  number?: string;
  street?: string | readonly string[];
  address?: string;
  zip?: string;
  town?: string;
};

/** The line of the header (from 1), two lines to join, or `none`, which names the columns `1`, `2` and so on. */
export type HeaderRows = number | readonly [number, number] | 'none';

/** Formats of files, which `--from` accepts. The other formats are portals, which are read page by page. */
export const FILE_FORMATS = ['csv', 'json', 'excel', 'geojson'] as const;
export const FORMATS = [...FILE_FORMATS, 'socrata', 'arcgis', 'ckan'] as const;

export type SourceFormat = {
  /** The file to read in an archive with several files. If the name has a day in braces, the newest file is read. */
  entry?: string | undefined;
} & ReturnType<
  typeof csv | typeof json | typeof excel | typeof geojson | typeof socrata | typeof arcgis | typeof ckan
>;

/** Options for text that is not UTF-8, has no header on the first line, or does not quote cells with `"`. */
type CsvOptions = {
  quote?: '"' | "'" | undefined;
  encoding?: string | undefined;
  header?: HeaderRows | undefined;
  widths?: readonly number[] | undefined;
};

/**
 * Reads delimited text (default `,`) or fixed-width text. `quote` may be an apostrophe. `encoding` is a `TextDecoder`
 * label, such as `windows-1252`. `header` is the line of the header, two lines to join, or `none`, which names the
 * columns `1`, `2` and so on. `widths` lists the number of characters of each column. Without `file` or `url`, use
 * `--from`.
 */
export function csv(options: Partial<{ file: string; url: string; delimiter: string }> & CsvOptions = {}) {
  const { file: _file, url: _url, delimiter = ',', ...reading } = options;
  return { format: 'csv' as const, delimiter, ...reading, place: toPlace(options) };
}

/** Reads a JSON array, newline-delimited JSON, or an object. `records` is the object's key of the array. */
export function json(options: Partial<{ file: string; url: string; records: string }> = {}) {
  return { format: 'json' as const, records: options.records, place: toPlace(options) };
}

/**
 * Reads a workbook (.xlsx). `sheet` is the name of a sheet, by default the first one. `header` is the row of the header
 * (default 1), two rows to join, or `none`. A merged cell counts for all rows that it covers.
 */
export function excel(
  options: Partial<{ file: string; url: string; sheet: string; header: HeaderRows }> = {},
) {
  return { format: 'excel' as const, sheet: options.sheet, header: options.header, place: toPlace(options) };
}

/** Reads GeoJSON features. Their properties are columns; a point has the columns `longitude` and `latitude`. */
export function geojson(options: Partial<{ file: string; url: string }> = {}) {
  return { format: 'geojson' as const, place: toPlace(options) };
}

/**
 * Reads a data set on a Socrata portal over SODA 2.1 in pages. `columns` are the API's field names (`dba_start_date`),
 * which differ from the headers of the portal's CSV. Times are the publisher's local time (`2024-05-01T00:00:00.000`).
 * A point is split into `<field>.latitude` and `<field>.longitude`. `where` is SoQL that filters rows on the portal.
 */
export function socrata(options: { host: string; dataset: string; where?: string }) {
  const { host, dataset, where } = options;
  return { format: 'socrata' as const, where, place: { url: `https://${host}/resource/${dataset}.json` } };
}

/**
 * Reads a layer of an ArcGIS FeatureServer or MapServer (`url` ends in the layer's number). Dates are `YYYY-MM-DD` in
 * the city's time zone. A point has the columns `longitude` and `latitude`. `where` is the layer's SQL filter, by
 * default all rows.
 */
export function arcgis(options: { url: string; where?: string }) {
  return { format: 'arcgis' as const, where: options.where, place: { url: options.url } };
}

/** Reads a resource of a CKAN portal's DataStore. `filters` are exact values by column. */
export function ckan(options: {
  host: string;
  resource: string;
  filters?: Readonly<Record<string, string>>;
}) {
  const { host, resource, filters } = options;
  const url = `https://${host}/api/3/action/datastore_search?resource_id=${resource}`;
  return { format: 'ckan' as const, filters, place: { url } };
}

function toPlace(options: { file?: string; url?: string }): Place | undefined {
  if (options.url !== undefined) return { url: options.url };
  return options.file === undefined ? undefined : { file: options.file };
}

/** The codes of findings, which are signs that a profile misreads its register (docs/findings.md). */
export const FINDING_CODES = [
  'personal-names',
  'dropped-businesses',
  'repeated-businesses',
  'outside-city',
  'coarse-neighborhoods',
  'unplaced',
  'date-choice',
  'current-licences',
  'no-first-date',
  'ambiguous-dates',
  'one-status',
  'kinds-from-text',
  'not-storefronts',
  'registered-offices',
  'ragged-rows',
  'unread-sheet',
  'merged-cells',
  'placeholders',
  'stale',
] as const;

export type FindingCode = (typeof FINDING_CODES)[number];

export type Source<Column extends string = string> = {
  id: string;
  publisher: string;
  homepage: string;
  licence: string;
  /** A text to show verbatim with every listing of this source. */
  notice?: string;
  /**
   * How the source was checked. `live`: tested against the publisher. `documentation`: written only from documentation.
   */
  checked: 'live' | 'documentation';
  /** The state or country of the source's register pack, which the page shows until `checked` is `live`. */
  pack?: string;
  from: SourceFormat;
  /** A file with more columns. Adds its columns `take` to the row whose `column` equals the file's column `key`. */
  join?: { from: SourceFormat; column: string; key: string; take: readonly string[] };
  /** Hosts (with a port if needed) that the publisher may redirect to. Its own host is always allowed. */
  hosts?: readonly string[];
  /** A complete file for a source whose `from` delivers only changes. It is read once, before all others. */
  baseline?: Place;
  /** The content of files. `snapshot`: all rows. `changes`: only new or changed rows. */
  delivers: 'snapshot' | 'changes';
  /** Hours between two imports of `shingle start`. Default: 24. */
  everyHours?: number;
  /** Maximum days between a filing and its first import for the listing to be news. Default: 60. */
  newForDays?: number;
  /** Age of the data in hours after which health warns. */
  freshForHours?: number;
  /** Maximum share of rejected rows, 0 to 1. Runs with more are held. Default: 0.01. Explain higher values. */
  rejectedShare?: number;
  /** Findings to accept for this register, each with a reason. They do not hold its first run. */
  accepts?: Readonly<Partial<Record<FindingCode, string>>>;
  /** Columns that every file must have. Otherwise the run fails. Verdicts get only these columns and `optional`. */
  columns: readonly Column[];
  /** Columns that may be missing. Their text is then `''`. */
  optional?: readonly Column[];
  /** Other headers of a column, such as in the portal's CSV: `{ businessname: ['BusinessName'] }`. */
  aliases?: { readonly [C in Column]?: readonly string[] };
  verdict(row: Row<Column>, at: At): Verdict;
  /** Additional facts about a register in `city.yaml`. A `city.ts` omits them. */
  mapping?: MappingFacts;
};

export type MappingFacts = {
  /** Types that the table of types lacks, with their row counts. */
  unlisted: ReadonlyMap<string, number>;
  /** Returns the file and line that name a column: `city.yaml:23`. */
  locate?: ((column: string) => string | undefined) | undefined;
  /** The address columns, if only the rows of one town are kept. */
  address: readonly string[];
  /** The columns with owners' names, which the mapping compares with trade names. */
  owner: readonly string[];
};

/** Limits for each client unless stated otherwise. Every field has a default. See "Limits" in docs/api.md. */
export type Limits = {
  /** Requests per minute. Default: 600. */
  burst: number;
  /** Listings in 24 hours. Default: a quarter of the city's listings, at least 2,500 and at most 10,000. */
  rows: number;
  /**
   * Networks without this limit, such as those of a newsroom or library: `203.0.113.0/24`.
   */
  trusted: readonly string[];
  /** Signups per hour. Default: 20. */
  signup: number;
  /** Simultaneous connections from an IPv4 address or IPv6 /48, without a proxy. Default: 100. */
  connections: number;
  /** Confirmation emails per hour for the whole service. Further ones wait. Default: 200. */
  confirmations: number;
  recipientDomain: Partial<RecipientDomainLimits>;
};

/** Limits for confirmation emails to one domain and its subdomains. Further ones wait, for up to 24 hours. */
export type RecipientDomainLimits = {
  /** Confirmation emails per hour. Default: 10. */
  hour: number;
  /** Confirmation emails per day. Default: 30. */
  day: number;
  /** Domains without these limits. Default: `MAIL_PROVIDERS`. */
  providers: readonly string[];
};

export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** The time of the weekly email, in the city's time zone. */
export type Weekly = {
  weekday: (typeof WEEKDAYS)[number];
  /** `HH:MM`, from 00:00 to 23:59. */
  time: string;
};

export type City = {
  name: string;
  region: string;
  /** An IANA name, such as `America/Chicago`. */
  timeZone: string;
  /** A BCP 47 tag. Default: `en`. Shingle also has texts, category names and search words in French (`fr`). */
  language?: string;
  /** The color of the page, as CSS hex. It is darkened or lightened if contrast requires it. */
  accent?: string;
  /**
   * Replaces texts of `page-words.json` and `subscription-words.json`. Must replace all of them unless `language` is
   * English or French.
   */
  words?: Partial<PageWords>;
  /** `contact` is an email address, a URL or a sentence. */
  operator: { name: string; contact: string };
  /** The date to use as today for expiry and age, for archives and the sample. */
  asOf?: Day;
  /** Whether the register has ended. Archives have nothing new and send no email. Default: no filing for 180 days. */
  archive?: boolean;
  /** GeoJSON polygons. `property` has the neighborhood's name. */
  boundaries?: Place & { property: string };
  /** Files that place businesses by address, within `boundaries`. */
  addresses?: AddressFile | readonly AddressFile[];
  /** The neighborhoods of ZIP codes that are within a single neighborhood. */
  zips?: Readonly<Record<string, string>>;
  limits?: Partial<Limits>;
  /** When the weekly email is sent. Default: Monday, 08:00. */
  weekly?: Weekly;
  sources: readonly Source[];
};

/** Defines a source with typed columns, so that a misspelled `row.COLUMN` does not compile. */
export function source<const Column extends string>(definition: Source<Column>): Source {
  return definition as unknown as Source;
}

/** The placeholder for a missing operator. It is never published. */
export const UNNAMED_OPERATOR = { name: 'OPERATOR_NAME (not set)', contact: 'OPERATOR_CONTACT (not set)' };

/**
 * Defines the profile of a city. The file that `SHINGLE_CITY` names must export it as default. A profile that anyone
 * may use has no `operator`: OPERATOR_NAME and OPERATOR_CONTACT set it.
 */
export function defineCity(city: Omit<City, 'operator'> & Partial<Pick<City, 'operator'>>): City {
  return { operator: UNNAMED_OPERATOR, ...city };
}

/** Returns the link to a contact, or `undefined` if the contact is a sentence. */
export function formatContactLink(contact: string): string | undefined {
  if (/^[^\s@]+@[^\s@]+$/.test(contact)) return `mailto:${contact}`;
  return URL.canParse(contact) ? contact : undefined;
}
