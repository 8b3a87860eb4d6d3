/**
 * Whether a name is only a person's. Errs toward yes for the rows it is meant for (a sole owner without a trade name);
 * never to be asked of every name in a register, where it would take some trade names for people.
 */

import { STRONG, WEAK } from './kind-words.ts';
import { wordsOf } from './words.ts';

/** Degrees and generations that follow a person's name. */
const TITLES = new Set(
  'md dds dmd phd ph d jr sr ii iii iv esq cpa rn lvn lmft mft lcsw do dpm dvm od dc ea cfp mr mrs ms dr psyd lac msw ma mba ms rpt trustee tr ttee et al etal'.split(
    ' ',
  ),
);

/** Words of business names that tell no kind of business; the words that do are in `kind-words.ts`. */
const BUSINESS = new Set(
  `llc inc incorporated corp corporation co company companies ltd limited lp llp pllc plc pc apc group groups partners
  partnership associates associated enterprise enterprises services service svc svcs solutions solution the of for and
  los las el la le les un una mi mis su dba unlimited worldwide usa america american americas national united
  universal global western eastern northern southern pacific atlantic coast coastal beach bay ocean island islands harbor
  california calif cal florida texas illinois chicago socal lb downtown uptown midtown city town county village valley
  hills hill heights park street avenue blvd ave road corner square north south east west long beach bixby belmont
  signal lakewood shore shores seaside sea sunset sunrise sun moon star stars sky blue green red black white
  golden royal imperial queen kings crown majestic elite premier premium prime pro pros plus best first quality superior
  supreme ultimate perfect express quick fast speedy super mega ultra max new modern classic vintage original custom customs
  creative creations creation innovative innovations advanced advantage alpha omega apex summit pinnacle legacy heritage
  dynamic dynamics total complete one two three four five six seven eight nine ten first second third big little
  lil happy lucky magic magical dream dreams angel angels heaven heavenly paradise tropical aloha hawaii hawaiian
  asian asia thai thailand china chinese japan japanese korea korean mexico mexican india indian italian french greek
  cuban latin latino latina european euro world planet earth nature natural organic eco fresh pure clean simple simply easy
  smart bright light lights fire water air energy wave waves breeze wind rainbow diamond crystal pearl emerald ruby
  sapphire platinum titanium iron tiger lion eagle eagles dragon phoenix wolf bear fox hawk falcon panda monkey butterfly
  house home homes room rooms place corner spot zone world land depot warehouse center centre central plaza shop shops
  studio studios gallery mall outlet station world club lounge line lines link connection connections network
  system systems concept concepts project projects design designs works work team crew brothers bros sisters sons son
  family friends girl girls boy boys man men woman women mom moms mommy dad daddy mama papa baby babes lady ladies
  gentlemen guy guys sir mister doctor dr us my your our we you it its all everything every always forever ever
  more less only just live life living love loving heart hearts soul spirit mind body head hand hands foot feet face eyes
  good great nice cool hot cold sweet spicy tasty delicious yummy crazy wild free open call get got go let make keep
  day days night nights morning evening time times today summer winter spring autumn holiday vacation weekend
  distinctive distinction elegant elegance glamorous beautiful lovely pretty gorgeous fabulous fantasy fancy deluxe luxury
  professional professionals executive corporate commercial industrial residential general international integrated
  independent personal private public local metro metropolitan regional global community neighborhood
  technical mobile online virtual digital dot com net www touch vision visions image images sound sounds color colors
  power force edge extreme xtreme vital active action reliable affordable discount economy budget value bargain
  master masters expert experts specialist specialists specialty specialties authentic famous house taste flavor flavors
  delight delights garden gardens flower flowers rose roses lotus palm palms oak oaks pine tree trees leaf forest
  river lake mountain desert canyon rock rocks stone wood sand palace castle tower gate bridge port anchor captain
  salon bella bello casa rancho rincon mundo tierra sol luna estrella amor vida flor flores corazon ritmo cielo mar azul
  nuevo nueva gran grande super rapido hermanos amigos familia con por para del y e n of at by on in to from with or
  supply supplies products product goods gear equipment parts rental rentals leasing sales sale selling market markets
  marketing trading trade import imports export exports ventures venture holdings investments investment
  consulting consultants management training institute school academy center clinic hospital health healing care
  foundation ministries church temple society association council league alliance office offices agency bureau
  inspirations inspired inspiration boutique collection collections collective company adventures adventure
  thing things stuff etc ink art arts artistic crafts craft music musical song songs dance sport sports game games toy
  toys book books paper print photo video film films media productions production entertainment events event party`.split(
    /\s+/,
  ),
);

/** Business words that are family names as often: allowed after a given name. */
const SURNAMES = new Set(
  `law barber tan cash ford hope faith christian gold silver glass stone steel wood woods wine marina marble farmer butcher
  tailor garden gardens bird birds fish berry land money power king kings rose flowers flores luna rock park parks hill hills
  street house waters rivers lake west north east bell white black green brown gray blue young long bay wolf fox bear hawk
  love heart hearts price best day days winter summer holiday moon star page baker cook good mason carpenter painter
  chance rich bishop pope knight duke prince noble worth banks brooks fields forest cole reed singer piper porter sailor
  marine miller mills dean judge major son man head hand light bright frost snow rain angel angeles cruz pearl ruby diamond
  crystal grace joy harmony summers springer sweet care child childs kidd villa villas casa rosas dulce cielo mar del de la
  royal harmony curl key barron place golden autumn temple bello chase
  las los le el san santa van von der y e do da di ms lo un so an to on in or chin china fu doe guy`.split(
    /\s+/,
  ),
);

/** Given names among the words above: allowed at the front too. */
const GIVEN = new Set(
  'rose crystal ruby autumn summer grace joy pearl angel royal christian hope faith harmony'.split(' '),
);

/** True for `MARIA F WESTON`, `WESTON, MARIA`, `EDWIN & MIRNA SANDOVAL`, `A J KENT MD`; false for trade and company names. */
export function looksPersonal(name: string): boolean {
  if (/[\d/@#+:;!?*"]|['’]s\b|\.(?:com|net|org)/i.test(name)) return false;
  const words = wordsOf(name).filter((word) => !TITLES.has(word) && word !== 'and');
  const full = words.filter((word) => word.length > 1);
  if (full.length < 1 || words.length < 2 || words.length > 7) return false;
  return words.every((word, i) => word.length === 1 || isNamePart(word, i, words.length));
}

function isNamePart(word: string, i: number, count: number): boolean {
  if (!isBusinessWord(word)) return true;
  return SURNAMES.has(word) && (i > 0 || count > 2 || GIVEN.has(word));
}

function isBusinessWord(word: string): boolean {
  return BUSINESS.has(word) || STRONG.has(word) || WEAK.has(word);
}
