/** Where a mapping says that its register is, as the place and format that sources have. */

import {
  arcgis,
  ckan,
  csv,
  excel,
  geojson,
  json,
  type Place,
  type SourceFormat,
  socrata,
} from '../define.ts';
import type { MappedFormat } from './mapping.ts';

/** A path or a URL; nothing where it is empty: then the file is given with `--from`. */
export function placeOf(text: string): Place | undefined {
  if (text === '') return undefined;
  return /^https?:\/\//i.test(text) ? { url: text } : { file: text };
}

export function formatOf(from: MappedFormat): SourceFormat {
  if ('socrata' in from) return socrata(from.socrata);
  if ('ckan' in from) return ckan(from.ckan);
  if ('arcgis' in from) return arcgis({ url: from.arcgis, ...(from.where && { where: from.where }) });
  if ('geojson' in from) return geojson(placeOf(from.geojson));
  if ('json' in from) return json({ ...placeOf(from.json), ...(from.records && { records: from.records }) });
  if ('excel' in from) {
    const { excel: place, ...reading } = from;
    return excel({ ...placeOf(place), ...reading });
  }
  const { csv: place, ...reading } = from;
  return csv({ ...placeOf(place), ...reading });
}
