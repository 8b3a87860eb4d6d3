/** The schema of `from` in `city.yaml`: the place and format of a register. */

import { type Static, Type } from 'typebox';
import { FORMATS } from '../define.ts';
import { HEADER, type Options, recordOf, TEXT_READING, text, textOf } from '../schema/fields.ts';

const optional = Type.Optional;

const PLACE_HELP = 'A file or folder beside `city.yaml`, or a URL. Empty: you give it with `--from`.';
const place = (format: string) =>
  Type.String({ wanted: 'a path or a URL', description: `${format}. ${PLACE_HELP}` });
const ENTRY = {
  entry: optional(
    text('the name of a file', {
      description:
        'The file to read in a zip archive with several. `{YYYYMMDD}` in its name stands for a day: the newest is read.',
    }),
  ),
};
const WHERE = optional(
  text('a filter', { description: 'Filters rows at the portal, in its own query language.' }),
);
const HOST = textOf('host', 'a host such as data.example.org', { description: 'The host of the portal.' });

/** A format with its options. The place is a path (relative to `city.yaml`), a URL, or `''` if `--from` gives it. */
export const FROM = Type.Union(
  [
    Type.Object({ csv: place('Comma-separated text'), ...TEXT_READING, ...ENTRY }),
    Type.Object({
      json: place('JSON, or a JSON record on each line'),
      records: optional(text('a key', { description: 'The key of the list in the file.' })),
      ...ENTRY,
    }),
    Type.Object({
      excel: place('A workbook (.xlsx)'),
      sheet: optional(text('the name of a sheet', { description: 'Its sheet.', default: 'the first' })),
      header: optional(HEADER),
      ...ENTRY,
    }),
    Type.Object({
      geojson: place('GeoJSON: properties are columns, a point is `longitude` and `latitude`'),
      ...ENTRY,
    }),
    Type.Object({
      socrata: Type.Object(
        {
          host: HOST,
          dataset: text('the id of a data set', { description: 'Its id, such as `g8m3-pdis`.' }),
          where: WHERE,
        },
        { description: 'A data set on a Socrata portal. Columns are the field names of its API.' },
      ),
    }),
    Type.Object({
      arcgis: textOf('web-address', 'the URL of a layer', {
        description: 'A layer of a FeatureServer or MapServer.',
      }),
      where: WHERE,
    }),
    Type.Object({
      ckan: Type.Object(
        {
          host: HOST,
          resource: text('the id of a resource', { description: 'The id of the resource.' }),
          filters: optional(recordOf(text(), { description: 'Exact values of columns.' })),
        },
        { description: 'A resource of a CKAN portal’s DataStore.' },
      ),
    }),
  ],
  {
    oneKeyOf: FORMATS,
    wanted: `exactly one of ${FORMATS.join(', ')}`,
    description: 'Where the register is, and its format: exactly one of the formats below.',
    examples: ['{ csv: filings }'],
  } as Options,
);

export type MappedFormat = Static<typeof FROM>;
