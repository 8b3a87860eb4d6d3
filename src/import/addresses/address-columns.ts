/** Which columns of an address file hold what: as the profile says, else by the names that publishers commonly give them. */

import type { AddressFileColumns } from '../../city/define.ts';
import { ShingleError } from '../../errors.ts';
import { formatFoundName } from '../readers/row.ts';

/** Names of columns; a street may be in several, which are joined in this order. */
export type AddressColumns = {
  /** Missing where each record has a geometry. */
  longitude: string | undefined;
  latitude: string | undefined;
  /** Holds both coordinates as text. */
  point: string | undefined;
  /** Either the number and the street, or the whole address. */
  number: string | undefined;
  street: readonly string[];
  address: string | undefined;
  zip: string | undefined;
  town: string | undefined;
};

/** Without spaces, punctuation and capitals: OpenAddresses, NENA's standard, the Census and what cities write. */
const USUAL = {
  longitude: 'lon longitude long lng x pointx xcoord xcoordinate gpsx',
  latitude: 'lat latitude y pointy ycoord ycoordinate gpsy',
  point: 'point geom thegeom geometry wkt shape location geolocation',
  number:
    'number housenumber houseno housenum addrnum addrnumber addressnumber addressnum addnumber streetnumber streetno stnum stno strnum addrno hnum civicnumber civicno bldgnum sitenumber',
  whole: 'fullname fullstreet fullstreetname streetfull stfullname fullstname streetfullname street road',
  before:
    'predir stpredir prefixdir predirection streetpredirection streetdirection stdir direction fdpre dirpre stpred pretype stpretyp',
  name: 'streetname stname strname stnam name roadname rdname',
  suffix:
    'streettype suffix sttype stpostyp stposttyp posttype postype streetsuffix stsuffix streettypesuffix fttype',
  after: 'postdir stposdir stpostdir sufdir suffixdir postdirection streetpostdirection sttdir fdsuf',
  address:
    'address fulladdress fulladdr addrfull addressfull siteaddress streetaddress addressline1 addr siteaddr',
  zip: 'postcode zip zipcode zip5 postalcode postal zippostal',
  town: 'city town municipality postcity postalcity community postcomm incmuni postalcommunity zipname place',
} as const;

/** The columns of a file with these headers. Throws `source`, naming what is missing and what is there. */
export function findAddressColumns(
  headers: readonly string[],
  said: AddressFileColumns,
  hasGeometry: boolean,
): AddressColumns {
  const folded = new Map(headers.map((header) => [foldHeader(header), header]));
  const findUsual = (what: keyof typeof USUAL) =>
    USUAL[what].split(' ').flatMap((name) => folded.get(name) ?? [])[0];
  for (const column of Object.values(said).flat())
    if (!headers.includes(column)) throw missingColumn(`the column "${column}"`, headers);
  const columns: AddressColumns = {
    longitude: said.longitude ?? findUsual('longitude'),
    latitude: said.latitude ?? findUsual('latitude'),
    point: said.longitude === undefined ? findUsual('point') : undefined,
    number: said.number ?? findUsual('number'),
    street: said.street === undefined ? findStreet(findUsual) : [said.street].flat(),
    address: said.address ?? findUsual('address'),
    zip: said.zip ?? findUsual('zip'),
    town: said.town ?? findUsual('town'),
  };
  const hasCoordinates = columns.longitude !== undefined && columns.latitude !== undefined;
  if (!hasGeometry && !hasCoordinates && columns.point === undefined)
    throw missingColumn('a column of longitudes and one of latitudes', headers);
  if ((columns.number === undefined || columns.street.length === 0) && columns.address === undefined)
    throw missingColumn('a column of house numbers and one of streets', headers);
  return columns;
}

/** The whole street in one column, else its parts in the order in which they are said. */
function findStreet(findUsual: (what: keyof typeof USUAL) => string | undefined): string[] {
  const parts = (['before', 'name', 'suffix', 'after'] as const).map(findUsual);
  const whole = findUsual('whole');
  if (whole !== undefined) return [whole];
  return parts[1] === undefined ? [] : parts.filter((column) => column !== undefined);
}

function foldHeader(header: string): string {
  return header.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function missingColumn(what: string, headers: readonly string[]): ShingleError {
  const found = headers.slice(0, 20).map((header) => `"${formatFoundName(header)}"`);
  return new ShingleError(
    'source',
    `there is no ${what.replace(/^(a|the) /, '')}. The columns are ${found.join(', ') || 'none'}. Name them with columns: { ... }`,
  );
}
