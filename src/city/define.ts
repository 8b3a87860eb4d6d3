/**
 * Defines a city profile: `defineCity({...})` and the verdicts of its sources.
 * Contains only types and constructors: `schema/profile.ts` checks a profile, `load.ts` finds it on disk.
 */

import type { Day } from '../listings/day.ts';
import type { Status } from '../listings/listing.ts';
import type { PageWords } from './words.ts';

/** One record of the source: the declared columns as trimmed text, `''` if empty. */
export type Row<Column extends string = string> = { readonly [C in Column]: string };

/** The current date for a verdict: the city's local date, or the profile's `asOf`. */
export type At = { today: Day };

/** The place of a business, in order of precedence: the publisher's own column, a point, an address, a ZIP code. */
export type Whereabouts = {
  neighborhood?: string | undefined;
  /** Degrees (WGS 84), as text from the source. Empty values, 0/0 and points outside the boundaries are not placed. */
  point?: { longitude: string | number; latitude: string | number } | undefined;
  /**
   * The address of the premises as the register writes it, in one text. Placed by the city's `addresses` while the row is judged;
   * never stored.
   */
  address?: string | undefined;
  /** Looked up in the city's `zips`, and tells apart streets of one name. Only the first five digits count. */
  zip?: string | undefined;
  /** Tells apart streets of one name in several towns. */
  town?: string | undefined;
};

export type OpeningFacts = Whereabouts & {
  /** Identifies the business and its premises within this source. Use `keyOf` for keys made of data that must not be stored. */
  key: string;
  name: string;
  category?: string;
  status: Status;
  filedOn: Day;
  /** Orders several filings of one key: the latest determines status and expiry. Default `filedOn`. */
  termOn?: Day | undefined;
  /** The last day on which it is valid. */
  expiresOn?: Day | undefined;
};

export type UpdateFacts = Whereabouts & {
  key: string;
  /** The date that orders this term among the others of the key. */
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

/** A new business at its premises. */
export function opening(facts: OpeningFacts): Verdict {
  return { kind: 'opening', facts };
}

/** A renewal, move or closure of a business: never creates a listing, never makes one new. */
export function update(facts: UpdateFacts): Verdict {
  return { kind: 'update', facts };
}

/** A valid row that is neither an opening nor an update. The reason is counted and shown. */
export function skip(reason: string): Verdict {
  return { kind: 'skip', reason };
}

/** A damaged row. The reason is counted and shown with line numbers. */
export function reject(reason: string): Verdict {
  return { kind: 'reject', reason };
}

/** A file or folder, relative to the profile or absolute, or an http(s) URL. */
export type Place = { file: string } | { url: string };

/**
 * Where the addresses of a city are: a CSV file or GeoJSON of points as OpenAddresses or the city publishes them, or the Census
 * Bureau's shapefile of address ranges (TIGER/Line ADDRFEAT); gzipped or zipped. A folder may hold several.
 */
export type AddressFile = Place & {
  /** Needed only where a file has other headers than the usual ones. */
  columns?: AddressFileColumns;
};

/** Headers of an address file. Either `number` and `street`, or `address`. A street in several columns is joined in their order. */
export type AddressFileColumns = {
  longitude?: string;
  latitude?: string;
  number?: string;
  street?: string | readonly string[];
  address?: string;
  zip?: string;
  town?: string;
};

/** The line of the header, counted from 1; two lines that are joined; or `none`: then columns are named `1`, `2` and so on. */
export type HeaderRows = number | readonly [number, number] | 'none';

/** Where a register is read from. A place of a file may be given with `--from`; a portal is asked page by page. */
export const FILE_FORMATS = ['csv', 'json', 'excel', 'geojson'] as const;
export const FORMATS = [...FILE_FORMATS, 'socrata', 'arcgis', 'ckan'] as const;

export type SourceFormat =
  | ({ format: 'csv'; delimiter: string; place: Place | undefined } & CsvOptions)
  | { format: 'json'; records: string | undefined; place: Place | undefined }
  | { format: 'excel'; sheet: string | undefined; header?: HeaderRows | undefined; place: Place | undefined }
  | { format: 'geojson'; place: Place | undefined }
  | { format: 'socrata'; where: string | undefined; place: Place | undefined }
  | { format: 'arcgis'; where: string | undefined; place: Place | undefined }
  | { format: 'ckan'; filters: Readonly<Record<string, string>> | undefined; place: Place | undefined };

/** How text is read that is not plain UTF-8 with its header on the first line and `"` around cells. */
type CsvOptions = {
  quote?: '"' | "'" | undefined;
  encoding?: string | undefined;
  header?: HeaderRows | undefined;
  widths?: readonly number[] | undefined;
};

/**
 * Delimited text (default `,`), or text of fixed width. `quote` may be an apostrophe; `encoding` as `TextDecoder` names it, such as
 * `windows-1252`; `header` is the line of the header, two lines that are joined, or `none`: then columns are named `1`, `2` and so on;
 * `widths` are the characters of each column. Without a place, you must give `--from`.
 */
export function csv(
  options: Partial<{ file: string; url: string; delimiter: string }> & CsvOptions = {},
): SourceFormat {
  const { delimiter = ',', quote, encoding, header, widths } = options;
  const reading = { quote, encoding, header, widths };
  const given = Object.fromEntries(Object.entries(reading).filter(([, value]) => value !== undefined));
  return { format: 'csv', delimiter, ...given, place: toPlace(options) };
}

/** A JSON array, newline-delimited JSON, or an object holding the array under the key `records`. */
export function json(options: Partial<{ file: string; url: string; records: string }> = {}): SourceFormat {
  return { format: 'json', records: options.records, place: toPlace(options) };
}

/**
 * A workbook (.xlsx). `sheet` is the name of a sheet; by default the first one. `header` is the row of the header, by default the first,
 * two rows that are joined, or `none`. A merged cell counts for all rows that it covers.
 */
export function excel(
  options: Partial<{ file: string; url: string; sheet: string; header: HeaderRows }> = {},
): SourceFormat {
  return { format: 'excel', sheet: options.sheet, header: options.header, place: toPlace(options) };
}

/** GeoJSON features: their properties are columns, and a point has the columns `longitude` and `latitude`. */
export function geojson(options: Partial<{ file: string; url: string }> = {}): SourceFormat {
  return { format: 'geojson', place: toPlace(options) };
}

/**
 * A data set on a Socrata portal, read over SODA 2.1 in pages. `columns` are the API's field names (`dba_start_date`), which
 * differ from the headers of the portal's CSV. Times are the publisher's local time (`2024-05-01T00:00:00.000`). A point is
 * split into `<field>.latitude` and `<field>.longitude`. `where` is SoQL that filters rows on the portal.
 */
export function socrata(options: { host: string; dataset: string; where?: string }): SourceFormat {
  const { host, dataset, where } = options;
  return { format: 'socrata', where, place: { url: `https://${host}/resource/${dataset}.json` } };
}

/**
 * A layer of an ArcGIS FeatureServer or MapServer (`url` ends in the layer's number). Dates are `YYYY-MM-DD` in the city's time
 * zone. A point has the columns `longitude` and `latitude`. `where` is the layer's SQL; default all.
 */
export function arcgis(options: { url: string; where?: string }): SourceFormat {
  return { format: 'arcgis', where: options.where, place: { url: options.url } };
}

/** A resource of a CKAN portal's DataStore. `filters` are exact values by column. */
export function ckan(options: {
  host: string;
  resource: string;
  filters?: Readonly<Record<string, string>>;
}): SourceFormat {
  const { host, resource, filters } = options;
  const url = `https://${host}/api/3/action/datastore_search?resource_id=${resource}`;
  return { format: 'ckan', filters, place: { url } };
}

function toPlace(options: { file?: string; url?: string }): Place | undefined {
  if (options.url !== undefined) return { url: options.url };
  return options.file === undefined ? undefined : { file: options.file };
}

/** What can be wrong with how a profile understands its register (docs/adding-a-city.md, Findings). */
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
  /** Shown word for word wherever listings of this source are shown. */
  notice?: string;
  /** `live`: tested against the publisher. `documentation`: written from documentation only. */
  checked: 'live' | 'documentation';
  /** The state or country of the register pack that this source comes from. The page says so until `checked` is `live`. */
  pack?: string;
  from: SourceFormat;
  /** Hosts (with their port, if any) that the publisher redirects to. Its own host is always allowed. */
  hosts?: readonly string[];
  /** A complete first file for a source whose `from` delivers only changes. It is read once, before everything else. */
  baseline?: Place;
  /** `snapshot`: every file contains all rows. `changes`: a file contains only new or changed rows. */
  delivers: 'snapshot' | 'changes';
  /** Hours between two imports of `shingle start`. Default 24. */
  everyHours?: number;
  /** Hours after which health warns that the data is old. */
  freshForHours?: number;
  /** Largest share of rejected rows for which a run is not held, 0 to 1. Default 0.01. If you raise it, say why in a comment. */
  rejectedShare?: number;
  /** Findings that are right for this register, with the reason: they no longer hold its first run. */
  accepts?: Readonly<Partial<Record<FindingCode, string>>>;
  /** Columns that every file must have; a run without one fails. The verdict sees only these and `optional`. */
  columns: readonly Column[];
  /** Columns that may be missing (they read as `''`). */
  optional?: readonly Column[];
  /** Other headers of a column, such as those of the portal's CSV: `{ businessname: ['BusinessName'] }`. */
  aliases?: { readonly [C in Column]?: readonly string[] };
  verdict(row: Row<Column>, at: At): Verdict;
};

/** Rate limits of each client, unless stated otherwise; see "Limits" in docs/api.md. Every field has a default. */
export type Limits = {
  /** Requests a minute. Default 600. */
  burst: number;
  /** Listings in any 24 hours. Default a quarter of the city's listings, at least 2,500, at most 10,000. */
  rows: number;
  /** Networks whose clients may see any number of listings, such as those of a newsroom or a library: `203.0.113.0/24`. */
  trusted: readonly string[];
  /** Signups an hour. Default 20. */
  signup: number;
  /** Connections at once of an IPv4 address or IPv6 /48, where no proxy is in front. Default 100. */
  connections: number;
  /** Confirmation emails an hour, for the whole service; more wait. Default 200. */
  confirmations: number;
  recipientDomain: Partial<RecipientDomainLimits>;
};

/** Confirmation emails to the addresses of one domain and its subdomains; more wait, for up to 24 hours. */
export type RecipientDomainLimits = {
  /** Default 10. */
  hour: number;
  /** Default 30. */
  day: number;
  /** Domains without these limits, in place of the default `MAIL_PROVIDERS`. */
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

/** When the weekly email is sent, in the city's time zone. */
export type Weekly = {
  weekday: (typeof WEEKDAYS)[number];
  /** `HH:MM`, 24 hours. */
  time: string;
};

export type City = {
  name: string;
  region: string;
  /** IANA, such as `America/Chicago`. */
  timeZone: string;
  /** BCP 47; default `en`. */
  language?: string;
  /** CSS hex colour of the page. It is darkened or lightened where contrast requires it. */
  accent?: string;
  /** Texts that replace those in `page-words.json` and `subscription-words.json`; all of them if `language` is not English. */
  words?: Partial<PageWords>;
  operator: { name: string; contact: string };
  /** For archives and the sample: the date to use as today for expiry and age. */
  asOf?: Day;
  /** Whether the register has ended: then nothing on the page is new, and there is no weekly email. Default: no filing for 180 days. */
  archive?: boolean;
  /** GeoJSON polygons; `property` holds the neighborhood's name. */
  boundaries?: Place & { property: string };
  /** Places businesses of which only the address is known, through `boundaries`. */
  addresses?: AddressFile | readonly AddressFile[];
  /** ZIP code -> neighborhood, only for ZIP codes that belong to one neighborhood. */
  zips?: Readonly<Record<string, string>>;
  limits?: Partial<Limits>;
  /** Default Monday, 08:00. */
  weekly?: Weekly;
  sources: readonly Source[];
};

/** Declares the columns of a source once, so that a misspelled `row.COLUMN` does not compile. */
export function source<const Column extends string>(definition: Source<Column>): Source {
  return definition as unknown as Source;
}

/** Shown on the operator's own machine until there is a name; never in public. */
export const UNNAMED_OPERATOR = { name: 'OPERATOR_NAME (not set)', contact: 'OPERATOR_CONTACT (not set)' };

/**
 * The profile of one city. `SHINGLE_CITY` names the file that has it as its default export. A profile without an `operator` is for
 * everybody: OPERATOR_NAME and OPERATOR_CONTACT say who runs it.
 */
export function defineCity(city: Omit<City, 'operator'> & Partial<Pick<City, 'operator'>>): City {
  return { operator: UNNAMED_OPERATOR, ...city };
}
