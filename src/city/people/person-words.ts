/** Words of people's names and of business names, in the languages of registers in the United States. In lower case. */

/** Degrees and generational suffixes that follow a personal name. */
export const PERSON_TITLES: ReadonlySet<string> = new Set(
  'md dds dmd phd ph d jr sr ii iii iv esq cpa rn lvn lmft mft lcsw do dpm dvm od dc ea cfp mr mrs ms dr psyd lac msw ma mba ms rpt trustee tr ttee et al etal'.split(
    ' ',
  ),
);

/** Words of business names that indicate no category; those that do are in `kind-words.ts`. */
export const BUSINESS_NAME_WORDS: ReadonlySet<string> = new Set(
  `incorporated companies ltd limited lp llp pllc plc pa lc apc groups partnership associated enterprise
  enterprises svc solution the for los las el la le les un una mi mis su dba unlimited worldwide usa america
  americas national united universal global western eastern northern southern pacific atlantic coast coastal beach
  bay ocean island islands california calif cal florida texas illinois downtown uptown midtown
  city town county village valley hills hill heights street avenue blvd ave road corner square north south east
  west signal shore shores seaside sea sunset sunrise sun moon star stars sky blue
  green red black white golden royal imperial queen kings crown majestic elite premier premium prime pro plus best
  first quality superior supreme ultimate perfect fast speedy mega ultra max new modern classic original creation
  innovative innovations advanced advantage alpha omega apex summit pinnacle legacy heritage dynamic dynamics
  total complete two three four five six eight nine ten second third big little lil happy lucky magical dream
  dreams angel angels heaven heavenly paradise aloha hawaii hawaiian asia thailand china japan japanese korea
  korean mexico india indian italian greek cuban latin latino latina european euro world planet earth nature
  organic eco fresh pure simple simply easy smart bright light lights wave waves breeze wind rainbow diamond
  crystal pearl emerald ruby sapphire platinum titanium tiger lion eagle dragon phoenix wolf bear fox hawk falcon
  panda monkey butterfly rooms place spot zone depot centre central shops studios line link connection connections
  system concept concepts project projects work team crew brothers bros sisters sons son girl boy men woman women
  mom moms mommy dad daddy mama papa baby babes lady ladies gentlemen guy guys sir mister dr us my your our we you
  its all everything every always forever ever more less only just love loving heart hearts spirit mind hand hands
  foot feet face eyes good great nice cool cold sweet spicy tasty delicious yummy crazy wild free open get got go
  let keep days nights morning evening time times today summer winter spring autumn holiday weekend distinctive
  distinction elegant elegance glamorous lovely pretty gorgeous fabulous fantasy fancy deluxe luxury professionals
  corporate commercial industrial integrated independent metro metropolitan regional neighborhood dot com www
  touch visions images sound sounds color colors force edge extreme xtreme vital active action reliable affordable
  economy budget value bargain master masters expert specialist specialists specialty specialties authentic famous
  taste flavor flavors delight delights gardens rose roses lotus palms oak oaks pine leaf forest river lake
  mountain desert canyon rock rocks sand palace castle tower gate bridge anchor captain bella bello casa rancho
  rincon mundo tierra sol luna estrella amor vida flor flores corazon ritmo cielo mar azul nuevo nueva gran grande
  rapido hermanos amigos familia con por para del at on in to from with or product gear equipment sale selling
  markets ventures holdings healing temple society council alliance bureau inspirations inspired inspiration
  adventure thing things etc ink craft musical song songs game 1040 99 ads advising advisor advocates aerospace
  aflac aged aid airport ale allstate artisan assets athlete athletic attire audit aviation babies bakeshop
  balloons banners bargains bazaar beats beds benefits berries berry beverages biomedical bird birds blades blind
  blooms boats bodies bodyworks bouquets bowl bowling boxing brand bread brew brownies bug bugs builder bytes
  cable cake camera candle candy cantonese canvas careers carrier carriers cart casitas catholic celebrations
  cents chefs chevron children childrens chips civic civil clay clippers clown coin collectors college
  communications companion companions computing concerts concierge controls copier counseling country course
  covering crane critters cruises curl curls curry dealership defense delivers designed designers destination
  developers developments discounts distributing documents door drains drapery drive driving drywalls dust ear
  education educational eggs electronic embroidery emergency engines environmental errand errands espresso esquire
  estetica expo fabric fabricating faith families farms fiesta fiestas financing float freightliner fried fur
  furry gadgets garage garb gems getaways glamour golf gourmet granite grass greenery greens grub guitar hairways
  handmade harvest headquarters herb holistic hood hope horse hound hounds hydraulics hydro hydroponic
  illustrations income industries inn inspector inspectors install installers instruments insurances insure
  insured internal jazz jewish k9 karaoke keys kicks kidz kitchens kitty knights labels lamps landscaper
  landscapers language leather lettering liberty lighting linens logic logistics logo loss lutheran magazine
  magician manufacture marina maritime marketers math med melody memorials messengers mfg mills ministers ministry
  mirror mobil modas mold mop motion motorcars motorsport museum naval nose notices occasion occasions ones op
  optics optometrists organizing oriental outs paintball panels patio paw paws pay payday pediatric people
  permanent photos pies plan planners plastic plastics playground pole policy polish pony press promos promotion
  providers publications publicity publishing puppy purchasing quilts razor re recovery refund refunds
  refurbishing rehab relaxation relocation remax remodels residences restoration restorations rx safety sailing
  sails satellite savings sciences scissors secretary self seminars seniors shears shine shiny shoppe show signs
  silver sing skateboards skilled soap soaps sofas sourcing sparkle special spectacles spine spiritual
  sportfishing spotless staff stage state stitch stitches stitching stocks stores strategies strategists
  strawberries structural student studies style styles stylez suppliers surveillance survey surveys szechuan tail
  tanks taps teacher teaching technologies techs temps tents theatre theatres therapeutic therapies ticket tickets
  tips tools tots traders traffic trailers trans translator treasures treats trends trinkets truckin trucks trust
  typesetting underground university used vehicles vend vending vendor villas vinyl visual visuals vitamin voyages
  walkies washateria weight weld wifi woodwork woodworks woof workshop workshops yards zen acquisitions aia
  analytics artistic artists athletics bark chevrolet coatings consultant design equity ford funding garment honda
  imagery installations investing investments marketing museum outlet outreach parish plastics pta publishers
  rehabilitation snack snacks stables strategic strategy tans theatrical transit vintage boutique boutiques lawncare naturals hibachi
  smokehouse eats munchies wireless accessories atelier lawnscape shed motors`.split(/\s+/),
);

/** Business words that are also common family names: allowed after a given name. */
export const SURNAME_BUSINESS_WORDS: ReadonlySet<string> = new Set(
  `french angel art autumn back banks barber bay bear bello berry best bird birds black blue boy bright butcher
  cable candy care casa cash chem chi child china christian cielo clay crystal curl curry day days dee del
  diamond diamonds do east edge el estrella faith falcon first fish flores flowers ford forest foster fox fried
  fu garden gardens glass golden good gran green guy hall hand hawk head heart hearts hill hills holiday hood
  hope house in jay key kings kung kwon la lake land las law le light little loan long los love luna man mar
  marble marina marine master melody mercado mi mills money moon my north on or park pay pearl place power rock
  rose royal ruby sales shore silver sky solar son song star steel stone street su summer sun sweet tae tailor
  tan tap temple thai tiger to un villa villas west white wine winter wolf wood you`.split(/\s+/),
);

/** Given names among the words above: also allowed at the beginning. */
export const GIVEN_BUSINESS_WORDS: ReadonlySet<string> = new Set(
  'rose crystal ruby autumn summer pearl angel royal christian hope faith marina estrella jay dee sky foster art clay melody candy thai tiger'.split(
    ' ',
  ),
);

export const ARTICLES: ReadonlySet<string> = new Set('la las los le el an'.split(' '));
