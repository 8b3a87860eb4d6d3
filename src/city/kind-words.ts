/**
 * Words and phrases that tell the kind of a business, made by hand and kept for precision: a word that several trades
 * use stands in `WEAK` or nowhere. Whole words; a plural is written out. Not names of people, not brands.
 */

import type { Category } from './categories.ts';

type Words = Partial<Record<Category, string>>;

/** One trade and no other. Phrases are parted by commas. */
const STRONG_WORDS: Words = {
  Restaurants:
    'restaurant, restaurants, restaurante, ristorante, pizza, pizzeria, pizzas, taqueria, tacos, taco, burritos, burger, burgers, sushi, sashimi, teriyaki, noodle, noodles, pho, ramen, bbq, barbecue, barbeque, grill, grille, bistro, diner, eatery, steakhouse, steak house, steaks, chicken, wings, fried chicken, gyros, gyro, kabob, kebab, falafel, shawarma, hot dogs, sandwich, sandwiches, subs, hoagies, mariscos, birrieria, pupuseria, pupusas, cantina, trattoria, chop suey, dim sum, wok, thai cuisine, cuisine, chinese food, mexican food, seafood restaurant, hamburgers, cocina, comida, antojitos, tortas, pollo, carnitas, osteria, brasserie, buffet, soul food, bar and grill, bar grill, sports grill, brewpub, fish fry, pancake house, rotisserie, tamales, crawfish, poke, drive in restaurant, chophouse, sub shop, ribs, hot pot, cafe and grill',
  'Bars & Nightlife':
    'tavern, taverns, pub, lounge, saloon, nightclub, night club, cocktails, cocktail lounge, sports bar, wine bar, taproom, tap room, brewery, brewing, brew pub, hookah lounge, karaoke, taphouse, tap house, cocktail bar, showgirls, gentlemens club',
  'Cafes & Bakeries':
    'cafe, cafes, coffee, coffeehouse, espresso, bakery, bakeries, panaderia, donut, donuts, doughnut, doughnuts, bagel, bagels, cupcake, cupcakes, cakes, tea house, juice bar, juice, smoothie, smoothies, ice cream, frozen yogurt, yogurt, gelato, paleteria, neveria, creamery, pastries, pastry, patisserie, boba, cookies, boulangerie, coffee shop, coffee house, tea room, candies, chocolates, desserts, sweets, shaved ice, crepes, baking, frozen custard',
  'Food Trucks & Catering':
    'catering, caterers, caterer, food truck, lonchera, banquets, personal chef, private chef, ice cream truck, catering services, banquet hall, ghost kitchen',
  'Grocery & Convenience':
    'grocery, groceries, supermarket, supermarkets, carniceria, meat market, food mart, food store, mini mart, minimart, food market, foods market, fish market, seafood market, produce, minimarket, convenience, convenience store, farmers market, supermercado, abarrotes, fruteria, butcher, butchers, meats, deli, delicatessen, tortilleria, grocers, grocer, bodega, quick mart, super mart, dairy, seven eleven, health foods, natural foods, tienda, fruit market, quik mart, kwik mart, asian market, produce market, food and liquor mart',
  'Liquor & Tobacco':
    'liquor, liquors, wine shop, wines, spirits shop, tobacco, cigars, cigar, cigarettes, smoke shop, smokeshop, smokes, vape, vapor, vapors, vapes, bottle shop, wine and spirits, wines and spirits, cannabis, dispensary, marijuana, hookah, cellars, beer and wine, hydroponic dispensary, collective caregivers',
  'Clothing & Jewelry':
    'jewelry, jewelers, jeweler, jewels, jewellery, joyeria, clothing, apparel, boutique, boutiques, fashion, fashions, shoes, shoe store, footwear, lingerie, bridal, swimwear, activewear, menswear, womens wear, sportswear, uniforms, handbags, sunglasses, sneakers, formal wear, tuxedo, tuxedos, jeans, denim, hats, wigs, couture, t shirts, tshirts, tees, outfitters, clothiers, shoe warehouse, clothes, zapateria, accessories boutique, gold and diamonds, diamonds, watches, bridals',
  'Home & Garden Stores':
    'furniture, mattress, mattresses, hardware, appliances, flowers, florist, florists, floral, nursery plants, garden center, lumber, carpets, rugs, lighting, kitchen cabinets, muebles, flower shop, floreria, home decor, home furnishings, furnishings, bedding, blinds, draperies, window coverings, antiques and furniture, hydroponics, flooring store, bath and kitchen, rug gallery, paint store, home improvement store',
  'Health & Beauty Stores':
    'pharmacy, pharmacies, drugs, drug store, drugstore, farmacia, vitamins, optical, opticians, optician, beauty supply, beauty supplies, medical supply, medical supplies, nutrition store, herbs, perfume, perfumes, cosmetics, supplements, hearing aids, eyewear, eyeglasses, herbal products, botanica, natural products',
  'Specialty Retail':
    'gifts, gift shop, gift, books, bookstore, book store, toys, toy store, comics, antiques, antique, collectibles, collectables, thrift, thrift store, thrift shop, swap meet, discount store, dollar store, variety store, sporting goods, bike shop, bicycles, bicycle shop, surf shop, skate shop, surfboards, guitars, music store, records, video rental, video store, video games, fabrics, fabric, yarn, crafts, art supplies, party supplies, party supply, cellular, wireless, cell phones, cellphone, stationery, souvenirs, newsstand, resale, consignment, used books, coins, stamps, hobbies, hobby shop, bikes, cyclery, candles, games, trading cards, general store, discount, novelties, discoteca, vintage, guns, firearms, gun shop, beads, frames, dollar, electronics store, merchandise, 99 cents, water store, cards and gifts, gift baskets, baskets, sports cards, pawn and jewelry shop, balloons, cameras store, aquarium store',
  'Online & Direct Sales':
    'ecommerce, e commerce, online sales, online store, online shop, mail order, internet sales, direct sales, ebay, distributor of avon',
  'Auto Repair':
    'auto repair, auto body, autobody, body shop, auto service, auto care, smog, smog check, smog test, muffler, mufflers, transmission, transmissions, brakes, brake, tune up, radiator, radiators, car wash, carwash, auto detail, auto detailing, detailing, auto glass, collision, automotive, automotive repair, auto center, car care, oil change, lube, mechanic, mechanics, mobile mechanic, auto upholstery, paint and body, auto electric, body and paint, alignment, auto works, auto tech, automobile repair, motor works, motorcycle repair, auto clinic, auto paint, car service center, window tinting, auto tint, tune ups, truck repair, diesel repair, auto spa, mobile detail, tires and brakes, autoworks, motor vehicle repair, hand car wash, mobile auto detail, auto painting, car audio, auto repairs, auto doctor, foreign car repair, engine repair, auto rebuilders, boat repair, boat detailing, marine repair, yacht detailing',
  'Auto Sales & Parts':
    'auto sales, used cars, auto parts, car sales, motors, motorsports, motorcycles, tires, tire, tire shop, wheels, auto wholesale, auto brokers, auto dealer, rent a car, car rental, auto rental, cars, honda, toyota, ford, nissan, chevrolet, auto mall, auto group, boat sales, yacht sales, yachts, auto salvage, auto wrecking, auto dismantling, auto accessories, automobiles, used auto parts, truck sales, llantera, llantas, vehicle sales, auto exchange, scooters, auto leasing, auto broker, motor sales, truck rental, auto auction, car stereo, rims, auto supply, trailer sales, rv sales',
  'Gas Stations':
    'gas station, gas, gasoline, fuel, fuels, service station, gas mart, petroleum, truck stop, gas and mart, chevron, exxon, mobil, texaco, arco, gas and food, filling station, food and fuel',
  'Transportation & Delivery':
    'trucking, transport, transportation, transports, logistics, delivery, deliveries, courier, couriers, messenger, freight, towing, tow, limousine, limousines, limo, taxi, taxicab, cab, cab co, cab company, shuttle, moving and storage, self storage, mini storage, storage, parking, valet parking, express delivery, hauling, cargo, shipping, drayage, warehousing, warehouse, stevedoring, steamship, auto transport, air cargo, airlines, airways, charter bus, forwarding, freight forwarding, shipping lines, auto transporters, truck lines, trucklines, transporting, tow service, port services, medical transportation, medical transport, ambulance, non emergency transportation, harbor services, dispatch, rideshare, chauffeur, freight lines, customs brokers, customs broker, transit, mail delivery, lines trucking',
  'Beauty & Hair':
    'salon, salons, hair, hair salon, hair design, hair studio, haircuts, hair cuts, hairstyling, hairstylist, barber, barbers, barbershop, barber shop, barbering, beauty salon, beauty, nails, nail, nail spa, nails spa, nails and spa, nail bar, manicure, pedicure, manicurist, eyelash, lash, lashes, eyebrow, brows, brow, threading, braids, braiding, hair braiding, skin care, skincare, esthetics, aesthetics, esthetician, aesthetician, tattoo, tattoos, ink tattoo, body piercing, piercing, makeup, make up, makeup artist, permanent makeup, waxing, wax, cosmetology, beauty bar, facials, stylist, stylists, hair stylist, peluqueria, coiffures, hairdressing, hair care, electrolysis, salon and spa, salon spa, extensions, cuts, fades, hair extensions, hair by, nails by, beauty parlor, beauty lounge, dreadlocks, hairstylists, hair and nails, nail lounge, nail studio, microblading, beauty studio, blow dry bar',
  'Spas & Massage':
    'massage, massages, day spa, spa, med spa, medspa, bodywork, body work, reflexology, foot spa, massage therapy, massage therapist, tanning, tan, tans, reiki, foot massage, sauna, body wraps, float spa, spray tan, massage and spa, weight loss, wellness spa, bodyworks massage',
  'Fitness & Recreation':
    'fitness, gym, gymnastics, yoga, pilates, crossfit, martial arts, karate, taekwondo, tae kwon do, tae kwan do, jiu jitsu, boxing, kickboxing, dance, dance studio, ballet, dancing, personal training, personal trainer, athletic club, health club, golf, golf course, bowling, bowl lanes, lanes, arcade, swim school, swimming lessons, sports club, tennis, sailing, surf school, surfing, scuba, skating, billiards, paintball, rowing, athletics, zumba, training studio, sport fishing, sportfishing, kung fu, tai chi, barre, batting cages, recreation, strength and conditioning, soccer, basketball, softball, baseball academy, archery, yacht club, laser tag, country club, paddle, kayaks, capoeira, marina, cycling studio, dance academy',
  Medical:
    'medical, medical group, medical clinic, medical center, clinic, clinica, physician, physicians, doctor, md, m d, dpm, chiropractic, chiropractor, chiropractors, chiropractics, acupuncture, acupuncturist, optometry, optometrist, optometric, physical therapy, podiatry, podiatrist, pediatrics, pediatric, dermatology, cardiology, surgery, surgical, surgeons, urgent care, oncology, urology, radiology, imaging, orthopedic, orthopedics, orthopaedic, ophthalmology, eye care, eyecare, vision care, vision center, dialysis, womens health, family medicine, internal medicine, anesthesia, neurology, gynecology, obgyn, ob gyn, rehab, rehabilitation, speech therapy, speech pathology, occupational therapy, health center, healthcare center, hospital, laboratory, laboratories, prosthetics, medicine, pathology, sports medicine, allergy, fertility, dietitian, naturopathic, nephrology, gastroenterology, midwifery, birth center, medical associates, medical corporation, pain management, primary care, healthcare clinic, eye center, eye institute, vein, plastic surgery, health clinic, oriental medicine, herbalist, diagnostic, diagnostics, phlebotomy, lab corp, dc, optometric center, hospice and palliative, orthotics, nurse practitioner, doula, wellness clinic',
  Dental:
    'dental, dentist, dentists, dentistry, dds, d d s, dmd, orthodontics, orthodontist, orthodontic, endodontics, periodontics, oral surgery, dental group, dental office, dental lab, dental laboratory, dental care, smiles, periodontal, prosthodontics, denture, dentures, teeth whitening',
  'Mental Health':
    'psychology, psychologist, psychological, psychotherapy, psychotherapist, psychiatry, psychiatric, counseling, counselling, counselor, mental health, behavioral health, family therapy, family therapist, marriage and family, lmft, mft, lcsw, hypnotherapy, hypnosis, addiction, recovery center, sober living, treatment center, psyd, therapist, substance abuse, behavioral, marriage family, hypnotherapist, psychotherapies, neuropsychology, drug treatment',
  'Senior & Social Care':
    'assisted living, senior living, residential care, board and care, home care, homecare, home health, home health care, hospice, nursing, caregivers, caregiver, caregiving, convalescent, elder care, eldercare, senior care, adult day, guest home, retirement, shelter, care home, group home, senior services, adult care, in home care, home health services, nursing home, companion care, nurses, nurse registry, adult day care, group homes, elderly care, adhc, respite care, residential facility, rcfe, retirement home, skilled nursing, foster family, sober living home',
  Childcare:
    'day care, daycare, child care, childcare, preschool, pre school, nursery school, family child care, learning center, montessori, kids care, head start, nanny, nannies, babysitting, family daycare, family day care, child development, child development center, early learning, infant care, after school, toddlers, child daycare, kindergarten, preschools, babysitter',
  'Education & Training':
    'school, schools, academy, tutoring, tutor, tutors, university, college, driving school, traffic school, music lessons, piano lessons, music school, education, educational, institute, training center, language school, learning, esl, test prep, lessons, art classes, flight school, traffic school, piano studio, guitar lessons, escuela, training institute, instruction, instructor, cpr training, swim lessons, math tutoring, schooling, sat prep, flight training, charter school, educators, school of music',
  'Pets & Veterinary':
    'pet, pets, dog, dogs, puppy, puppies, cat clinic, animal, animals, animal hospital, animal clinic, veterinary, veterinarian, dvm, kennel, kennels, grooming, dog grooming, pet grooming, pet sitting, pet sitters, dog walking, dog training, paws, canine, aquarium, aquariums, tropical fish, pet shop, pet supplies, pet hospital, doggie, doggy, pet care, birds, reptiles, pooch, groomers, groomer, dog walkers, vet, pet spa, pet food, dog daycare, pet salon, cat, cats, pet resort, mobile grooming, horse, equestrian, stables, bark',
  'Personal Services':
    'funeral, mortuary, mortuaries, cremation, crematory, dating service, escorts, psychic, fortune telling, tarot, palm reader, astrology, matchmaking, cemetery, memorial park, personal assistant, image consulting, funeral home, burial, personal shopper, watch repair, psychic readings, jewelry repair, shoe shine, life coach',
  'Laundry & Tailoring':
    'laundry, laundromat, coin laundry, cleaners laundry, dry cleaners, dry cleaner, dry cleaning, tailor, tailors, tailoring, alterations, shoe repair, coin op laundry, lavanderia, wash and fold, launderette, launderland, fluff and fold, seamstress, dressmaking, dressmaker, one hour cleaners, french cleaners, dry clean, linen service, linen supply, embroidery and alterations, sewing, valet cleaners',
  Legal:
    'law, law office, law offices, law firm, law group, attorney, attorneys, attorney at law, attorneys at law, legal, legal services, notary, notary public, paralegal, esq, legal document, llp attorneys, mediation, abogado, abogados, lawyer, lawyers, counsel, process server, process serving, signing agent, process servers, arbitration, court reporting, court reporters, legal support, attorney services, attorney service, bail bonds, immigration, immigration services, barrister, a professional law corporation, divorce, notaries, mobile notary, law corporation, live scan',
  'Accounting & Tax':
    'tax, taxes, tax service, tax services, income tax, accounting, accountancy, accountant, accountants, bookkeeping, bookkeeper, bookkeepers, cpa, c p a, payroll, tax preparation, cpas, enrolled agent, h and r block, bookkeeping services, tax prep, tax and accounting, tax center, auditing, accounting services, liberty tax, tax pros, taxman, bookeeping',
  'Real Estate':
    'real estate, realty, realtors, realtor, properties, property management, property, apartments, homes realty, land development, real estate services, property mgmt, real estate group, realtors inc, housing, escrow, property investments, property services, estates, property preservation, investment properties, property group, realty group, townhomes, land company, land co, appraisal, appraisals, appraisal service, real estate appraisal, appraisers, appraiser, realestate, leasing office, real property, apartment, condominiums, condos, homeowners association, hoa, holdings properties, brokers realty, home sales, rental homes, rental properties, vacation rentals, home rentals, real estate investments, home buyers, homebuyers, development properties, bienes raices, inmobiliaria, re max, remax, keller williams',
  Insurance:
    'insurance, insurance agency, insurance services, state farm, allstate, insurance brokers, seguros, bail insurance, insurance group, farmers insurance, ins agency, insurance agent, aflac, assurance, insurers, insurance service, underwriters, ins, ins services, ins svcs',
  'Banking & Finance':
    'mortgage, mortgages, bank, banks, credit union, financial, financial services, loans, loan, lending, lenders, payday loans, check cashing, cash advance, title loans, pawn, pawn shop, pawnbrokers, capital, wealth, wealth management, investments, investment, investors, investment group, securities, home loans, finance, credit, credit repair, credit services, money transfer, funding, savings, asset management, financial planning, financial group, currency exchange, financial advisors, equity, trading investments, title company, billing, mortgage group, mortgage services, mortgage company, venture capital, edward jones, savings bank, debt relief, debt, collection agency, collections agency, wealth advisors, merchant services, cash, capital partners, capital management, acquisitions, equities, hard money, venture partners, investing, crypto, bitcoin',
  Consulting:
    'consulting, consultants, consultant, consultancy, advisory, advisors, environmental consulting, management consulting, business consulting, consulting group, consulting services, management consultants, research, business development, business solutions, strategy, strategies, advisory services, coaching, business coaching, strategic, consulting inc, advisory group, consulting llc',
  'Business Services':
    'staffing, personnel, employment, employment agency, temporary services, security, security services, patrol, private patrol, investigations, investigation, private investigator, printing, printers, printing services, copy, copies, mailbox, mailboxes, mail boxes, secretarial, secretarial services, word processing, transcription, typing, translation, translations, translation services, interpreting, interpreters, interpreter, interpreting services, answering service, office services, office solutions, business services, virtual assistant, data entry, call center, packaging services, telemarketing, employment services, human resources, private security, guard services, security guard, security patrol, office supplies, medical billing, recruiting, recruiters, professional employer, executive search, talent agency, print shop, copy center, messenger services, labor solutions, business support, administrative services, document services, data services, court services, inspection services, medical transcription, editing, proofreading, writing, writer, writing services, facility services, headhunters, resume services, modeling agency, billing services, ups store, shredding, mailing services, fulfillment, postal, workforce, mystery shopping, coworking, executive suites, business center, back office',
  'Marketing & Design':
    'marketing, advertising, ad agency, public relations, graphics, graphic design, graphic designs, graphic arts, branding, interiors, interior design, interior designs, interior designer, signs, sign company, web design, design studio, designs, designer, designers, promotions, promotional products, marketing group, media group, creative services, illustration, typography, signage, social media, screen printing, embroidery, silkscreen, silk screen, market research, creative agency, digital marketing, fashion design, advertising agency, marketing services, marketing solutions, sign co, direct mail, vinyl graphics, copywriting, event marketing, home staging, staging, displays, banners, media relations, design group, design services, landscape design group, design associates',
  'Architecture & Engineering':
    'architect, architects, architecture, architectural, engineering, engineers, engineer, surveying, surveyors, land surveying, structural engineers, civil engineering, home inspection, home inspections, inspection, inspections, drafting, testing laboratories, geotechnical, landscape architects, landscape architecture, marine surveyor, marine surveyors, structural engineering, environmental engineering, architectural design, building design, engineering services, consulting engineers, materials testing, building inspection, architecture and design, cad services, engineering consultants, naval architects, aia, engineering group',
  Technology:
    'software, computer, computers, web, website, websites, internet, it services, it solutions, it consulting, web development, computer services, computer repair, computer consulting, technologies, technology, technology solutions, tech solutions, information systems, data systems, networks, networking, network solutions, computer systems, computing, cyber, cybersecurity, telecom, telecommunications, telephone, communications, broadband, hosting, web services, apps, app development, programming, information technology, systems integration, data solutions, network services, pc repair, phone repair, iphone repair, technical services, software solutions, digital solutions, cloud, telcom, micro systems, datacom, infosystems, computer solutions, computer service, web solutions, web hosting, automation, robotics, cellular repair, computer training, it support',
  'Construction & Trades':
    'construction, contractor, contractors, contracting, builders, builder, building contractors, general contractor, general contractors, remodeling, remodel, renovation, renovations, restoration, plumbing, plumber, plumbers, electric, electrical, electrician, roofing, roofers, roof, roofs, painting, painters, drywall, plastering, plaster, stucco, masonry, concrete, paving, asphalt, cement, hvac, heating, air conditioning, heating and air, heating and air conditioning, heating and cooling, refrigeration, tile, tiles, tile and stone, flooring, floors, hardwood floors, hardwood flooring, carpentry, cabinets, cabinetry, fence, fencing, glass, glazing, demolition, excavating, excavation, insulation, solar, framing, siding, windows and doors, garage doors, garage door, fire protection, fire sprinklers, scaffolding, welding, ironworks, iron works, ornamental iron, steel erectors, waterproofing, foundation repair, granite, marble, grading, home improvement, home improvements, home remodeling, design build, kitchen and bath, sheet metal, mechanical, pool construction, development construction, pools and spas, air, cooling, a c, ac repair, elevator, elevators, alarm systems, alarms, gutters, gutter, decks, decking, drilling, pipeline, pipelines, sandblasting, lathing, house movers, kitchens, custom homes, home builders, homebuilders, doors, windows, window, door, woodworking, woodworks, millwork, countertops, stone, woodwork, builders inc, structures, electric co, electrical contractors, electrical services, interior construction, landscape construction, wood floors, floor covering, floor coverings, carpet installation, carpet and flooring, backhoe, remodelers, shutters, fireplaces, caulking, scaffold, rebar, wallpaper, wallcovering, paint contractor, drainage, underground, seismic, remodelling, renovators, home repair contractors, sprinkler, sprinklers, fire systems',
  'Home Services':
    'handyman, handy man, handyman services, handyman service, home repair, home repairs, home maintenance, pest control, exterminators, exterminating, exterminator, termite, termites, pool service, pool services, pool cleaning, pool care, pool and spa, pools, locksmith, locksmiths, lock and key, lock and safe, appliance repair, appliance service, appliance, vacuum repair, tv repair, upholstery, chimney, chimney sweep, drain cleaning, rooter, sewer and drain, drain service, junk removal, hauling service, recycling, waste, disposal, movers, moving, moving company, moving services, moving service, tv and appliance, furniture repair, home services, trash, septic, furniture refinishing, refinishing, reupholstery, repairs handyman, property maintenance, building maintenance, lawn mower repair, mobile welding service, pool and spa service, air duct cleaning, sewing machine repair, organizing, dumpster, dumpsters, scavenger, demolition hauling, piano tuning, blinds cleaning repair, keys, lock, key, odd jobs, maintenance, maintenance services, home organization, professional organizer, estate sales, junk, salvage, scrap, metal recycling',
  Cleaning:
    'cleaning, cleaning service, cleaning services, house cleaning, janitorial, janitorial service, janitorial services, maid, maids, maid service, carpet cleaning, carpet care, window cleaning, window washing, carpet cleaners, steam cleaning, commercial cleaning, office cleaning, pressure washing, power washing, housekeeping, building services, limpieza, housecleaning, carpet and upholstery cleaning, grill cleaning, janitor, building maintenance services, clean up, custodial, upholstery cleaning, rug cleaning, hood cleaning, blind cleaning, drapery cleaning, housekeeper, sanitation, restoration cleaning, disinfecting, pressure wash, maintenance cleaning, cleanup, steam carpet, carpet steam, green cleaning, mobile wash, janitorial maintenance, chem dry',
  Landscaping:
    'landscape, landscaping, landscapes, gardening, gardener, gardeners, lawn, lawn care, lawn service, lawns, tree service, tree care, tree services, trees, tree trimming, garden service, garden maintenance, jardineria, irrigation, sod, tree surgery, arborist, tree experts, gardening service, yard service, lawn maintenance, landscape maintenance, landscape design, palm trees, turf, gardens, yard care, tree co, mowing, gardening services, landscaping services, lawn and garden, garden',
  'Hotels & Lodging':
    'hotel, hotels, motel, motels, inn, inns, bed and breakfast, hostel, lodge, lodging, suites, guest house, rv park, mobile home park, guesthouse, trailer park, resort, resorts, vacation rental, b and b, rooming house, campground, airbnb, mobile estates, mobile home estates',
  'Arts & Entertainment':
    'photography, photographer, photographers, photo, photos, photo studio, photographic, portraits, video, videos, video production, video productions, videography, productions, production, films, film, music, entertainment, theater, theatre, theatres, theaters, gallery, galleries, art, arts, artist, artists, art studio, dj, disc jockey, band, records music, recording, recording studio, studios film, pictures, motion pictures, museum, mobile dj, dj services, puppets, magic shows, clowns, ceramics, pottery, sculpture, paintings, fine art, fine arts, stained glass, photo booth, movie theater, cinema, cinemas, orchestra, symphony, opera, mariachi, musicians, comedy, circus, screenwriting, animation, publishing, publishers, publications, magazine, newspaper, press, film production, entertainment group, talent, photography studio, wedding photography, music productions, music production, voice over, sound recording, theatrical, music studio, media productions, glassworks, art gallery, framing gallery, photographics, photography inc, digital media, tv productions, pictures inc, sound, audio, stage, imagery, portrait, records label, murals, mosaics, creations by artist, ensemble, dee jay, filmworks, cinematic, artworks, photo art',
  'Travel & Events':
    'travel, travel agency, tours, tour, cruises, cruise, travel services, vacations, events, event planning, event services, event planner, party rental, party rentals, wedding, weddings, wedding planning, party planning, event productions, party planner, jumpers, bounce house, bounce houses, parties, charters, yacht charters, boat charters, event, special events, wedding services, event coordination, event rentals, event design, tickets, trade shows, event management, party, tour and travel, expeditions, party jumpers, inflatables, balloon decorations, viajes, jumper rental, destination weddings, wedding planner, event center, events center, conventions, expo, boat rentals, sightseeing, whale watching, adventures, wedding chapel, events by, tents and events, event venue',
  Manufacturing:
    'manufacturing, mfg, machine shop, machine works, machining, machine, fabrication, fabricators, foundry, plating, tool and die, castings, aerospace, plastics, tool co, precision machining, manufacturers, manufacturer, cnc, metal works, metalworks, metal fabrication, molding, powder coating, anodizing, extrusion, assembly, metal finishing, steel fabrication, chemicals, chemical, industries, precision products, cabinet shop, welding and fabrication, steel, forge, forging, metals, mills, refinery, refining, composites, fiberglass, packaging, sail makers, sailmakers, garment, garments, food products, tortilla factory, textile, textiles, bindery, milling, tooling, rubber, grinding, polymers, coatings',
  Wholesale:
    'wholesale, wholesalers, wholesaler, distributors, distributor, distributing, distribution, distribution center, import, imports, importers, importing, export, exports, import export, import and export, exporters, trading, trading co, trading company, distributions, supply co, seafood wholesale, wholesale distributors, wholesale foods, beverage distributors, importer, trading inc, industrial supply, wholesale produce, restaurant supply, electrical supply, plumbing supply, janitorial supply, building materials, roofing supply, welding supply, paper products, paper co, direct products, intl trading, international trading, marine supply, ship supply, enterprises import, vending, exporting',
  'Nonprofits & Community':
    'church, churches, iglesia, ministries, ministry, temple, foundation, foundations, charity, charities, association, chamber of commerce, union local, non profit, nonprofit, society, mosque, synagogue, fellowship, mission, coalition, community services, community center, boys and girls club, ymca, ywca, lions club, elks lodge, american legion, vfw, rotary, knights of columbus, civic league, alliance, ministerios, parish, chapel, community development corporation, league, booster club, federation, outreach, moose lodge, council, rescue mission, salvation army, eagles lodge, masonic lodge, fraternal, volunteers, veterans, outreach center, worship center, baptist, assembly of god, missionary, tabernacle, christian center, pta, soccer club, relief, habitat, youth center, friends of, ministries international, legion post, community church, community foundation',
  'Farms, Energy & Mining':
    'farm, farms, ranch, oil, oil co, oil company, energy, mining, aggregates, fisheries, orchard, orchards, vineyards, petroleum exploration, solar energy farm, utility, utilities, power plant, water company, dairy farm, groves, cattle, apiary, hydro farms, oil and gas, beekeeping, honey farm, fishing, lobster, agriculture, growers',
};

/** Words that several trades use: asked only where no strong word is found. */
const WEAK_WORDS: Words = {
  Restaurants:
    'kitchen, fish and chips, seafood, grub, food, foods, thai, sandwich shop, fish, dining, taste of, el pollo, hot dog, subway, chinese restaurant, cantonese, szechuan, curry, gourmet, snacks, house of pizza',
  'Bars & Nightlife': 'bar, club, ale house, taps, brew',
  'Cafes & Bakeries': 'tea, bread, cake, treats, sweet, chocolate, candy, brownies, pies, bakeshop',
  'Grocery & Convenience': 'market, mart, mercado, meat, 7 eleven, super, markets, water and ice',
  'Liquor & Tobacco':
    'wine, smoke, spirits, beverage, beverages, beer, greens collective, green collective, collective',
  'Clothing & Jewelry':
    'wear, shoe, silver, gold, kicks, closet, threads, style wear, shirts, leather, gems, garb, attire, accessories, bling, modas',
  'Home & Garden Stores':
    'home center, beds, plants, decor, lamps, sofas, home fashions, nursery, blooms, bouquets, petals, roses',
  'Health & Beauty Stores': 'optics, drug, herb, herbal, nutrition, vision, spectacles, vitamin',
  'Specialty Retail':
    'store, stores, outlet, shop, shoppe, bazaar, electronics, emporium, treasures, bargains, discounts, skateboards, mini mall, surf, retail, trends, trinkets, goods, game, phones, mobile phones, video games, gadgets, stuff, paper, book, variety, collection, collections, collectors',
  'Auto Repair':
    'auto, autos, automobile, automotives, motor, garage, car, tint, motorcycle, paint and body works, marine, truck, engine, engines, wash, auto works garage, customs, diesel',
  'Transportation & Delivery':
    'express, moving truck, lines, airport, trans, aviation, air services, flight, messengers, carrier, carriers, trucks, truckin, shipping and mail, maritime, freightliner, delivers',
  'Beauty & Hair':
    'style, styles, stylez, color, shear, shears, scissors, unisex, glamour, clippers, bella, curl, curls, polish, hairways, estetica, headquarters hair, mirror mirror, blades, skin, tips, razor, beautiful',
  'Spas & Massage':
    'body, therapeutic, wellness, healing, healing arts, relaxation, zen, holistic, therapies, touch',
  'Fitness & Recreation':
    'sports, training, athletic, trainer, bodies, sport, karate do, training fitness, athlete, boxing gym, pole, playground, cycling',
  Medical:
    'health, healthcare, health care, healthcare services, health services, therapy, care center, optometrists, rx, medical services, eye, biomedical, wellness center, physical, gyn, dr, spine, foot, ear nose',
  'Senior & Social Care':
    'care, manor, villa, homecare services, living, senior, seniors, care services, villas, home for the aged, companions, residential',
  Childcare: 'kids, childrens, children, child, kiddie, babies, child care services, tots, little ones, kidz',
  'Education & Training':
    'learning academy, seminars, workshop, workshops, studies, teaching, teacher, college prep, piano, educational services, classes, guitar, student',
  Legal: 'process, esquire, at law, legal aid, defense',
  'Real Estate':
    'realty inc, homes, land, real, development, developers, developments, rentals, rental, estate, leasing, partners lp, holdings, home, residences, relocation, tower, broker, brokers, brokerage, plaza',
  'Banking & Finance':
    'ventures, money, asset, assets, fund, stocks, trust company, exchange, bail, bonds, financing, trading fund, financial inc, pay',
  Consulting:
    'management, management services, management group, solutions group, planning, analysis, analytics, business, advising, coach, strategists, policy, training consultants, concepts consulting, sciences, mgmt, resources, insights, quality assurance',
  'Business Services':
    'services agency, agency, print, guard, business office, office, document, documents, mail, labels, lettering, support services, labor, safety, careers, jobs, staff, typesetting, secretary, temps, translator, notices, administrative, assistant, protection, copier, typing services, surveillance',
  'Marketing & Design':
    'design, graphic, sign, media, creative, promotion, promo, concepts, designed, promos, publicity, brand, logo, marketers, ads, interior',
  'Architecture & Engineering':
    'survey, surveys, inspectors, inspector, drafting services, testing, technical, planners',
  Technology:
    'systems, tech, digital, data, network, information, micro, electronic, pc, net, dot com, online, cyber cafe services, websites design, solution providers, techs, satellite, wifi, cable, bytes, online services, virtual, app, logic',
  'Construction & Trades':
    'building, paint, carpet, wood, custom wood, steel works, iron, interiors construction, restorations, remodels, drapery installations, installation, installations, installers, plumbing parts, bath, cabinet, heating oil, home design, contractor services, crane, lumber co, install, energy solutions, alarm, drywalls, panels',
  'Home Services':
    'repair, repairs, repair service, hauling and cleanup, pool, fix, home service, home solutions, pest, drain, drains, sewer, restoration services, tv, repair services, bugs, bug, refurbishing, clean outs, carpet repair, patio',
  Cleaning:
    'cleaners, clean, cleaner, maintenance service, carpet service, mop, spotless, sparkle, shine, shiny, dust',
  'Arts & Entertainment':
    'studio, studios, artistic, show, shows, musical, songs, cinema productions, images, image, works of art, handmade, voice, dj service, theatre company, quilts, jazz, concerts, lights, camera, visuals, visual, illustrations, melody, sounds, beats, clown, magician, artisan, sing, karaoke services, clay, canvas',
  'Travel & Events':
    'rent, celebrations, occasions, decorations, bridal events, party time, linens, occasion, ticket, voyages, getaways, boats, sails, charter, boat, yacht, tents, fiesta, fiestas',
  'Laundry & Tailoring': 'wash house, washateria, stitch, stitches, stitching',
  Manufacturing:
    'products, tool, tools, factory, works, industrial, makers, laser, instruments, manufacture, mold, weld, precision, soap, controls, ceramics factory, candle co, soaps, fabricating, hydraulics, equipment, candle',
  Wholesale:
    'supply, supplies, international, intl, sales, global, vend, sales co, worldwide, suppliers, sourcing, pacific trading, purchasing, traders, trade',
  'Nonprofits & Community':
    'community, center for, ministries inc, institute for, christian, youth, youth services, families, hope, ministers, society for, jewish, outreach services, people, lutheran, faith, advocates, catholic',
  'Hotels & Lodging': 'guest, bed breakfast, villa hotel, rooms, beach house, casitas',
  'Pets & Veterinary':
    'dog house, bird, paw, fish tanks, tails, fur, walkies, critters, critter, hound, k9, pony, tail, hounds, kitty, furry, woof',
  'Personal Services':
    'memorial, memorials, concierge, errands, errand, spiritual, reader, advisor, readings',
  'Online & Direct Sales': 'internet, online, website, websites',
  'Accounting & Tax': 'refund, refunds, ledger, books services, audit, 1040',
  Insurance: 'insured, benefits, insure, insurances, health plan',
  Landscaping: 'yard, landscapers, landscaper, grass, tree, plant care, greenery, yards',
  'Farms, Energy & Mining':
    'produce farms, honey, power, natural gas, eggs, strawberries, berries, berry, gardens farm, harvest',
  'Auto Sales & Parts':
    'auto imports, car audio, dealer, dealership, vehicles, motorsport, rv, trailers, motor cars, motorcars, auto center sales',
  'Food Trucks & Catering': 'vendor, banquet, chef, chefs, hot dog cart, mobile food',
};

export const STRONG = tableOf(STRONG_WORDS);
export const WEAK = tableOf(WEAK_WORDS);

function tableOf(words: Words): ReadonlyMap<string, Category> {
  return new Map(
    Object.entries(words).flatMap(([category, list]) =>
      list.split(', ').map((phrase): [string, Category] => [phrase, category as Category]),
    ),
  );
}
