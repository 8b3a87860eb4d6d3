/** Where a mapping says that its register is, as the place and format that sources have. */

import { arcgis, ckan, csv, excel, json, type Place, type SourceFormat, socrata } from '../define.ts';
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
  if ('geojson' in from) return { format: 'geojson', place: placeOf(from.geojson) };
  if ('json' in from) return json({ ...placeOf(from.json), ...(from.records && { records: from.records }) });
  if ('excel' in from) {
    const { excel: place, sheet, header } = from;
    return {
      ...excel({ ...placeOf(place), ...(sheet && { sheet }) }),
      ...(header !== undefined && { header }),
    };
  }
  const { csv: place, delimiter, ...reading } = from;
  return { ...csv({ ...placeOf(place), ...(delimiter && { delimiter }) }), ...reading };
}
