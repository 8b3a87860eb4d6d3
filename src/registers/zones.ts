/** Which time zone and region a place is in, from its state, its ZIP codes or its points. Never a default. */

/** States and provinces: short form, name, the time zone of most of their people, and about where the middle of its people is. */
const STATES = `AL Alabama Chicago 32.8 -86.8|AK Alaska Anchorage 64.0 -152.0|AZ Arizona Phoenix 33.4 -111.9|AR Arkansas Chicago 34.9 -92.4
CA California Los_Angeles 35.5 -119.3|CO Colorado Denver 39.0 -105.5|CT Connecticut New_York 41.6 -72.7
DE Delaware New_York 39.0 -75.5|DC District of Columbia New_York 38.9 -77.0|FL Florida New_York 27.8 -81.6
GA Georgia New_York 33.4 -83.9|HI Hawaii Pacific/Honolulu 20.9 -157.0|ID Idaho Boise 44.4 -114.6|IL Illinois Chicago 41.3 -88.4
IN Indiana Indiana/Indianapolis 39.9 -86.3|IA Iowa Chicago 42.1 -93.5|KS Kansas Chicago 38.5 -98.4|KY Kentucky New_York 37.5 -85.3
LA Louisiana Chicago 31.1 -92.0|ME Maine New_York 45.4 -69.2|MD Maryland New_York 39.0 -76.8|MA Massachusetts New_York 42.3 -71.8
MI Michigan Detroit 42.9 -84.2|MN Minnesota Chicago 46.3 -94.3|MS Mississippi Chicago 32.7 -89.7|MO Missouri Chicago 38.4 -92.5
MT Montana Denver 47.0 -109.6|NE Nebraska Chicago 41.2 -97.4|NV Nevada Los_Angeles 37.1 -116.3
NH New Hampshire New_York 43.7 -71.6|NJ New Jersey New_York 40.2 -74.7|NM New Mexico Denver 34.4 -106.1
NY New York New_York 41.5 -74.6|NC North Carolina New_York 35.6 -79.4|ND North Dakota Chicago 47.5 -100.5
OH Ohio New_York 40.3 -82.8|OK Oklahoma Chicago 35.6 -97.5|OR Oregon Los_Angeles 44.7 -122.6|PA Pennsylvania New_York 40.9 -77.8
PR Puerto Rico Puerto_Rico 18.2 -66.4|RI Rhode Island New_York 41.7 -71.6|SC South Carolina New_York 33.9 -80.9
SD South Dakota Chicago 44.4 -100.2|TN Tennessee Chicago 35.9 -86.4|TX Texas Chicago 30.9 -97.4|UT Utah Denver 39.3 -111.7
VT Vermont New_York 44.1 -72.7|VA Virginia New_York 37.5 -78.9|WA Washington Los_Angeles 47.3 -121.6
WV West Virginia New_York 38.6 -80.6|WI Wisconsin Chicago 44.6 -89.9|WY Wyoming Denver 43.0 -107.6|AB Alberta Edmonton 53.0 -114.0
BC British Columbia Vancouver 50.5 -122.0|MB Manitoba Winnipeg 50.5 -98.0|NB New Brunswick Moncton 46.5 -66.4
NL Newfoundland and Labrador St_Johns 48.5 -55.0|NS Nova Scotia Halifax 45.0 -63.2|ON Ontario Toronto 44.3 -79.5
PE Prince Edward Island Halifax 46.4 -63.2|QC Quebec Toronto 46.5 -72.5|SK Saskatchewan Regina 51.5 -106.0`;

export type State = { name: string; timeZone: string; latitude: number; longitude: number };

const BY_TEXT = new Map<string, State>(
  STATES.split(/[|\n]/).flatMap((line) => {
    const [short = '', ...words] = line.split(' ');
    const [zone = '', latitude, longitude] = words.splice(-3);
    const name = words.join(' ');
    const timeZone = zone.startsWith('Pacific/') ? zone : `America/${zone}`;
    const state = { name, timeZone, latitude: Number(latitude), longitude: Number(longitude) };
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

const FARTHEST_DEGREES = 9;

/** The state whose middle is nearest to a point, which near a border may be the next one; `undefined` far from all of them. */
export function findNearestState(point: { longitude: number; latitude: number }): State | undefined {
  const far = (state: State) =>
    Math.hypot(
      state.latitude - point.latitude,
      (state.longitude - point.longitude) * Math.cos((point.latitude * Math.PI) / 180),
    );
  const nearest = [...BY_TEXT.values()].reduce((a, b) => (far(b) < far(a) ? b : a));
  return far(nearest) > FARTHEST_DEGREES ? undefined : nearest;
}
