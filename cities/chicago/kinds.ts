/** What Chicago's LICENSE DESCRIPTION and BUSINESS ACTIVITY mean: every description of the 2002 to 2020 sample, as written. */

import type { Category } from 'shingle/city';

/** Descriptions that mean one kind and no other. */
export const EXACT = table({
  'Bars & Nightlife': ['Tavern', 'Music and Dance', 'Riverwalk Venue Liquor License'],
  'Food Trucks & Catering': [
    'Mobile Food Dispenser',
    'Mobile Food License',
    'Mobile Frozen Desserts Dispenser - Non-Motorized',
    'Shared Kitchen User',
    "Caterer's Liquor License",
    "Caterer's Registration (Liquor)",
    'Food - Shared Kitchen - Supplemental',
  ],
  'Grocery & Convenience': ['Produce Merchant'],
  'Specialty Retail': [
    'Pop-Up Retail User',
    'Secondhand Dealer',
    'Secondhand Dealer (No Valuable Objects)',
    "Secondhand Dealer - Children's Products",
    'Weapons Dealer',
    'Navy Pier - Outdoor Fixed',
    'Navy Pier Vendor (Non-Food)',
  ],
  'Auto Repair': [
    'Motor Vehicle Repair : Engine Only (Class II)',
    'Motor Vehicle Repair: Engine/Body(Class III)',
    'Motor Vehicle Repair; Specialty(Class I)',
  ],
  'Auto Sales & Parts': [
    'Tire Facilty Class I (100 - 1,000 Tires)',
    'Tire Facility Class II (1,001 - 5,000 Tires)',
    'Tire Facility Class III (5,001 - More Tires)',
  ],
  'Gas Stations': ['Filling Station'],
  'Transportation & Delivery': [
    'Affiliation',
    'Bicycle Messenger Service',
    'Commercial Garage',
    'Accessory Garage',
    'Commercial Passenger Vessel',
    'Heliports',
    'Taxicab Two-Way Dispatch Service License',
    'Transportation Network Provider',
  ],
  'Beauty & Hair': ['Body Piercing'],
  'Spas & Massage': ['Massage Establishment'],
  Medical: ['Hospital', 'Laboratories'],
  'Senior & Social Care': ['Long-Term Care Facility'],
  Childcare: [
    'Day Care Center 2 - 6 Years',
    'Day Care Center Under 2 Years',
    'Day Care Center Under 2 and 2 - 6 Years',
    "Children's Services Facility License",
    'Night Care Privilege',
  ],
  'Fitness & Recreation': ["Children's Activities Facilities"],
  'Pets & Veterinary': [
    'Animal Care Facility',
    'Animal Care License',
    'Grooming Facility',
    'Humane Society',
    'Kennels and Catteries',
    'Pet Shop',
    'Veterinary Hospital',
  ],
  'Laundry & Tailoring': ['Laundry, Late Hour'],
  'Real Estate': ['Residential Real Estate Developer'],
  'Banking & Finance': ['Pawnbroker'],
  'Business Services': ['Day Labor Agency', 'Repossessor Class A', 'Repossessor Class B'],
  Technology: ['Electronic Equipment Repair', 'Retail Computing Center'],
  'Construction & Trades': ['Board-Up Work', 'Home Repair'],
  'Home Services': ['Scavenger, Private'],
  'Hotels & Lodging': [
    'Bed-And-Breakfast Establishment',
    'Hotel',
    'Single Room Occupancy Class I',
    'Single Room Occupancy Class II',
  ],
  'Arts & Entertainment': ['Performing Arts Venue', 'Animal Exhibition'],
  'Nonprofits & Community': ['Not-For-Profit Club'],
  Manufacturing: ['Manufacturing Establishments'],
  Wholesale: ['Tobacco Dealer Wholesale', 'Wholesale Food Establishment'],
});

/** Descriptions to be believed only where activity and name say nothing closer. */
export const BROAD = table({
  Restaurants: ['Retail Food Establishment', 'Consumption on Premises - Incidental Activity'],
  'Liquor & Tobacco': ['Package Goods', 'Tobacco'],
  'Auto Repair': ['Motor Vehicle Services License'],
});

/** Descriptions that say nothing of a kind, among them licences beside another one: activity and name decide. */
export const SILENT = new Set([
  'Broker',
  'Automatic Amusement Device Operator',
  'Emerging Business',
  'Explosives',
  'Hazardous Materials',
  'Home Occupation',
  'Late Hour',
  'License Manager',
  'Limited Business License',
  'Outdoor Patio',
  'Public Place of Amusement',
  'Regulated Business License',
  'Retail Food Est.-Supplemental License for Dog-Friendly Areas',
  'Wrigley Field',
]);

/** No shop opens with these: persons' permits, street trade, occasions, machines. Each with the reason shown. */
export const NO_SHOP: ReadonlyMap<string, string> = new Map([
  ['Junk Peddler', 'peddler'],
  ['Peddler License', 'peddler'],
  ['Peddler, non-food', 'peddler'],
  ['Peddler, non-food, special', 'peddler'],
  ['Peddler, food (fruits and vegtables only)', 'peddler'],
  ['Peddler,food - (fruits and vegetables only) - special', 'peddler'],
  ['Street Performer', 'street performer'],
  ['Itinerant Merchant, Class I', 'itinerant merchant'],
  ['Itinerant Merchant, Class II', 'itinerant merchant'],
  ['Special Event Food', 'special event'],
  ['Special Event Liquor', 'special event'],
  ['Indoor Special Event', 'special event'],
  ['Raffles', 'raffle'],
  ['Valet Parking Operator', 'valet parking'],
  ['Shared Housing Unit Operator', 'shared housing'],
  ['Pharmaceutical Representative', "person's permit"],
  ['Massage Therapist', "person's permit"],
  ['Expediter - Class A', "person's permit"],
  ['Expediter - Class B', "person's permit"],
  ['Expediter - Class B Employee', "person's permit"],
  ['Repossessor Class B Employee', "person's permit"],
  ['Explosives, Certificate of Fitness', "person's permit"],
  ['Tobacco Vending, Individual', 'vending machine'],
]);

/** Words of BUSINESS ACTIVITY, first match speaks; what they leave is read as a name is. */
const ACTIVITIES: [RegExp, Category][] = [
  [/coffee|donut|bakery|juice/i, 'Cafes & Bakeries'],
  [/tavern/i, 'Bars & Nightlife'],
  [/catering/i, 'Food Trucks & Catering'],
  [/food prepared onsite|preparation of food|dining/i, 'Restaurants'],
  [/dry cleaning|laundr|alterations|shoe \/ leather/i, 'Laundry & Tailoring'],
  [/animal|veterinary|dog walking|pet sitting/i, 'Pets & Veterinary'],
  [/hair|nail services|skincare|waxing|tattoo|piercing/i, 'Beauty & Hair'],
  [/massage|tanning/i, 'Spas & Massage'],
  [/fitness|yoga|health club|combat/i, 'Fitness & Recreation'],
  [/tax preparation|accounting|bookkeeping/i, 'Accounting & Tax'],
  [/motor vehicle repair/i, 'Auto Repair'],
  [/motorized vehicles|vehicle parts|tires/i, 'Auto Sales & Parts'],
  [/heating, ventilation|home repair/i, 'Construction & Trades'],
  [/janitorial|residential cleaning|carpet cleaning/i, 'Cleaning'],
  [/parking|messenger|taxi/i, 'Transportation & Delivery'],
  [/debt collecting|financial services|payment center|money transmi/i, 'Banking & Finance'],
  [/immigration|legal/i, 'Legal'],
  [/insurance/i, 'Insurance'],
  [/real estate/i, 'Real Estate'],
  [/children/i, 'Childcare'],
  [/home health|long term care|assisted living/i, 'Senior & Social Care'],
  [/medical|dental/i, 'Medical'],
  [/graphic design|advertising|marketing/i, 'Marketing & Design'],
  [/computer|software|web/i, 'Technology'],
  [/photograph|theatrical|cultural performance/i, 'Arts & Entertainment'],
  [/travel|trade show|party/i, 'Travel & Events'],
  [/staffing|shipping|printing|license, certificate or permit/i, 'Business Services'],
  [/tutoring|instruction in/i, 'Education & Training'],
  [/consulting/i, 'Consulting'],
  [/clothing|jewelry/i, 'Clothing & Jewelry'],
  [/furniture|flowers/i, 'Home & Garden Stores'],
  [/pharmacy/i, 'Health & Beauty Stores'],
  [/online sales/i, 'Online & Direct Sales'],
  [/wholesale/i, 'Wholesale'],
  [/manufacturing/i, 'Manufacturing'],
  [/cell phones|used (?:valuable|goods)/i, 'Specialty Retail'],
];

/** The kind that a BUSINESS ACTIVITY means; several may stand in one field, parted by ` | `. */
export function kindOfActivity(activity: string): Category | undefined {
  return ACTIVITIES.find(([words]) => words.test(activity))?.[1];
}

function table(kinds: Partial<Record<Category, string[]>>): ReadonlyMap<string, Category> {
  return new Map(
    Object.entries(kinds).flatMap(([category, descriptions]) =>
      descriptions.map((description): [string, Category] => [description, category as Category]),
    ),
  );
}
