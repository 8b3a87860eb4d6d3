/**
 * Defines the formats of registers. A file format is an entry of `FILE_FORMATS`, and a reader with its name in
 * `register/formats/`; a portal is an entry of `PORTALS`, and a reader with its name in `register/portals/`. The functions are for
 * profiles that are programs.
 */

import {
  anyOf,
  type Fields,
  integerOf,
  listOf,
  oneOf,
  optional,
  type Place,
  type Schema,
  type Static,
  type StaticFields,
  text,
  textOf,
} from './schema/schema.ts';

const LINE = integerOf({ minimum: 1, wanted: 'the number of a line' });
const TWO_LINES: Schema<readonly [number, number]> = { type: 'array', items: LINE, minItems: 2, maxItems: 2 };
const WIDTH = integerOf({ minimum: 1, wanted: 'a number of characters' });
const HEADER = anyOf([LINE, TWO_LINES, oneOf(['none'])]);

/** The line of the header (from 1), two lines to join, or `none`, which names the columns `1`, `2` and so on. */
export type HeaderRows = Static<typeof HEADER>;

type Described = {
  /** What the names of such files end in. */
  endings: readonly string[];
  /** Matches the first bytes, as Latin-1. Later formats are tried first. A file that matches none is the first one. */
  begins?: RegExp;
  /** What a file that is not text is called in messages. */
  binary?: string;
  /** The options of `from`, in city.yaml and in programs. */
  options: Fields;
};

/** A workbook of Excel or OpenDocument. */
const WORKBOOK = new RegExp(
  [
    String.raw`^PK\x03\x04.{26}(?:\[Content_Types\]\.xml|(?:_rels|docProps|docMetadata|customXml|xl)[\\/])`,
    String.raw`^PK\x03\x04.{26}mimetypeapplication/vnd\.oasis\.opendocument\.spreadsheet`,
  ].join('|'),
  'is',
);

/** Formats of files, which `--from` accepts. */
export const FILE_FORMATS = {
  csv: {
    endings: ['csv', 'tsv'],
    options: {
      delimiter: optional(textOf('delimiter')),
      quote: optional(oneOf(['"', "'"])),
      escape: optional(oneOf(['\\'])),
      encoding: optional(textOf('encoding')),
      header: optional(HEADER),
      widths: optional(listOf(WIDTH, { minItems: 1 })),
    },
  },
  json: {
    endings: ['json', 'ndjson'],
    begins: /^(?:\xef\xbb\xbf)?\s*[[{](?!\0)/,
    options: { records: optional(text()), columns: optional(text()) },
  },
  excel: {
    endings: ['xlsx', 'xls', 'ods'],
    begins: WORKBOOK,
    binary: 'a workbook (.xlsx)',
    options: { sheet: optional(text()), header: optional(HEADER) },
  },
  geojson: {
    endings: ['geojson'],
    begins: /^(?:\xef\xbb\xbf)?\s*[[{].*"type"\s*:\s*"Feature(?:Collection)?"/s,
    options: {},
  },
} as const satisfies Record<string, Described>;

export type FileFormat = keyof typeof FILE_FORMATS;

/** Portals, which are read page by page. */
export const PORTALS = { socrata, arcgis, ckan };

export type PortalSource = ReturnType<(typeof PORTALS)[keyof typeof PORTALS]>;

export const FORMATS = [
  ...(Object.keys(FILE_FORMATS) as FileFormat[]),
  ...(Object.keys(PORTALS) as (keyof typeof PORTALS)[]),
] as const;

export const describeFormat = (format: FileFormat): Described => FILE_FORMATS[format];

type Options<Format extends FileFormat> = StaticFields<(typeof FILE_FORMATS)[Format]['options']>;

type FileSource<Format extends FileFormat> = { format: Format; place?: Place | undefined } & Options<Format>;

export type FileReading = { [Format in FileFormat]: { format: Format } & Options<Format> }[FileFormat];

/** The file format of `from` in city.yaml, with the place of the file below its name. */
export type MappedFile = {
  [Format in FileFormat]: { [Name in Format]: string } & Options<Format> & { entry?: string };
}[FileFormat];

export type SourceFormat = {
  /** The file to read in an archive with several files. */
  entry?: string | undefined;
} & ({ [Format in FileFormat]: FileSource<Format> }[FileFormat] | PortalSource);

export function isPortal(from: SourceFormat): from is PortalSource {
  return Object.hasOwn(PORTALS, from.format);
}

/** Returns a function that describes a file, for profiles that are programs. */
function openFormat<Format extends FileFormat>(format: Format) {
  return (options: Partial<{ file: string; url: string }> & Options<Format> = {} as Options<Format>) => {
    const { file, url, ...reading } = options;
    const place = url !== undefined ? { url } : file === undefined ? undefined : { file };
    return { format, ...reading, place } as FileSource<Format>;
  };
}

/**
 * Reads delimited text (default `,`) or fixed-width text. `quote` may be an apostrophe. `encoding` is a `TextDecoder`
 * label, such as `windows-1252`. `header` is the line of the header, two lines to join, or `none`, which names the
 * columns `1`, `2` and so on. `widths` lists the number of characters of each column. Without `file` or `url`, use
 * `--from`.
 */
export const csv = openFormat('csv');

/** Reads a JSON array, newline-delimited JSON, or an object. `records` is the object's key of the array. */
export const json = openFormat('json');

/**
 * Reads a workbook (.xlsx). `sheet` is the name of a sheet, by default the first one. `header` is the row of the header
 * (default 1), two rows to join, or `none`. A merged cell counts for all rows that it covers.
 */
export const excel = openFormat('excel');

/** Reads GeoJSON features. Their properties are columns; a point has the columns `longitude` and `latitude`. */
export const geojson = openFormat('geojson');

/**
 * Reads a data set on a Socrata portal over SODA 2.1 in pages. `columns` are the API's field names (`dba_start_date`),
 * which differ from the headers of the portal's CSV. Times are the publisher's local time (`2024-05-01T00:00:00.000`).
 * `parsePoint` reads the text of a point. `where` is SoQL that filters rows on the portal.
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
