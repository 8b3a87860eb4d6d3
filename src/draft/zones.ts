/** Which time zone and region a place is in, from its points or its state. Never a default. */

import lookUpZone from '@photostructure/tz-lookup';

/** States and provinces: short form, name, and the time zone of most of its people. */
const STATES = `AL Alabama Chicago|AK Alaska Anchorage|AZ Arizona Phoenix|AR Arkansas Chicago|CA California Los_Angeles|CO Colorado Denver
CT Connecticut New_York|DE Delaware New_York|DC District of Columbia New_York|FL Florida New_York|GA Georgia New_York
HI Hawaii Pacific/Honolulu|ID Idaho Boise|IL Illinois Chicago|IN Indiana Indiana/Indianapolis|IA Iowa Chicago|KS Kansas Chicago
KY Kentucky New_York|LA Louisiana Chicago|ME Maine New_York|MD Maryland New_York|MA Massachusetts New_York|MI Michigan Detroit
MN Minnesota Chicago|MS Mississippi Chicago|MO Missouri Chicago|MT Montana Denver|NE Nebraska Chicago|NV Nevada Los_Angeles
NH New Hampshire New_York|NJ New Jersey New_York|NM New Mexico Denver|NY New York New_York|NC North Carolina New_York
ND North Dakota Chicago|OH Ohio New_York|OK Oklahoma Chicago|OR Oregon Los_Angeles|PA Pennsylvania New_York|PR Puerto Rico Puerto_Rico
RI Rhode Island New_York|SC South Carolina New_York|SD South Dakota Chicago|TN Tennessee Chicago|TX Texas Chicago|UT Utah Denver
VT Vermont New_York|VA Virginia New_York|WA Washington Los_Angeles|WV West Virginia New_York|WI Wisconsin Chicago|WY Wyoming Denver
AB Alberta Edmonton|BC British Columbia Vancouver|MB Manitoba Winnipeg|NB New Brunswick Moncton|NL Newfoundland and Labrador St_Johns
NS Nova Scotia Halifax|ON Ontario Toronto|PE Prince Edward Island Halifax|QC Quebec Toronto|SK Saskatchewan Regina`;

type State = { name: string; timeZone: string };

const BY_TEXT = new Map<string, State>(
  STATES.split(/[|\n]/).flatMap((line) => {
    const [short = '', ...words] = line.split(' ');
    const zone = words.pop()!;
    const name = words.join(' ');
    const state = { name, timeZone: zone.startsWith('Pacific/') ? zone : `America/${zone}` };
    return [[short.toLowerCase(), state] as const, [name.toLowerCase(), state] as const];
  }),
);

/** A state or province by its name or short form; `undefined` where it is neither. */
export function findState(text: string): State | undefined {
  return BY_TEXT.get(text.trim().replace(/\.$/, '').toLowerCase());
}

/** The first three digits of ZIP codes, from and to, by state. */
const ZIPS =
  '005-005 NY|006-009 PR|010-027 MA|028-029 RI|030-038 NH|039-049 ME|050-059 VT|060-069 CT|070-089 NJ|100-149 NY|150-196 PA|197-199 DE|200-205 DC|206-219 MD|220-246 VA|247-268 WV|270-289 NC|290-299 SC|300-319 GA|320-349 FL|350-369 AL|370-385 TN|386-397 MS|398-399 GA|400-427 KY|430-459 OH|460-479 IN|480-499 MI|500-528 IA|530-549 WI|550-567 MN|570-577 SD|580-588 ND|590-599 MT|600-629 IL|630-658 MO|660-679 KS|680-693 NE|700-714 LA|716-729 AR|730-749 OK|750-799 TX|800-816 CO|820-831 WY|832-838 ID|840-847 UT|850-865 AZ|870-884 NM|885-885 TX|889-898 NV|900-961 CA|967-968 HI|970-979 OR|980-994 WA|995-999 AK'
    .split('|')
    .map((line) => [line.slice(0, 3), line.slice(4, 7), line.slice(8)] as const);

/** The first letter of Canadian postal codes, by province. */
const LETTERS = 'A NL|B NS|C PE|E NB|G QC|H QC|J QC|K ON|L ON|M ON|N ON|P ON|R MB|S SK|T AB|V BC';

/** The state of a ZIP or postal code; `undefined` where it is none. */
export function findStateOfZip(code: string): State | undefined {
  const short = /^[A-Z]\d/i.test(code)
    ? LETTERS.split('|')
        .find((line) => line[0] === code[0]!.toUpperCase())
        ?.slice(2)
    : ZIPS.find(([from, to]) => code.slice(0, 3) >= from && code.slice(0, 3) <= to)?.[2];
  return short === undefined ? undefined : findState(short);
}

/** The time zone of a point; `undefined` for no place on earth. */
export function findZoneAt(point: { longitude: number; latitude: number }): string | undefined {
  try {
    const zone = lookUpZone(point.latitude, point.longitude);
    return zone.startsWith('Etc/') ? undefined : zone;
  } catch {
    return undefined;
  }
}
