/**
 * What a city profile is: `defineCity({...})` and the verdicts its sources give.
 * Types and constructors only: checking a profile is `check.ts`, finding it on disk is `load.ts`.
 */

import type { Day } from '../listings/day.ts';
import type { Status } from '../listings/listing.ts';
import type { PageWords } from './page-words.ts';

/** One record as the source wrote it: the declared columns as trimmed text, `''` where there is nothing. */
export type Row<Column extends string = string> = { readonly [C in Column]: string };

/** What a verdict may know of the moment: the city's local day (or the profile's `asOf`). */
export type At = { today: Day };

/** Where a business is, in the order the ladder tries: the publisher's own column, a point, a ZIP. */
export type Whereabouts = {
  neighborhood?: string | undefined;
  /** Degrees, WGS 84; text as the source gives it. Empty, 0/0 and anything outside the boundaries is not placed. */
  point?: { longitude: string | number; latitude: string | number } | undefined;
  /** Placed by the city's `zips`; only the first five digits count. */
  zip?: string | undefined;
};

export type OpeningFacts = Whereabouts & {
  /** Names the business and its premises within this source; see `keyOf` for keys made of what may not be kept. */
  key: string;
  name: string;
  category?: string;
  status: Status;
  filedOn: Day;
  /** Orders several filings of one key: the latest speaks for status and expiry. Default `filedOn`. */
  termOn?: Day | undefined;
  /** The last day it is good for. */
  expiresOn?: Day | undefined;
};

export type UpdateFacts = Whereabouts & {
  key: string;
  /** The day that orders this term among the others of the key. */
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

/** A sound row that is neither an opening nor an update. The reason is counted and shown. */
export function skip(reason: string): Verdict {
  return { kind: 'skip', reason };
}

/** A damaged row. The reason is counted and shown with line numbers. */
export function reject(reason: string): Verdict {
  return { kind: 'reject', reason };
}

/** A file or folder beside the profile (or absolute), or an http(s) address. */
export type Place = { file: string } | { url: string };

export type SourceFormat =
  | { format: 'csv'; delimiter: string; place: Place | undefined }
  | { format: 'json'; records: string | undefined; place: Place | undefined }
  | { format: 'excel'; sheet: string | undefined; place: Place | undefined }
  | { format: 'socrata'; where: string | undefined; place: Place | undefined }
  | { format: 'arcgis'; where: string | undefined; place: Place | undefined }
  | { format: 'ckan'; filters: Readonly<Record<string, string>> | undefined; place: Place | undefined };

/** Comma-separated text with a header line. Without a place, `--from` must say where. */
export function csv(options: Partial<{ file: string; url: string; delimiter: string }> = {}): SourceFormat {
  return { format: 'csv', delimiter: options.delimiter ?? ',', place: toPlace(options) };
}

/** A JSON array, newline-delimited JSON, or an object holding the array under the key `records`. */
export function json(options: Partial<{ file: string; url: string; records: string }> = {}): SourceFormat {
  return { format: 'json', records: options.records, place: toPlace(options) };
}

/** A workbook (.xlsx). `sheet` is a sheet's name; the first one without it. The first row is the header. */
export function excel(options: Partial<{ file: string; url: string; sheet: string }> = {}): SourceFormat {
  return { format: 'excel', sheet: options.sheet, place: toPlace(options) };
}

/**
 * A data set on a Socrata portal, read over SODA 2.1 in pages. `columns` are the API's field names (`dba_start_date`), which
 * are not the headers of the portal's CSV. Times are the publisher's wall time (`2024-05-01T00:00:00.000`); a point is split
 * into `<field>.latitude` and `<field>.longitude`. `where` is SoQL and chooses rows at the publisher's.
 */
export function socrata(options: { host: string; dataset: string; where?: string }): SourceFormat {
  const { host, dataset, where } = options;
  return { format: 'socrata', where, place: { url: `https://${host}/resource/${dataset}.json` } };
}

/**
 * A layer of an ArcGIS FeatureServer or MapServer (`url` ends in the layer's number). Dates come as `YYYY-MM-DD` by the city's
 * clocks; a point's place as the columns `longitude` and `latitude`. `where` is the layer's SQL; default all.
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

export type Source<Column extends string = string> = {
  id: string;
  publisher: string;
  homepage: string;
  licence: string;
  /** Shown verbatim wherever listings of this source are shown. */
  notice?: string;
  /** `live`: somebody ran it against the publisher. `documentation`: written from documents alone. */
  checked: 'live' | 'documentation';
  from: SourceFormat;
  /** Hosts (with their port, if any) that the publisher redirects to; its own need not be named. */
  hosts?: readonly string[];
  /** A first, complete file for a source whose `from` delivers only what is new: read once, before all else. */
  baseline?: Place;
  /** `snapshot`: every file holds all there is. `changes`: a file holds what is new. */
  delivers: 'snapshot' | 'changes';
  /** Hours between two pulls of `shingle start`. Default 24. */
  everyHours?: number;
  /** Hours after which health warns that the data is old. */
  freshForHours?: number;
  /** Largest share of rejected rows that is not held, 0 to 1. Default 0.01; say why where it is not. */
  rejectedShare?: number;
  /** Columns that must be there; a run without one fails. Only these and `optional` reach the verdict. */
  columns: readonly Column[];
  /** Columns a file may lack (they read as `''`). */
  optional?: readonly Column[];
  verdict(row: Row<Column>, at: At): Verdict;
};

/** Budgets, per client unless said otherwise; see the API's Limits. Every field has a default. */
export type Limits = {
  /** Requests a minute. Default 600. */
  burst: number;
  /** Listings served in any 24 hours. Default 10,000. */
  rows: number;
  /** Signups an hour. Default 20. */
  signup: number;
  /** Confirmation emails an hour, of the whole service; more wait. Default 200. */
  confirmations: number;
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

/** When the weekly email goes out, by the city's clocks. */
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
  /** CSS hex colour of the page; darkened or lightened there as far as reading needs it. */
  accent?: string;
  /** The page's own words, where they are not those of `page-words.ts`; all of them where `language` is not English. */
  words?: Partial<PageWords>;
  operator: { name: string; contact: string };
  /** For archives and the sample: the day that expiry and staleness are reckoned on instead of today. */
  asOf?: Day;
  /** GeoJSON polygons; `property` holds the neighborhood's name. */
  boundaries?: Place & { property: string };
  /** ZIP -> neighborhood, only where a ZIP belongs to one. */
  zips?: Readonly<Record<string, string>>;
  limits?: Partial<Limits>;
  /** Default Monday, 08:00. */
  weekly?: Weekly;
  sources: readonly Source[];
};

/** Names the columns of a source once, so that a misspelt `row.COLUMN` does not compile. */
export function source<const Column extends string>(definition: Source<Column>): Source {
  return definition as unknown as Source;
}

/** The profile of one city. Its default export is what `SHINGLE_CITY` names. */
export function defineCity(city: City): City {
  return city;
}
