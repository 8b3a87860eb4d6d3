/**
 * Words and phrases that indicate a category, collected by hand for precision: a word that several trades use is in `WEAK` or
 * not listed. Whole words only; plurals are listed separately. No names of people and no brands.
 */

import type { Category } from './categories.ts';

type Words = Partial<Record<Category, string>>;

/** Words that only one trade uses. Phrases are separated by commas. */
const STRONG_WORDS: Words = {
  Restaurants:
    'antojitos, barbecue, barbeque, bbq, birrieria, bistro, brasserie, brewpub, buffet, burger, burgers, burritos, cantina, carnitas, chicken, chinese food, chop suey, chophouse, cocina, comida, crawfish, cucina, cuisine, deli, delicatessen, dim sum, diner, eatery, falafel, fish fry, grill, grille, gyro, gyros, hamburgers, hoagies, hot hot pot, kabob, kebab, mariscos, mexican food, noodle, noodles, osteria, pancake house, pho, pizza, pizzas, pizzeria, poke, pollo, pupusas, pupuseria, ramen, restaurant, restaurante, restaurants, ribs, ristorante, rotisserie, salad bar, sandwich, sandwiches, sashimi, seafood restaurant, shawarma, soul food, steak house, steakhouse, steaks, sub sandwiches, sub shop, subs, sushi, sushi bar, taco, taco bar, tacos, tamales, taqueria, teriyaki, tortas, trattoria, wings, wok',
  'Bars & Nightlife':
    'bar and lounge, brewery, brewing, cocktail bar, cocktail lounge, cocktails, gentlemens club, hookah lounge, night club, nightclub, pub, saloon, showgirls, sports bar, tap house, tap room, taphouse, taproom, tavern, taverns, wine bar',
  'Cafes & Bakeries':
    'bagel, bagels, bakeries, bakery, baking, boba, boulangerie, cafe, cafes, cakes, candies, chocolates, coffee, coffee house, coffee shop, coffeehouse, cookies, creamery, crepes, cupcake, cupcakes, desserts, donut, donuts, doughnut, doughnuts, espresso, frozen custard, gelato, ice cream, juice, juice bar, neveria, paleteria, panaderia, pastries, pastry, patisserie, shaved ice, smoothie, smoothies, sweets, tea house, tea room, yogurt',
  'Food Trucks & Catering':
    'banquet hall, banquets, caterer, caterers, catering, catering services, food truck, ghost kitchen, ice cream truck, lonchera, personal chef, private chef',
  'Grocery & Convenience':
    'abarrotes, asian market, bodega, butcher, butchers, carniceria, convenience store, dairy, drinking water, farmers market, fish market, food and liquor mart, food market, food mart, food store, foods market, fruit market, fruteria, grocer, groceries, grocers, grocery, health foods, kwik mart, meat market, meats, mini mart, minimarket, minimart, natural foods, produce, produce market, quick mart, quik mart, seafood market, seven eleven, super mart, supermarket, supermarkets, supermercado, tienda, tortilleria, water store',
  'Liquor & Tobacco':
    'beer and wine, bottle shop, cannabis, cellars, cigar, cigarettes, cigars, collective caregivers, dispensary, hookah, liquor, liquors, marijuana, smoke shop, smokes, smokeshop, spirits shop, tobacco, vape, vapes, vapor, vapors, wine and spirits, wine shop, wines, wines and spirits',
  'Clothing & Jewelry':
    'activewear, apparel, bridal, bridals, clothes, clothiers, clothing, denim, diamonds, footwear, formal wear, handbags, hats, jeans, jeweler, jewelers, jewellery, jewelry, jewels, joyeria, lingerie, menswear, outfitters, shoe store, shoe warehouse, shoes, sneakers, sportswear, sunglasses, swimwear, t shirts, tees, tshirts, tuxedo, tuxedos, uniforms, watches, wigs, womens wear, zapateria',
  'Home & Garden Stores':
    'appliances, bath and kitchen, bedding, blinds, carpets, draperies, flooring store, floral, floral design, floral designs, floreria, florist, florists, flower and gift, flower shop, flowers, flowers and gifts, flowers gifts, furnishings, furniture, garden center, hardware, home decor, home improvement store, hydroponics, kitchen cabinets, lumber, mattress, mattresses, muebles, nursery plants, paint store, rug gallery, rugs, window coverings',
  'Health & Beauty Stores':
    'beauty supplies, beauty supply, botanica, cosmetics, drug store, drugs, drugstore, eyeglasses, eyewear, farmacia, hearing aids, herbal products, herbs, medical supplies, medical supply, natural products, nutrition store, optical, optician, opticians, perfume, perfumes, pharmacies, pharmacy, supplements, vitamins',
  'Specialty Retail':
    'antique, antiques, aquarium store, art supplies, baskets, bicycle shop, bicycles, bike shop, bikes, book store, books, bookstore, cameras store, candles, cell phones, cellphone, coins, collectables, collectibles, comics, consignment, cyclery, discoteca, discount store, dollar store, electronics store, fabrics, firearms, frames, general store, gift, gift shop, guitars, gun shop, guns, hobbies, hobby shop, music store, newsstand, novelties, party supplies, pawn and jewelry shop, resale, skate shop, souvenirs, sporting goods, sports cards, stamps, stationery, surf shop, surfboards, swap meet, thrift, thrift shop, thrift store, toy store, toys, trading cards, variety store, video rental, video store, yarn',
  'Online & Direct Sales':
    'direct sales, distributor of avon, e commerce, ebay, ecommerce, internet sales, mail order, online sales, online shop, online store',
  'Auto Repair':
    'auto body, auto care, auto center, auto clinic, auto detail, auto doctor, auto electric, auto glass, auto paint, auto painting, auto rebuilders, auto repair, auto repairs, auto service, auto spa, auto tech, auto tint, auto works, autobody, automobile repair, automotive center, automotive repair, automotive service, automotive services, autoworks, boat cleaning, boat repair, body and paint, body shop, brake, brakes, car care, car painting, car service center, car wash, carwash, collision, detailing, diesel repair, engine repair, foreign car repair, hull cleaning, lube, marine repair, mechanic, mechanics, mobile detail, motor vehicle repair, motor works, motorcycle repair, muffler, mufflers, oil change, paint and body, radiator, radiators, smog, smog check, smog test, tire repair, tire service, tires and brakes, transmission, transmissions, truck painting, truck repair, tune up, tune ups, wheel alignment, window tinting',
  'Auto Sales & Parts':
    'auto auction, auto auto wrecking, auto broker, auto brokers, auto dealer, auto dismantling, auto exchange, auto group, auto leasing, auto mall, auto parts, auto rental, auto sale, auto sales, auto salvage, auto supply, automobiles, automotive parts, automotive sales, automotive supply, boat sales, car rental, car sales, car stereo, cars, llantas, llantera, motor sales, motorsports, nissan, rent a car, rims, rv sales, scooters, toyota, trailer sales, truck rental, truck sales, vehicle sales, wheels, yacht sales, yachts',
  'Gas Stations':
    'arco, exxon, filling station, fuel, fuels, gas, gas and food, gas and mart, gas mart, gas station, gasoline, petroleum, texaco, truck stop',
  'Transportation & Delivery':
    'air cargo, airlines, airways, ambulance, auto transport, auto transporters, cab, cab co, cab company, charter bus, chauffeur, courier, couriers, customs broker, customs brokers, deliveries, dispatch, drayage, express delivery, forwarding, freight, freight lines, harbor services, hauling, limo, limousine, limousines, lines trucking, logistics, mail delivery, medical transport, messenger, parking, port services, rideshare, shipping, shipping lines, shuttle, steamship, stevedoring, storage, taxi, taxicab, tow, tow service, towing, transport, transportation, transporting, transports, truck lines, trucking, trucklines, warehousing',
  'Beauty & Hair':
    'aesthetician, aesthetics, barber, barber shop, barbering, barbers, barbershop, beauty bar, beauty lounge, beauty parlor, beauty studio, blow dry bar, braiding, braids, brow, brows, coiffures, cosmetology, dreadlocks, electrolysis, esthetician, esthetics, extensions, eyebrow, eyelash, facials, fades, hair, hair and nail, hair and nails, hair and spa, hair by, hair care, hair cuts, hair design, hair fashion, hair fashions, hair studio, hair stylist, haircuts, hairdressing, hairstyling, hairstylist, hairstylists, lash, lashes, make up, makeup, makeup artist, manicure, manicurist, microblading, nail, nail and skin, nail and spa, nail art, nail bar, nail lounge, nail spa, nail studio, nails, nails and spa, nails by, nails spa, pedicure, peluqueria, piercing, salon, salon and spa, salon spa, salons, skin and spa, skin care, skincare, stylists, tattoo, tattoos, threading, wax, waxing',
  'Spas & Massage':
    'body wraps, bodywork, day spa, health spa, massage, massage therapist, massage therapy, massages, med spa, medical day spa, medical spa, medspa, reflexology, reiki, sauna, spa, spray tan, tanning, tanning salon',
  'Fitness & Recreation':
    'arcade, archery, ballet, ballet school, barre, baseball academy, basketball, batting cages, billiards, bowling, boxing, capoeira, crossfit, cycling studio, dance, dance academy, dance school, dance studio, dancing, fitness, gym, gymnastics, health club, jiu jitsu, judo, judo school, karate, karate school, kayaks, kickboxing, kung fu, lanes, laser tag, martial arts, martial arts training, paddle, personal trainer, personal training, pilates, recreation center, rowing, school of dance, scuba, skating, softball, sport fishing, sports club, strength and conditioning, surf school, surfing, swim school, swimming lessons, tae kwan do, tae kwon do, taekwondo, tai chi, tennis, training studio, yoga, zumba',
  Medical:
    'acupuncture, acupuncturist, allergy, anesthesia, birth center, cardiology, chiropractic, chiropractics, chiropractor, chiropractors, clinica, community hospital, dc, dermatology, diagnostic, diagnostics, dialysis, dietitian, doula, dpm, drug testing, eye care, eye center, eye institute, eyecare, fertility, gastroenterology, general hospital, gynecology, healthcare clinic, herbalist, hospice and palliative, imaging, lab corp, laboratories, laboratory, md, medical associates, medical center, medical center hospital, medical clinic, medical corporation, medical group, medicine, midwifery, naturopathic, nephrology, neurology, nurse practitioner, ob gyn, obgyn, occupational therapy, oncology, ophthalmology, optometric, optometric center, optometrist, optometry, orthopaedic, orthopedic, orthopedics, orthotics, pain management, pathology, pediatric, pediatrics, phlebotomy, physical therapy, physician, physicians, podiatrist, podiatry, primary care, prosthetics, radiology, rehab, speech therapy, surgeons, surgery, surgical, urgent care, urology, vein, vision care, vision center, wellness clinic, womens health',
  Dental:
    'd d s, dds, dental, dental care, dental ceramics, dental group, dental health, dental lab, dental laboratory, dental office, dentist, dentistry, dentists, denture, dentures, dmd, endodontics, oral surgery, orthodontic, orthodontics, orthodontist, periodontal, periodontics, prosthodontics, smiles, teeth whitening',
  'Mental Health':
    'addiction, behavioral, behavioral health, counseling, counselling, counselor, drug treatment, family therapist, family therapy, hypnosis, hypnotherapist, hypnotherapy, lcsw, lmft, marriage and family, marriage family, mental health, mft, neuropsychology, psy d, psychiatric, psychiatrist, psychiatrists, psychiatry, psychological, psychologist, psychology, psychotherapies, psychotherapist, psychotherapy, psyd, sober living, substance abuse, treatment center',
  'Senior & Social Care':
    'adhc, adult care, adult day, adult day care, assisted living, board and care, care home, caregiver, caregiving, convalescent, convalescent hospital, elder care, eldercare, elderly care, foster family, group home, group homes, guest home, home health, home health care, homecare, hospice, nurse registry, nurses, nursing care, nursing home, rcfe, residential care, residential facility, respite care, retirement, retirement home, senior care, senior living, senior services, shelter, sober living home',
  Childcare:
    'after school, babysitter, babysitting, child care, child development, child development center, child learning center, childcare, childrens learning center, day care, daycare, early learning, early learning center, head start, infant care, kids care, kindergarten, montessori, nannies, nanny, nursery school, pre school, preschool, preschools, toddlers',
  'Education & Training':
    'art classes, barber college, barber school, beauty college, charter school, cpr training, driving school, educators, elementary school, escuela, esl, flight training, high school, instruction, instructor, language school, lessons, music school, piano studio, sat prep, school district, school of business, school of music, school of nursing, schooling, test prep, trade school, traffic school, tutor, tutoring, tutors',
  'Pets & Veterinary':
    'animal, animal clinic, animal hospital, animals, aquarium, aquariums, canine, cat clinic, cats, dog day care, dog daycare, dog grooming, dog spa, dog training, dog walkers, dog walking, doggie, doggie day care, doggie daycare, doggy, dvm, equestrian, groomer, groomers, kennel, kennels, mobile grooming, paw spa, paws, pet, pet care, pet clinic, pet day care, pet fitness, pet food, pet grooming, pet hospital, pet resort, pet salon, pet shop, pet sitters, pet sitting, pet spa, pet supplies, pets, pooch, puppies, puppy, reptiles, tropical fish, vet, veterinarian, veterinary',
  'Personal Services':
    'astrology, burial, cemetery, cremation, crematory, dating service, escorts, fortune telling, funeral, funeral home, image consulting, life coach, matchmaking, memorial park, mortuaries, mortuary, palm reader, personal assistant, personal shopper, psychic, psychic readings, tarot, watch repair',
  'Laundry & Tailoring':
    'alterations, dressmaker, dressmaking, dry clean, dry cleaner, dry cleaners, dry cleaning, fluff and fold, french cleaners, launderette, launderland, laundromat, laundry, lavanderia, linen service, linen supply, one hour cleaners, seamstress, shoe repair, tailor, tailoring, tailors, valet cleaners, wash and fold',
  Legal:
    'abogado, abogados, arbitration, attorney, attorney service, attorney services, attorneys, bail bonds, barrister, counsel, court reporters, court reporting, divorce, esq, immigration, immigration services, law, law corporation, law firm, law group, law office, law offices, lawyer, lawyers, legal document, legal services, legal support, live scan, mediation, mobile notary, notaries, notary public, paralegal, process server, process servers, process serving, signing agent',
  'Accounting & Tax':
    'accountancy, accountant, accountants, accounting, accounting services, auditing, bookeeping, bookkeeper, bookkeepers, bookkeeping, bookkeeping services, c p a, cpa, cpas, enrolled agent, payroll, tax, tax center, tax prep, tax preparation, tax pros, tax service, tax services, taxes, taxman',
  'Real Estate':
    'apartment, apartments, appraisal, appraisal service, appraisals, appraiser, appraisers, bienes raices, condominiums, condos, escrow, estates, hoa, home buyers, home rentals, home sales, homebuyers, homeowners association, housing, inmobiliaria, land co, land company, land development, leasing office, properties, property group, property investments, property management, property mgmt, property preservation, real estate, real estate group, real estate investments, real estate services, realestate, realtor, realtors, realtors inc, realty, realty group, rental homes, townhomes, vacation rentals',
  Insurance:
    'assurance, ins, ins agency, ins services, ins svcs, insurance, insurance agency, insurance agent, insurance brokers, insurance group, insurance service, insurance services, insurers, seguros, underwriters',
  'Banking & Finance':
    'asset management, bank, banks, bitcoin, capital management, capital partners, cash advance, check cashing, collection agency, collections agency, credit, credit repair, credit services, credit union, crypto, currency exchange, debt, debt relief, equities, finance, financial advisors, financial group, financial planning, hard money, investment group, investors, lenders, lending, loan, loans, merchant services, money transfer, mortgage, mortgage company, mortgage group, mortgage services, mortgages, pawn, pawn and jewelry, pawn shop, pawnbrokers, securities, title company, venture capital, venture partners, wealth advisors, wealth advisory, wealth management',
  Consulting:
    'advisory group, business development, coaching, consultancy, consultant, consulting inc, consulting llc, management consultants',
  'Business Services':
    'administrative services, answering service, billing services, call center, copies, copy center, court services, coworking, data entry, document services, editing, employment, employment agency, employment services, executive search, executive suites, facility services, fulfillment, guard services, headhunters, human resources, inspection services, interpreter, interpreters, interpreting, interpreting services, investigation, investigations, labor solutions, mail boxes, mailbox, mailboxes, mailing services, medical billing, messenger services, modeling agency, mystery shopping, office services, office solutions, office supplies, packaging services, patrol, personnel, postal, print shop, printers, printing services, private investigator, professional employer, proofreading, recruiters, recruiting, resume services, secretarial, secretarial services, security, security guard, security services, shredding, staffing, talent agency, telemarketing, temporary services, transcription, translation, translation services, translations, typing, ups store, virtual assistant, word processing, workforce, writer, writing, writing services',
  'Marketing & Design':
    'ad agency, advertising, advertising agency, branding, copywriting, creative agency, creative services, design associates, design services, design studio, direct mail, displays, fashion design, graphic arts, graphic design, graphic designs, graphics, home staging, illustration, interior design, interior designer, interior designs, interiors, market research, marketing group, marketing services, marketing solutions, media group, media relations, promotional products, public relations, sign co, sign company, signage, silk screen, silkscreen, social media, typography, web design',
  'Architecture & Engineering':
    'architect, architects, architectural, architectural design, architecture, architecture and design, building design, building inspection, cad services, civil engineering, consulting engineers, drafting, engineer, engineering consultants, engineering group, engineering services, engineers, geotechnical, home inspection, home inspections, marine surveyor, materials testing, property inspection, structural engineering, surveying, surveyors, testing laboratories',
  Technology:
    'software development, software systems, software company, app development, apps, automation, broadband, cellular repair, computer consulting, computer service, computer solutions, computer systems, computer training, computers, cybersecurity, data solutions, data systems, datacom, digital solutions, information systems, information technology, infosystems, internet, iphone repair, it consulting, it services, it solutions, it support, micro systems, network services, network solutions, networking, pc repair, programming, robotics, software solutions, systems integration, technical services, technology solutions, telcom, telecom, web, web development, web services, web solutions, website, websites',
  'Construction & Trades':
    'ac repair, air conditioning, alarm systems, alarms, asphalt, backhoe, builders, cabinetry, carpentry, carpet and flooring, carpet installation, caulking, cement, concrete, construction, contracting, contractor, contractors, cooling, countertops, custom homes, decking, decks, demolition, drainage, drilling, drywall, electric, electric co, electrical, electrical services, electrician, elevator, elevators, excavating, excavation, fence, fencing, fire protection, fire systems, fireplaces, floor coverings, flooring, foundation repair, garage doors, glazing, grading, gutter, gutters, hardwood flooring, hardwood floors, heating, heating and air, home improvement, home improvements, homebuilders, house movers, hvac, insulation, iron works, ironworks, kitchen and bath, lathing, marble, masonry, mechanical, millwork, ornamental iron, painters, painting, paving, pipeline, pipelines, plaster, plastering, plumber, plumbers, plumbing, pools and spas, rebar, refrigeration, remodel, remodelers, remodeling, remodelling, renovation, renovations, renovators, roof, roofers, roofing, roofs, sandblasting, scaffold, scaffolding, seismic, sheet metal, shutters, siding, solar, sprinkler, sprinklers, steel erectors, structures, stucco, tile and stone, tiles, wallcovering, wallpaper, waterproofing, welding, windows and doors, wood floors, woodworking',
  'Home Services':
    'air duct cleaning, appliance repair, appliance service, blinds cleaning repair, chimney, chimney sweep, curb painting, demolition hauling, disposal, drain cleaning, drain service, dumpster, dumpsters, estate sales, exterminating, exterminator, exterminators, furniture repair, handy man, handyman, handyman service, handyman services, hauling service, home organization, home repair, home repairs, junk removal, lawn mower repair, lock and key, lock and safe, locksmith, locksmiths, metal recycling, mobile welding service, movers, moving company, moving service, moving services, odd jobs, pest control, piano tuning, pool and spa, pool and spa repair, pool and spa service, pool and spas, pool care, pool cleaning, pool service, pool services, pool spa, pools, professional organizer, refinishing, reupholstery, rooter, salvage, scavenger, scrap, septic, sewer and drain, sewing machine repair, spa and pool, termite, termites, trash, tv and appliance, tv repair, upholstery, vacuum repair, waste',
  Cleaning:
    'building maintenance, building maintenance services, carpet care, carpet cleaners, carpet dry cleaners, carpet steam, chem dry, cleaning, cleaning service, cleaning services, cleanup, custodial, disinfecting, housecleaning, housekeeper, housekeeping, janitor, janitorial, janitorial maintenance, janitorial service, janitorial services, limpieza, maid, maid service, maids, mobile wash, power washing, pressure wash, pressure washing, sanitation, steam carpet, surface cleaners, window washing',
  Landscaping:
    'arborist, garden maintenance, garden service, gardener, gardeners, gardening, gardening service, gardening services, irrigation, jardineria, landscape, landscape design, landscape maintenance, landscapes, landscaping, landscaping services, lawn and garden, lawn care, lawn maintenance, lawn service, lawns, mowing, palm trees, sod, tree care, tree co, tree experts, tree service, tree services, tree surgery, tree trimming, turf, yard care, yard service',
  'Hotels & Lodging':
    'airbnb, bed and breakfast, campground, guest house, guesthouse, hostel, hotel, hotels, inns, lodging, mobile estates, mobile home estates, mobile home park, motel, motels, resort, resorts, rooming house, rv park, trailer park, vacation rental',
  'Arts & Entertainment':
    'animation, art gallery, art studio, artworks, band, ceramics, cinema, cinemas, cinematic, circus, clowns, comedy, creations by artist, dee jay, digital media, disc jockey, dj, dj services, ensemble, entertainment group, film production, filmworks, fine art, fine arts, framing gallery, galleries, glassworks, magic shows, mariachi, media productions, mosaics, movie theater, murals, music production, music productions, music studio, musicians, opera, orchestra, paintings, photo, photo art, photo booth, photo studio, photographer, photographers, photographic, photographics, photography, photography inc, photography studio, pictures inc, portrait, portraits, pottery, puppets, recording studio, records label, records music, screenwriting, sculpture, stained glass, symphony, theater, theaters, theatre, tv productions, video production, video productions, videography, videos, voice over',
  'Travel & Events':
    'adventures, balloon decorations, boat rentals, bounce house, bounce houses, charters, conventions, cruise, cruises, event center, event coordination, event design, event management, event planner, event planning, event productions, event rentals, event services, event venue, events by, events center, expeditions, inflatables, jumper rental, jumpers, parties, party planner, party planning, party rental, party rentals, sightseeing, tour, tours, trade shows, travel, travel agency, travel services, vacations, viajes, wedding, wedding chapel, wedding planner, wedding planning, wedding services, weddings, whale watching',
  Manufacturing:
    'anodizing, assembly, bindery, cabinet shop, castings, chemical, chemicals, cnc, composites, extrusion, fabrication, fabricators, fiberglass, food products, forge, forging, foundry, garments, grinding, machine shop, machine works, machining, manufacturer, manufacturers, manufacturing, metal finishing, metal works, metals, metalworks, mfg, milling, molding, plating, polymers, powder coating, precision products, refinery, refining, rubber, sail makers, sailmakers, textile, textiles, tool and die, tool co, tooling, tortilla factory',
  Wholesale:
    'beverage distributors, building materials, direct products, distribution center, distributions, electrical supply, exporters, exporting, exports, import, import and export, import export, importer, importers, importing, international trading, intl trading, janitorial supply, marine supply, paper co, paper products, plumbing supply, restaurant supply, roofing supply, seafood wholesale, ship supply, trading inc, welding supply, wholesale, wholesale distributors, wholesale foods, wholesale produce, wholesaler, wholesalers',
  'Nonprofits & Community':
    'american legion, assembly of god, baptist, booster club, boys and girls club, chamber of commerce, chapel, charities, charity, christian center, church, churches, coalition, community development corporation, community foundation, community services, eagles lodge, elks lodge, federation, fellowship, foundations, fraternal, friends of, habitat, iglesia, league, legion post, lions club, masonic lodge, ministerios, ministries international, missionary, moose lodge, mosque, non profit, nonprofit, relief, rescue mission, rotary, salvation army, soccer club, synagogue, tabernacle, union local, veterans, vfw, volunteers, worship center, youth center, ywca',
  'Farms, Energy & Mining':
    'aggregates, agriculture, apiary, beekeeping, cattle, dairy farm, farms, fisheries, groves, growers, honey farm, lobster, mining, oil and gas, oil company, orchard, orchards, petroleum exploration, power plant, solar energy farm, utilities, utility, vineyards, water company',
};

/** Words that several trades use. They count only if there is no strong word. */
const WEAK_WORDS: Words = {
  Restaurants: 'dining, subway, thai',
  'Cafes & Bakeries': 'chocolate',
  'Grocery & Convenience': '7 eleven, market, meat, mercado',
  'Liquor & Tobacco': 'collective, smoke',
  'Clothing & Jewelry': 'bling, closet, threads, wear',
  'Home & Garden Stores': 'garden nursery, petals, plant nursery, plants',
  'Health & Beauty Stores': 'drug',
  'Specialty Retail': 'collections, stuff',
  'Auto Repair': 'automotive, automotives, diesel',
  'Auto Sales & Parts': 'auto imports, car audio, rv',
  'Beauty & Hair': 'beautiful, beauty, shear, unisex',
  Medical: 'health center, health clinic, medical',
  'Senior & Social Care': 'manor, villa',
  Childcare: 'kiddie',
  'Pets & Veterinary': 'critter, tails',
  'Laundry & Tailoring': 'cleaners',
  'Accounting & Tax': 'ledger',
  'Real Estate': 'broker, brokerage, plaza',
  'Banking & Finance': 'fund',
  Consulting: 'analysis, coach, insights',
  'Marketing & Design': 'promo',
  Technology: 'micro, online',
  Cleaning: 'clean',
  Wholesale: 'sales co',
  'Architecture & Engineering': 'inspection, inspections',
  'Education & Training': 'training center, training institute',
};

export const STRONG = indexPhrases(STRONG_WORDS);
export const WEAK = indexPhrases(WEAK_WORDS);

/**
 * The words of a name as these lists write them (search has its own rule): lower case, without accents and apostrophes, initials
 * of an abbreviation joined (`A/C` -> `ac`), split at everything else.
 */
export function splitWords(name: string): string[] {
  return name
    .normalize('NFKD')
    .replace(/[\p{M}'’`]/gu, '')
    .toLowerCase()
    .replace(/\b(\p{L})[./](?=\p{L}\b)/gu, '$1')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function indexPhrases(words: Words): ReadonlyMap<string, Category> {
  return new Map(
    Object.entries(words).flatMap(([category, list]) =>
      list.split(', ').map((phrase): [string, Category] => [phrase, category as Category]),
    ),
  );
}
