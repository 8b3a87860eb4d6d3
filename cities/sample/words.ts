/** The words the sample city's businesses are named with. All of it is made up; no name means anybody. */

/** A kind of business: NAICS, how common it is, and the shapes of its names ({place}, {word}, {family}, {first}). */
export type Kind = { naics: string; weight: number; names: readonly string[] };

export const KINDS: readonly Kind[] = [
  kind(
    '722511',
    9,
    "{word} Kitchen | {place} Grill | {first}'s Diner | Taqueria {spanish} | {word} & {word} Noodle House | Trattoria {family} | {place} Fish House | Phở {word} | The {adjective} {animal} Restaurant",
  ),
  kind(
    '722515',
    5,
    "{place} Coffee | {adjective} {animal} Coffee Roasters | Café {spanish} | {first}'s Bakery | {word} Tea House | Brød & {word} Bakery",
  ),
  kind('722410', 2, 'The {adjective} {animal} Tavern | {place} Taproom | {family} & Sons Brewery'),
  kind('722330', 2, '{word} Food Truck | {first} Catering LLC | {spanish} Taco Truck'),
  kind(
    '445110',
    4,
    '{place} Market | {family} Grocery | Mercado {spanish} | K-{digit} Mini Mart | S-R-V Foods',
  ),
  kind('445320', 1, '{place} Wine & Spirits | {word} Liquor'),
  kind(
    '811111',
    5,
    '{family} Auto Repair | {place} Tire & Brake | {first} & {first} Auto Body | {direction} Side Garage',
  ),
  kind('441120', 2, '{place} Auto Sales | {family} Used Cars Inc'),
  kind(
    '812112',
    8,
    "{word} Hair Studio | Salon {spanish} | {first}'s Barber Shop | {adjective} Nails | {place} Beauty Salon | Braids by {first}",
  ),
  kind('812199', 3, '{word} Massage & Spa | {place} Day Spa | {adjective} {word} Bodywork Massage'),
  kind('713940', 3, '{place} Yoga | {word} Fitness | {animal} Boxing Gym | {family} Martial Arts'),
  kind('621111', 3, '{place} Family Medicine | {word} Pediatrics | {direction} Shore Clinic'),
  kind('621210', 2, '{place} Dental | {word} Orthodontics'),
  kind('621330', 2, '{word} Counseling | {place} Psychotherapy PLLC'),
  kind('541110', 3, 'Law Office of {family} & {family} | {family} {family} Legal LLP'),
  kind('541213', 2, '{family} Tax Service | {place} Bookkeeping'),
  kind('531210', 4, '{place} Realty | {family} Homes Real Estate LLC | {word} Property Management'),
  kind('524210', 1, '{family} Insurance Agency | {place} Insurance'),
  kind(
    '238220',
    6,
    '{family} Plumbing | {word} A/C & Heating | {family} Electric LLC | {place} Roofing | {adjective} {word} Construction Inc',
  ),
  kind(
    '561720',
    5,
    '{adjective} Cleaning Service | {first} & {first} Janitorial | {word} House Cleaning LLC',
  ),
  kind('561730', 4, '{family} Landscaping | {word} Lawn & Tree | Jardinería {spanish}'),
  kind('561790', 3, '{first} the Handyman | {family} Handyman Service | {word} Appliance Repair'),
  kind('448110', 3, '{word} Boutique | {adjective} Thread Clothing | {family} Jewelers'),
  kind('459420', 4, '{word} Gifts | {animal} & {word} Books | {place} Thrift Shop | {adjective} Toy Store'),
  kind('444230', 2, '{place} Hardware | {word} Garden Center | {family} Furniture'),
  kind('454110', 4, '{word} Online Store | {animal} & {word} Vintage'),
  kind('541511', 4, '{word} Software LLC | {place} Web Design | {word} Data Labs Inc'),
  kind('541611', 5, '{family} Consulting | {word} Advisors LLC | {direction} Star Consulting Group'),
  kind('541810', 3, '{word} Marketing | {adjective} {animal} Design Studio | {place} Sign Shop'),
  kind('541921', 3, '{first} Photography | {word} Film & Photo | {place} Art Gallery'),
  kind('611610', 3, '{place} Music School | {word} Tutoring | {animal} Driving School'),
  kind('624410', 3, "{adjective} {animal} Daycare | {place} Preschool | {first}'s Family Child Care"),
  kind('812910', 3, '{animal} Pet Grooming | {place} Dog Walking | {word} Veterinary Hospital'),
  kind('721110', 1, '{place} Inn | The {adjective} {animal} Bed & Breakfast'),
  kind('484110', 4, '{family} Trucking LLC | {word} Courier | {direction} River Movers | {place} Taxi'),
  kind('332710', 2, '{family} Machine Works | {place} Cabinet Manufacturing | {word} Candle Co'),
  kind('423990', 1, '{word} Wholesale Supply | {family} Imports'),
  kind('813410', 1, 'Friends of {place} | {word} Community Association'),
  kind('812320', 2, '{place} Laundromat | {word} Dry Cleaners | {first} Tailoring & Alterations'),
];

/** What stands where a kind of business should: nothing, or what no code means. */
export const JUNK_KINDS = ['', '', '', '', '', '', '0', '999999', 'N/A', '000000'];

export const PLACES = list(
  'Otterfall | Millrace | Ferry Street | Lantern Hill | Cooper Wharf | Northbank | Tannery Row',
  'Gull Island | Weirside | Old Mint | Willow Lock | Harrow Lane | Sluice Gate | Quarry Road',
  'Kestrel Heights | Signal Point | Basin Street | Ropewalk',
);

export const WORDS = list(
  'Juniper | Copper | Saffron | Lotus | Harvest | Ember | Cedar | Marigold | Tide | Anchor',
  'Meadow | Granite | Velvet | Sunrise | Bamboo | Orchard | Compass | Lilac | Driftwood | Pepper',
  'Northwind | Acorn | Jade | Clover | Hearth | Mosaic | Indigo | Thistle | Beacon | Poppy',
  'Walnut | Crescent | Sparrow | Basil | Cobalt | Aurora | Bluebell | Cascade | Olive | Raven',
);

export const ADJECTIVES = list(
  'Blue | Golden | Quiet | Lucky | Bright | Crooked | Merry | Silver | Honest | Tiny | Rusty',
  'Sunny | Painted | Clever | Gentle | Purple',
);

export const ANIMALS = list(
  'Heron | Otter | Fox | Pelican | Badger | Kingfisher | Hare | Turtle | Magpie | Salmon | Moth',
  'Goat | Owl | Beaver | Swallow | Crane',
);

export const SPANISH = list(
  'La Lucerna | El Molino | Tres Puentes | La Piñata | Río Claro | Doña Tila | El Jilguero',
  'Corazón',
);

export const FAMILIES = list(
  'Vandermoor | Okonta | Tressel | Quillon | Abernock | Delacourtis | Nguyal | Brannick | Sokolar',
  "Haldane-Pruitt | O'Farrelly | McAlloway | Yamashiro-Lund | Castellara | Petrenkov | Wexmore",
  'Oduyala | Lindqvall | Tamarova | Feathergill | Baptistine | Corvello | Ashgrave | Muntrose',
);

export const FIRSTS = list(
  'Marisol | Odette | Bram | Keiko | Tobias | Amara | Ravi | Lucinda | Ivo | Thuy | Desmond',
  'Greta | Paloma | Anders | Noor | Felix | Yusuf | Hattie',
);

export const DIRECTIONS = list('North | East | South | West');

export const STREETS = list(
  'Ferry St | Mill Race Rd | Lantern Hill Ave | Wharf Way | Tannery Row | Basin St | Quarry Rd',
  'Signal Ln | Harrow Ln | Mint Sq | Lock Cir | Kestrel Dr',
);

function kind(naics: string, weight: number, names: string): Kind {
  return { naics, weight, names: list(names) };
}

function list(...lines: string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' | '));
}
