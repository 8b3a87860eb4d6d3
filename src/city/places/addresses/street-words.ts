/**
 * The words that US addresses are made of, after USPS Publication 28: directions, street suffixes (appendix C1), units
 * (appendix C2), ordinals and the names of highways. Every spelling leads to the standard abbreviation.
 */

/** Each line: the standard abbreviation, then the other spellings in use. */
function spellings(lines: string): ReadonlyMap<string, string> {
  return new Map(
    lines
      .trim()
      .split('\n')
      .flatMap((line) =>
        line
          .trim()
          .split(' ')
          .map((word, _, words) => [word, words[0]!] as const),
      ),
  );
}

export const DIRECTIONS = spellings(`
  N NORTH NO
  S SOUTH SO
  E EAST
  W WEST
  NE NORTHEAST
  NW NORTHWEST
  SE SOUTHEAST
  SW SOUTHWEST
`);

export const SUFFIXES = spellings(`
  ALY ALLEE ALLEY ALLY
  ANX ANEX ANNEX ANNX
  ARC ARCADE
  AVE AV AVEN AVENU AVENUE AVN AVNUE
  BYU BAYOO BAYOU
  BCH BEACH
  BND BEND
  BLF BLUF BLUFF
  BLFS BLUFFS
  BTM BOT BOTTM BOTTOM
  BLVD BL BLV BOUL BOULEVARD BOULV BVD
  BR BRNCH BRANCH
  BRG BRDGE BRIDGE
  BRK BROOK
  BRKS BROOKS
  BG BURG
  BGS BURGS
  BYP BYPA BYPAS BYPASS BYPS
  CP CAMP CMP
  CYN CANYN CANYON CNYN
  CPE CAPE
  CSWY CAUSEWAY CAUSWA
  CTR CEN CENT CENTER CENTR CENTRE CNTER CNTR
  CTRS CENTERS
  CIR CI CIRC CIRCL CIRCLE CRCL CRCLE
  CIRS CIRCLES
  CLF CLIFF
  CLFS CLIFFS
  CLB CLUB
  CMN COMMON
  CMNS COMMONS
  COR CORNER
  CORS CORNERS
  CRSE COURSE
  CT COURT CRT
  CTS COURTS
  CV COVE
  CVS COVES
  CRK CREEK
  CRES CRESCENT CRSENT CRSNT
  CRST CREST
  XING CROSSING CRSSNG
  XRD CROSSROAD
  XRDS CROSSROADS
  CURV CURVE
  DL DALE
  DM DAM
  DV DIV DIVIDE DVD
  DR DRIV DRIVE DRV
  DRS DRIVES
  EST ESTATE
  ESTS ESTATES
  EXPY EXP EXPR EXPRESS EXPRESSWAY EXPW
  EXT EXTENSION EXTN EXTNSN
  EXTS EXTENSIONS
  FALL
  FLS FALLS
  FRY FERRY FRRY
  FLD FIELD
  FLDS FIELDS
  FLT FLAT
  FLTS FLATS
  FRD FORD
  FRDS FORDS
  FRST FOREST FORESTS
  FRG FORG FORGE
  FRGS FORGES
  FRK FORK
  FRKS FORKS
  FT FORT FRT
  FWY FREEWAY FREEWY FRWAY FRWY
  GDN GARDEN GARDN GRDEN GRDN
  GDNS GARDENS GRDNS
  GTWY GATEWAY GATEWY GATWAY GTWAY
  GLN GLEN
  GLNS GLENS
  GRN GREEN
  GRNS GREENS
  GRV GROV GROVE
  GRVS GROVES
  HBR HARB HARBOR HARBOUR HARBR HRBOR
  HBRS HARBORS
  HVN HAVEN
  HTS HEIGHTS HT
  HWY HIGHWAY HIGHWY HIWAY HIWY HWAY
  HL HILL
  HLS HILLS
  HOLW HLLW HOLLOW HOLLOWS HOLWS
  INLT INLET
  IS ISLAND ISLND
  ISS ISLANDS ISLNDS
  ISLE ISLES
  JCT JCTION JCTN JUNCTION JUNCTN JUNCTON
  JCTS JCTNS JUNCTIONS
  KY KEY
  KYS KEYS
  KNL KNOL KNOLL
  KNLS KNOLLS
  LK LAKE
  LKS LAKES
  LAND
  LNDG LANDING LNDNG
  LN LANE
  LGT LIGHT
  LGTS LIGHTS
  LF LOAF
  LCK LOCK
  LCKS LOCKS
  LDG LDGE LODG LODGE
  LOOP LOOPS LP
  MALL
  MNR MANOR
  MNRS MANORS
  MDW MEADOW
  MDWS MEADOWS MEDOWS
  MEWS
  ML MILL
  MLS MILLS
  MSN MISSION MISSN MSSN
  MTWY MOTORWAY
  MT MNT MOUNT
  MTN MNTAIN MNTN MOUNTAIN MOUNTIN MTIN
  MTNS MNTNS MOUNTAINS
  NCK NECK
  ORCH ORCHARD ORCHRD
  OVAL OVL
  OPAS OVERPASS
  PARK PRK PK
  PARKS
  PKWY PARKWAY PARKWY PKWAY PKY PARKWAYS PKWYS
  PASS
  PSGE PASSAGE
  PATH PATHS
  PIKE PIKES
  PNE PINE
  PNES PINES
  PL PLACE
  PLN PLAIN
  PLNS PLAINS
  PLZ PLAZA PLZA
  PT POINT
  PTS POINTS
  PRT PORT
  PRTS PORTS
  PR PRAIRIE PRR
  PROM PROMENADE
  RADL RAD RADIAL RADIEL
  RAMP
  RNCH RANCH RANCHES RNCHS
  RPD RAPID
  RPDS RAPIDS
  RST REST
  RDG RDGE RIDGE
  RDGS RIDGES
  RIV RIVER RVR RIVR
  RD ROAD
  RDS ROADS
  RTE ROUTE
  ROW
  RUE
  RUN
  SHL SHOAL
  SHLS SHOALS
  SHR SHOAR SHORE
  SHRS SHOARS SHORES
  SKWY SKYWAY
  SPG SPNG SPRING SPRNG
  SPGS SPNGS SPRINGS SPRNGS
  SPUR SPURS
  SQ SQR SQRE SQU SQUARE
  SQS SQRS SQUARES
  STA STATION STATN STN
  STRA STRAV STRAVEN STRAVENUE STRAVN STRVN STRVNUE
  STRM STREAM STREME
  ST STREET STRT STR
  STS STREETS
  SMT SUMIT SUMITT SUMMIT
  TER TERR TERRACE
  TRWY THROUGHWAY
  TRCE TRACE TRACES
  TRAK TRACK TRACKS TRK TRKS
  TRFY TRAFFICWAY
  TRL TRAIL TRAILS TRLS TR
  TUNL TUNEL TUNLS TUNNEL TUNNELS TUNNL
  TPKE TRNPK TURNPIKE TURNPK
  UPAS UNDERPASS
  UN UNION
  UNS UNIONS
  VLY VALLEY VALLY VLLY
  VLYS VALLEYS
  VIA VDCT VIADCT VIADUCT
  VW VIEW
  VWS VIEWS
  VLG VILL VILLAG VILLAGE VILLG VILLIAGE
  VLGS VILLAGES
  VL VILLE
  VIS VIST VISTA VST VSTA
  WALK WALKS WK
  WALL
  WAY WY
  WAYS
  WL WELL
  WLS WELLS
`);

/** Words that begin a unit wherever they stand behind a street. */
export const UNITS = new Set(
  '# STE SUITE UNIT APT APARTMENT RM ROOM FL FLR FLOOR BLDG BUILDING TRLR TRAILER PMB DEPT DEPARTMENT HNGR HANGAR OFC OFFICE PH PENTHOUSE BSMT BASEMENT FRNT LBBY LOBBY LOWR REAR UPPR SPC MEZZ BOOTH KIOSK STALL CART SUIT POB'.split(
    ' ',
  ),
);

/** Words that begin a unit only where a number or a letter follows, because streets are named so, too. */
export const UNITS_BEFORE_NUMBERS = new Set(
  'LOT SPACE SLIP STOP SIDE FRONT UPPER LOWER BOX NO NUM KEY PIER'.split(' '),
);

const UNITS_OF_TEN = 'FIRST SECOND THIRD FOURTH FIFTH SIXTH SEVENTH EIGHTH NINTH'.split(' ');
const TEENS =
  'TENTH ELEVENTH TWELFTH THIRTEENTH FOURTEENTH FIFTEENTH SIXTEENTH SEVENTEENTH EIGHTEENTH NINETEENTH'.split(
    ' ',
  );
const TENS = 'TWENT THIRT FORT FIFT SIXT SEVENT EIGHT NINET'.split(' ');

/** `FIRST` -> `1`, `TWENTYFIRST` -> `21`, up to `NINETYNINTH`. */
export const ORDINALS: ReadonlyMap<string, string> = new Map([
  ...UNITS_OF_TEN.map((word, i) => [word, `${i + 1}`] as const),
  ...TEENS.map((word, i) => [word, `${i + 10}`] as const),
  ...TENS.flatMap((ten, i) => [
    [`${ten}IETH`, `${(i + 2) * 10}`] as const,
    ...UNITS_OF_TEN.map((word, unit) => [`${ten}Y${word}`, `${(i + 2) * 10 + unit + 1}`] as const),
  ]),
]);

/** House numbers that are written out. */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  'ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN'.split(' ').map((word, i) => [word, i + 1]),
);

/** Parts of names that are written in more than one way and are no suffixes. */
export const NAME_WORDS: ReadonlyMap<string, string> = new Map([
  ['SAINT', 'ST'],
  ['SAINTE', 'STE'],
  ['AND', '&'],
  ['JUNIOR', 'JR'],
  ['DOCTOR', 'DR'],
]);

/** Whole names in other words, without spaces. */
export const NAME_ALIASES: ReadonlyMap<string, string> = new Map([
  ...[
    'MARTINLUTHERKINGJR',
    'MARTINLUTHERKING',
    'MARTINLKING',
    'MARTINLKINGJR',
    'MLKING',
    'MLKINGJR',
    'MLKJR',
  ].flatMap((name) => [[name, 'MLK'] as const, [`DR${name}`, 'MLK'] as const]),
  ['PCH', 'PACIFICCOASTHWY'],
]);

/** The system of a numbered road, by the words before its number. */
export const ROAD_SYSTEMS: ReadonlyMap<string, string> = new Map([
  ...['US', 'USHWY', 'USROUTE', 'USRTE', 'UNITEDSTATESHWY', 'FEDERALHWY'].map(
    (words) => [words, 'US'] as const,
  ),
  ...['SR', 'SH', 'STRTE', 'STHWY', 'STRD', 'STATERTE', 'STATEHWY', 'STATERD'].map(
    (words) => [words, 'STATE'] as const,
  ),
  ...['CR', 'CH', 'CORD', 'COHWY', 'CORTE', 'COUNTYRD', 'COUNTYHWY', 'COUNTYRTE', 'CNTYRD', 'CNTYHWY'].map(
    (words) => [words, 'COUNTY'] as const,
  ),
  ...['I', 'IH', 'INTERSTATE', 'INTERSTATEHWY'].map((words) => [words, 'INTERSTATE'] as const),
  ...['FM', 'RM', 'FARMTOMARKET', 'FARMTOMARKETRD', 'RANCHRD', 'FMRD'].map((words) => [words, 'FM'] as const),
  ...['NFS', 'NFSRD', 'NF', 'NFRD', 'FS', 'FSRD', 'FORESTRD', 'USFSRD', 'FORESTSERVICERD'].map(
    (words) => [words, 'FOREST'] as const,
  ),
  ...['TWP', 'TWPRD', 'TOWNSHIPRD'].map((words) => [words, 'TOWNSHIP'] as const),
  ...['HWY', 'RTE', 'RT', 'RD'].map((words) => [words, ''] as const),
]);
