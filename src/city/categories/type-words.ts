/**
 * Phrases of official type texts: licence descriptions, classes, NAICS titles. They use other words than names do: `Drinking Places`,
 * `Offices of Dentists`, `Furniture Merchant Wholesalers`. All phrases are compared in the singular.
 */

import type { Category } from './categories.ts';

type Words = Partial<Record<Category, string>>;

/** Forms of trade. They take precedence over the goods (`Furniture Manufacturing`), and earlier ones over later ones. */
export const TRADE_FORMS: Words = {
  Consulting: 'holding company, head office, corporate office',
  Wholesale:
    'wholesale, wholesaler, wholesaling, wholesale trade, distributor, distribution center, importer, exporter, import export, import and export, manufacturer agent, manufacturer representative, manufacturers agent, manufacturers representative, trade agent and broker, business to business electronic market',
  Manufacturing:
    'manufacturing, manufacturer, mfg, mill, foundry, refinery, machine shop, bottler, canning, slaughtering, smelting, sawmill, millwork, casting, forging, metal processor, production plant, processing plant, machine and welding, metal finishing, electronic assembly, food processing',
  'Construction & Trades':
    'contractor, contracting, construction, subcontractor, builder, building construction, remodeling, land subdivision',
  'Farms, Energy & Mining':
    'farming, mining, quarrying, extraction, logging, ranching, aquaculture, grower, hatchery, oil and gas, power generation, electric power, natural gas distribution, animal production, crop production, orchard, vineyard, grove, commercial fishing, hunting and trapping, apiculture',
};

/** Trades and goods. */
export const TYPE_WORDS: Words = {
  Restaurants:
    'restaurant, eating place, fast food, full service restaurant, limited service restaurant, cafeteria, delicatessen, deli, food service, take out, ready to eat food, pizza parlor, sandwich shop, snack bar, grill buffet',
  'Bars & Nightlife':
    'drinking place, bar, tavern, cocktail lounge, lounge, night club, nightclub, brewpub, cabaret, dance hall, mixed drink, taproom, discotheque',
  'Cafes & Bakeries':
    'bakery, bread and bakery, retail bakery, coffee shop, coffee, donut shop, ice cream, frozen yogurt, ice cream parlor, juice bar, snack and nonalcoholic beverage bar, tea room, confectionery, candy, baked good, cottage food',
  'Food Trucks & Catering':
    'caterer, catering, mobile food, food truck, food cart, mobile canteen, food vending cart, mobile food vending, food service contractor, special food service, hot dog cart, ghost kitchen, mobile food vendor',
  'Grocery & Convenience':
    'grocery, grocery store, convenience store, convenience mart, convenience retailer, supermarket, food store, meat market, fish market, produce market, produce, farmer market, farmers market, food market, meat, fruit and vegetable market, food and beverage retailer, food retail store, seafood market, food mart, minimart',
  'Liquor & Tobacco':
    'liquor store, liquor, package good, package store, beer wine and liquor, beer and wine store, wine store, tobacco, tobacco dealer, tobacco store, smoke shop, cigar, vape shop, cannabis, marijuana, medical marijuana, medical cannabis, medical mj, cannabis collective, dispensary, e cigarette, alcoholic beverage',
  'Clothing & Jewelry':
    'clothing, clothing accessory, apparel, apparel accessory, shoe store, shoe, jewelry, jewelry store, jeweler, jewelry luggage and leather good, luggage, bridal shop, boutique, footwear, wearing apparel',
  'Home & Garden Stores':
    'furniture, furniture store, home furnishing, hardware store, hardware, appliance store, building material, lumber, nursery and garden, garden center, florist, flower shop, floor covering store, paint and wallpaper, garden equipment, household appliance, nursery, carpet dealer, mattress store, window treatment, flower arranging',
  'Health & Beauty Stores':
    'pharmacy, drug store, optician, optical good, optical, optical good store, cosmetic, beauty supply, health and personal care retailer, vitamin, food supplement, hearing aid, medical supply, perfume, druggist',
  'Specialty Retail':
    'book store, bookstore, bookseller, book and stationery, gift shop, gift novelty and souvenir, hobby toy and game, toy store, sporting good, department store, general merchandise, warehouse club and supercenter, variety store, thrift store, secondhand, second hand, used merchandise, antique, pawn good, art dealer, art shop, art supply, music store, musical instrument, golf store, golf shop, pro shop, electronic store, cell phone store, gun dealer, firearm dealer, flea market, newsstand, souvenir, stationery, sewing needlework and piece good, bicycle shop, craft store, consignment store, consignment, coin and stamp, discount store, novelty, video rental, party supply, office supply',
  'Online & Direct Sales':
    'mail order, electronic shopping, internet sale, online sale, online retail, direct sale, direct selling, door to door, e commerce, nonstore retailer, vending machine operator, catalog sale',
  'Auto Repair':
    'automotive repair, automobile repair, auto repair, motor vehicle repair, auto body, body shop, auto detailing, automobile detailing, car wash, auto mechanic, mechanic, oil change, automotive service, automobile service, transmission repair, smog test, window tint, auto painting, paint body shop, auto glass, automotive glass, motorcycle repair, boat repair, brake, muffler, radiator, tune up, automotive mechanical and electrical repair, automotive body, auto service, wheel alignment, vehicle repair, truck repair, automobile paint, lubrication',
  'Auto Sales & Parts':
    'car dealer, auto dealer, automobile dealer, automobile sale, motor vehicle dealer, motor vehicle sale, vehicle dealer, vehicle sale, auto sale, auto part, automotive part, automobile part, vehicle part, tire store, tire dealer, tire, tire sale, motorcycle dealer, boat dealer, boat sale, recreational vehicle dealer, automobile rental, auto rental, car rental, vehicle rental, truck rental, automotive equipment rental, auto wrecking, automobile salvage, auto salvage, passenger car rental, used car, new car, trailer rental, auto leasing, automobile and truck dealer, motorcycle sale',
  'Gas Stations':
    'gas station, gasoline station, service station, filling station, fuel dealer, gasoline, motor fuel, automobile service station, fuel station, fueling station',
  'Transportation & Delivery':
    'trucking, freight, courier, messenger, delivery, delivery service, taxi, taxicab, limousine, towing, motor vehicle towing, parking lot, parking, parking garage, parking lot and garage, warehousing, warehouse, storage, self storage, mini storage, miniwarehouse, moving and storage, shipping, air transportation, water transportation, rail transportation, truck transportation, transit, charter bus, bus company, passenger transportation, ground passenger transportation, transportation, postal service, wrecker service, hauler, vehicle for hire, pipeline transportation, freight forwarding, valet parking',
  'Beauty & Hair':
    'beauty salon, beauty shop, beauty parlor, barber, barber shop, barbershop, hair salon, nail salon, hair stylist, cosmetologist, cosmetology, manicurist, esthetician, aesthetician, skin care, tattoo, body piercing, piercing, beauty operator, stylist, makeup artist, hair service, hair styling, lash, barber beauty, hair nail and skin care, eyelash, waxing, permanent makeup, hair braiding, hair',
  'Spas & Massage':
    'massage, massage therapist, massage therapy, massage establishment, massage parlor, massage practitioner, day spa, tanning salon, tanning, diet and weight reducing, bath house, bath, sauna, reflexology, body wrap',
  'Fitness & Recreation':
    'fitness, fitness center, health club, gym, gymnasium, health spa, yoga, pilates, martial art, dance studio, dancing, bowling, golf course, golf, country club, amusement park, amusement arcade, arcade, amusement, recreation, recreational service, recreational sport, swimming pool operator, skating rink, skiing facility, marina, athletic club, billiard, pool hall, shooting range, sport and recreation instruction, personal trainer, gambling, casino, bingo hall, riding academy, karate',
  Medical:
    'physician, medical doctor, nutrition, nutritionist, dietitian, ambulance, ambulance service, medical imaging, phlebotomist, nurse, doctor, medical office, medical clinic, medical service, clinic, hospital, chiropractor, optometrist, optometry, ophthalmologist, podiatrist, surgeon, physical therapist, physical therapy, occupational therapy, speech therapist, acupuncture, acupuncturist, medical laboratory, medical and diagnostic laboratory, diagnostic imaging, urgent care, health practitioner, ambulatory health care, outpatient care, kidney dialysis, midwife, naturopath, audiologist, family planning center, nurse practitioner, dermatologist, artificial limb, prosthetic, hmo medical center, blood and organ bank, x ray, health care, medical practice',
  Dental:
    'dentist, dental, dentistry, dental practice, dental office, dental laboratory, orthodontist, orthodontic, denture, dental clinic',
  'Mental Health':
    'mental health, psychologist, psychiatrist, psychotherapist, psychotherapy, counseling, counselor, substance abuse, marriage and family therapist, marriage family therapist, mental health practitioner, drug treatment, alcohol treatment, psychiatric',
  'Senior & Social Care':
    'nursing home, nursing care facility, skilled nursing, assisted living, residential care, home health care, home health, home care, nursing service, hospice, social service, social assistance, individual and family service, adult day care, day care adult, elderly care, senior care, group home, shelter, foster care, emergency and other relief, community food service, community housing, vocational rehabilitation, convalescent home, convalescent hospital, service for the elderly, child and youth service, nurse registry, continuing care retirement',
  Childcare:
    'child care, child day care, day care, daycare, preschool, nursery school, kindergarten, nanny, babysitting, day care center, family child care, after school care',
  'Education & Training':
    'school, education, educational service, college, university, tutoring, tutor, instruction, training center, trade school, business school, driving school, language school, fine art school, music lesson, music educator, computer training, exam preparation, test preparation, educational support, private school, elementary and secondary school, flight training, vocational school, music instruction, training school',
  'Pets & Veterinary':
    'veterinary, veterinarian, hospital animal, pet care, pet grooming, pet shop, pet store, pet sitting, kennel, animal hospital, pet and pet supply, pet supply, dog grooming, animal boarding, animal grooming, animal care, dog walking, pet, humane society, dog training, animal clinic',
  'Personal Services':
    'funeral home, funeral, mortuary, mortician, funeral director, cemetery, crematory, fortune telling, fortune teller, dating service, escort and dating, astrologer, psychic, palmistry, watch repair, jewelry repair, personal shopper, death care',
  'Laundry & Tailoring':
    'laundry, laundromat, dry cleaner, dry cleaning, drycleaning, drycleaner, tailor, tailoring, seamstress, dressmaker, dressmaking, alteration, shoe repair, linen supply, linen and uniform supply, coin operated laundry, footwear and leather good repair, clothing repair, garment repair, shoe shine',
  Legal:
    'attorney, lawyer, attorney at law, legal service, law office, law firm, notary, notary public, paralegal, bail bond, bondsmen, bondsman, court reporter, title abstract, legal, law practice, process server',
  'Accounting & Tax':
    'accountant, accounting, certified public accountant, cpa, bookkeeping, bookkeeper, tax preparation, income tax, tax service, payroll service, auditor, auditing, tax preparer',
  'Real Estate':
    'real estate, real estate agent, property rental, apartment building, rental house, rental home, rental unit, house rental, commercial property, real estate sale, real estate broker, real estate office, property management, property manager, lessor of residential building, lessor of real estate, lessor of nonresidential building, lessor of miniwarehouse, apartment, apartment rental, rental property, residential rental, commercial rental, rental residential, rental commercial, appraiser, escrow company, realtor, real property, home rental, room rental, vacation home rental',
  Insurance:
    'insurance, insurance agent, insurance agency, insurance broker, insurance company, insurance carrier, insurance adjuster, insurance agency and brokerage, reinsurance, claim adjusting',
  'Banking & Finance':
    'bank, banking, credit union, finance company, financial institution, financial service, financial consultant, financial planner, financial planning, financial advisor, mortgage, mortgage company, mortgage broker, loan, loan company, lender, lending, check cashing, payday loan, pawn shop, pawnbroker, investment, investment advice, securities, stock broker, security broker, securities broker, money transmitter, credit intermediation, portfolio management, sale financing, trust company, investment company, stock and bond broker, savings and loan, credit card issuing, venture capital, pension fund, commodity contract, financial investment',
  Consulting:
    'management consulting, consulting, consultant, consulting service, environmental consulting, business consulting, scientific research, research and development, human resource consulting, business consultant',
  'Business Services':
    'employment agency, staffing, temporary help, temporary employment, personnel agency, executive search, security guard, guard and patrol, private patrol, private patrol operator, private investigator, investigation, detective agency, patrol service, printing, copy shop, copy center, photocopying, telephone answering, telephone answering service, call center, telemarketing, secretarial, word processing, mailbox, mailbox rental, private mail center, mail box rental, document preparation, office administrative, administrative office, business support, business service center, translation, interpreter, equipment rental, rental and leasing, general rental center, packaging and labeling, credit bureau, collection agency, collecting agency, armored car, security system, auctioneer, employment placement, professional employer, commercial printing, blueprint, screen printing, document shredding, facility support, market research, marketing research, marketing analysis, opinion research, opinion polling, court reporting and stenotype, billing service, rental equipment, process serving',
  'Marketing & Design':
    'advertising, advertising agency, marketing, public relation, graphic design, interior design, interior designer, interior decorator, sign shop, outdoor advertising, commercial artist, fashion design, graphic designer, advertising sign, direct mail, media buying, industrial design, specialized design, designer illustrator decorator, graphic artist, window dressing',
  'Architecture & Engineering':
    'architect, architecture, architectural, engineer, engineering, engineering service, surveyor, surveying, surveying and mapping, drafting, testing laboratory, building inspection, home inspection, landscape architect, geologist, inspection service, landscape architectural, geophysical surveying',
  Technology:
    'software, software development, software publisher, computer programming, computer service, computer sale and service, computer repair, computer hardware, computer system design, computer consulting, custom computer programming, data processing, web design, website design, web development, internet service provider, telecommunication, wireless telecommunication, cable television, information technology, electronic repair, computer related service, telephone service, computer software, telephone company, radio and television broadcasting, data processing service, radio broadcasting, television broadcasting, electronic and precision equipment repair, computer facility management, web hosting',
  'Construction & Trades':
    'electrician, plumber, plumbing, plumbing and heating, heating and air conditioning, air conditioning, roofing, carpentry, carpenter, cabinetmaker, masonry, drywall, flooring installation, concrete work, excavating, excavation, electrical, hvac, house painting, painting, demolition, fire sprinkler, fence installation, home improvement, glazing, insulation, paving, house mover, welding, elevator, general building, alarm installation, alarm service, alarm system, fire protection, sheet metal, tile setting, solar installation, plaster, lathing, framing, site preparation, weather stripping',
  'Home Services':
    'handyman, pest control, exterminating, exterminator, locksmith, appliance repair, upholstery, reupholstery, upholsterer, furniture repair, pool cleaning, pool service, swimming pool cleaning, swimming pool service, chimney, septic tank, waste collection, garbage collection, refuse collection, trash hauler, trash collection, junk hauler, junk removal, recycling, recycling center, solid waste, waste management, septic service, drain cleaning, sewer cleaning, household good moving, moving company, mover, scavenger, scrap metal, junk dealer, waste disposal, waste treatment, landfill, remediation, hazardous waste, home and garden equipment repair, household appliance repair, small engine repair, lawn mower repair, used household good moving, tv repair, estate sale, curb painting, exterminating and pest control',
  Cleaning:
    'janitorial, janitor, house cleaning, cleaning service, maid service, maid, window cleaning, carpet cleaning, carpet and upholstery cleaning, building cleaning, pressure washing, residential cleaning, commercial cleaning, housekeeping, carpet drapery cleaning, cleaning agency, custodial, office cleaning, parking lot sweeping, street sweeping, power washing',
  Landscaping:
    'landscaping, landscaper, landscape maintenance, gardening, gardener, lawn care, lawn service, lawn maintenance, tree service, tree trimming, tree trimmer, landscape contractor, landscaping contractor, lawn mowing, yard maintenance, landscape service, gardening landscape',
  'Hotels & Lodging':
    'hotel, motel, hotel and motel, bed and breakfast, rooming house, boarding house, boarding home, short term rental, vacation rental, homestay, inn, hostel, traveler accommodation, recreational vehicle park, rv park, campground, lodging, rooming and boarding, short term residential rental, motor lodge, transient lodging, airbnb, single room occupancy, mobile home park, accommodation, tourist home',
  'Arts & Entertainment':
    'photographer, photography, photographic studio, photography studio, photographic service, portrait studio, artist, art studio, art gallery, gallery, musician, band, disc jockey, motion picture, motion picture theater, movie theater, theater, film production, film, video production, recording studio, recording service, sound recording, museum, performing art, independent artist, independent artist writer and performer, entertainer, entertainment, theatrical, concert, author, writer, musical group and artist, historical site, zoo, circus, promoter of performing art, spectator sport, music production, motion picture photographer, still picture photographer, theatrical agent, dance company, live theater, photo studio',
  'Travel & Events':
    'travel agency, travel bureau, travel agent, tour operator, tour, tour guide, event planner, event planning, event promoter, wedding planner, party planner, party rental, convention and trade show, banquet hall, hall rental, scenic and sightseeing, sightseeing, travel arrangement, ticket agency, ticket office, event coordinator, event service, charter boat, event center, event venue, ticket seller, boat charter',
  'Nonprofits & Community':
    'church, religious organization, nonprofit organization, nonprofit, non profit, charity, charitable organization, civic organization, fraternal organization, social club, civic and social, association, labor union, social advocacy, grantmaking, private club, business association, professional organization, political organization, civic fraternal organization, public administration, not for profit club, grantmaking and giving service, veteran organization',
  'Farms, Energy & Mining':
    'farm, agriculture, forestry, fishing, solar farm, oil well, irrigation system, sewage treatment facility, utilities',
};
