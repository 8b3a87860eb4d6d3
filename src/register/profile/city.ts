/** Exports the public API for city profiles as `shingle/city`. Profiles must not import anything else. */

export { CATEGORIES, type Category, naicsCategory } from '../../shared/city/categories.ts';
export { MAIL_PROVIDERS } from '../../shared/city/mail-providers.ts';
export type { Day } from '../../shared/day.ts';
export { addDays } from '../../shared/day.ts';
export type { Status } from '../../shared/listing.ts';
export { STATUSES, UNCATEGORIZED, UNKNOWN_NEIGHBORHOOD } from '../../shared/listing.ts';
export { type KindClues, kindOf } from './categories/kind.ts';
export { kindOfType } from './categories/kind-of-type.ts';
export {
  type At,
  type City,
  defineCity,
  opening,
  PERSONAL_NAME,
  type Row,
  reject,
  type Source,
  skip,
  source,
  update,
  type Verdict,
} from './define.ts';
export { arcgis, ckan, csv, excel, geojson, json, socrata } from './formats.ts';
export { keyOf } from './key-of.ts';
export { type DayFormat, type DayOptions, dayAt, parseDay } from './parse-day.ts';
export { isOwnersName, namesOnlyOwner } from './people/owners.ts';
export { looksPersonal, type PersonOptions } from './people/personal-names.ts';
export { tidyName } from './people/tidy-name.ts';
export { isInTown, parsePoint, zipArea } from './places/place-text.ts';
