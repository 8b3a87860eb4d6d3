/**
 * Recognizes legal forms and personal names. Mistakes some trade names for people, so use it for sole owners without a
 * trade name, not for all names of a register.
 */

import { ROMANCE, STRONG, splitNameWords as splitWords, WEAK } from '../../../shared/city/categories.ts';
import { COMMON_WORDS } from '../../../shared/city/languages.ts';
import { lazy, rememberLast } from '../../../shared/remember.ts';
import { openWordLists, readWordList } from '../../../shared/text/word-table.ts';
import { foldWords } from '../../../shared/words.ts';

const listOf = openWordLists('person-words.csv');
/** Splits a name, which several questions in a row ask about. */
const splitNameWords: (name: string) => readonly string[] = rememberLast(splitWords);

const GIVEN_NAMES = listOf('given');
/** Degrees and generational suffixes after a personal name. */
export const PERSON_TITLES = listOf('title');
/** Words of business names that indicate no category. Words that indicate one are in `kind-words.csv`. */
const BUSINESS_NAME_WORDS = listOf('business');
/** Business words that are also common family names. After a given name, they do not indicate a business. */
const SURNAME_BUSINESS_WORDS = listOf('surname');
/** Words of `SURNAME_BUSINESS_WORDS` that are also given names. As the first word, they do not indicate a business. */
const GIVEN_BUSINESS_WORDS = listOf('given-business');
const ARTICLES = listOf('article');
/** Titles before a name, which nicknames of shops have, too: `Mr. Softy`. */
const HONORIFICS = listOf('honorific');

const formsOf = openWordLists('company-forms.csv');
const FORMS: ReadonlyMap<string, string> = formsOf('form');
const SOLE_FORMS: ReadonlyMap<string, string> = formsOf('sole');
const FRONT_FORMS: ReadonlyMap<string, string> = formsOf('front');
/** The last words of the forms of sole traders. */
const SOLE_ENDS = new Set([...SOLE_FORMS.keys()].map((form) => form.split(' ').at(-1)!));
const LONGEST_FORM = Math.max(...[...FORMS.keys()].map((form) => form.split(' ').length));
/** The first words of all forms. Words that are not among them need no lookup. */
const FORM_STARTS = new Set([...FORMS.keys()].map((form) => form.split(' ')[0]!));

/**
 * Maximum letters of a form that may be a surname (`Ou`, `Sa`). It counts only after two other words, after one that is
 * not a person's name, or with periods.
 */
const SHORT_FORM = 2;

/** Words of trades. In Spanish, French and Portuguese names, the first word of a phrase names the trade. */
const BUSINESS_WORDS = new Set([
  ...[...STRONG.keys(), ...WEAK.keys()].flatMap((phrase) => phrase.split(' ')),
  ...[...ROMANCE.keys()].map((phrase) => phrase.split(' ')[0]!),
]);

/** The large lists, which are read when the first name is judged. */
const readLists = lazy(() => {
  const lists = [GIVEN_NAMES, listOf('name'), PARTICLES].flatMap((list) => [...list.keys()]);
  const names: ReadonlySet<string> = new Set([...readWordList('people-names.txt'), ...lists]);
  const common = COMMON_WORDS.flatMap(readWordList);
  const ordinary: ReadonlySet<string> = new Set(common);
  const ofNobody = common.filter((word) => word.length > 2 && !names.has(word));
  const business: ReadonlySet<string> = new Set([
    ...ofNobody,
    ...BUSINESS_NAME_WORDS.keys(),
    ...BUSINESS_WORDS,
  ]);
  return { names, ordinary, business };
});
/** Returns whether people have this name, as a given name or a surname. */
const isPeoplesName = (word: string): boolean => readLists().names.has(word);
export const isOrdinaryWord = (word: string): boolean => readLists().ordinary.has(word);
/** Returns whether a word is one of business names, or an ordinary word that is not a person's name. */
export const isBusinessWord = (word: string): boolean => readLists().business.has(word);

/** Words between the names of a couple or before unnamed others: `Maria y Jose Lopez`, `Lopez, Maria et al`. */
const JOINERS = listOf('joiner');
/** Before a given name, these words make it the name of a place or a church: `Santa Maria`. */
const SAINTS = listOf('saint');
/** Parts of surnames: `de la Cruz`, `van den Berg`. */
const PARTICLES = listOf('particle');

export type PersonOptions = {
  businessWords?: readonly string[];
  /**
   * Requires a sign that only people's names have: a common given name, a title, a middle initial, or the form
   * `Surname, Given`. Use it if most names are trade names and no column contains the owner: it recognizes 69% of
   * people, and mistakes 1% of company names for people.
   */
  isStrict?: boolean;
};

/** Above this share of names of only unknown words, the lists do not know their language. It is 0 to 13 % in English and Spanish. */
export const MOST_UNKNOWN_NAMES = 0.2;

const OTHER_SCRIPTS = /[^\P{L}\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

/** Returns whether a name is in the Latin script, the only script with word lists. */
export function hasKnownScript(name: string): boolean {
  return !OTHER_SCRIPTS.test(name);
}

/**
 * Returns true for `ODILE F FENWRIGHT`, `FENWRIGHT, ODILE`, `OSRIC & ODILE FENWRIGHT`, `A J TERNWOOD MD`. Returns false
 * for trade and company names, and for letters that are not Latin, because in other scripts the names of people and
 * shops have the same shape. Measured on Long Beach, it returns true for about 90 % of sole owners and partners without
 * a trade name (nearly all others are companies filed that way), and for about 3 % of the names of companies.
 */
export function looksPersonal(name: string, { businessWords = [], isStrict = false }: PersonOptions = {}) {
  if (!hasKnownScript(name) || /[\d@#+:!?*"]|['’]s\b|\.(?:com|net|org)/i.test(name)) return false;
  const people = name.split(BETWEEN_PEOPLE).map((one) => one.trim());
  if (people.length > 1) return people.every((one) => isPersonal(one, businessWords, true));
  return isPersonal(name, businessWords, isStrict);
}

/**
 * Returns whether a name has no word that people are named with, and one that people's names do not have: initials without
 * a vowel (`BK`), or an ordinary word with an ending or another word (`pickers`, `powerwashing`). A rare name is not enough.
 */
export function hasMadeUpWord(name: string): boolean {
  const words = splitNameWords(name);
  if (words.some((word) => word.length > 1 && !ARTICLES.has(word) && isPeoplesName(word))) return false;
  const isInitials = (word: string) => /^[b-df-hj-np-tv-xz]{2,}$/.test(word) && !PERSON_TITLES.has(word);
  return words.some((word) => isInitials(word) || isMadeUp(word));
}

const SHORTEST_PART = 4;
const ENDINGS = /^(?:[sz]|ers?|ed|ing?|ings|ments?|ions?|tions?|ry|y|iz|ive|als?|ful)$/;

function isMadeUp(word: string): boolean {
  const isKnown = (part: string) =>
    part.length >= SHORTEST_PART && (isOrdinaryWord(part) || isBusinessWord(part));
  const cuts = Array.from({ length: Math.max(0, word.length - SHORTEST_PART) }, (_, i) => SHORTEST_PART + i);
  return cuts.some(
    (at) => isKnown(word.slice(0, at)) && (ENDINGS.test(word.slice(at)) || isKnown(word.slice(at))),
  );
}

/** Separates people in one cell: `Fenwright, Odile - Ternwood, Bram`, `Odile Fenwright/Bram Ternwood`. */
const BETWEEN_PEOPLE = /[;/]|\s[-–]|[-–]\s/;

/**
 * Matches the surnames of partners, as firms have them: `Fenwright & Ternwood`, `Fenwright, Hull, Stone & Ternwood`. With one
 * comma, it may be a couple: `Fenwright, Osric & Odile`.
 */
const PARTNERS =
  /^(?:[\p{L}'’-]{2,}|(?:[\p{L}'’-]{2,} ){3,}[\p{L}'’-]{2,}|(?:[\p{L}'’-]{2,}, ){2,}[\p{L}'’-]{2,}) ?& ?[\p{L}'’-]{2,}$/u;

/** The first words of phrases. Others need no lookup. */
const PHRASE_STARTS = new Set([...STRONG.keys()].map((phrase) => phrase.split(' ')[0]!));

/** Returns whether a name is a firm's: surnames of partners, or a phrase that names a trade (`Harmony Child Care`). */
function isFirm(name: string): boolean {
  const words = splitNameWords(name);
  const isPhrase = (word: string, i: number) =>
    PHRASE_STARTS.has(word) && STRONG.has(`${word} ${words[i + 1]}`);
  if (words.some(isPhrase)) return true;
  return name.includes('&') && PARTNERS.test(name) && !words.some((word) => GIVEN_NAMES.has(word));
}

function isPersonal(name: string, businessWords: readonly string[], isStrict: boolean): boolean {
  if (isFirm(name)) return false;
  if (isSurnameFirst(name)) return !splitNameWords(name).some((word) => businessWords.includes(word));
  const all = splitNameWords(name).filter((word, i, { length }) => !isJoiner(word, i, length));
  const words = all.filter((word) => !PERSON_TITLES.has(word));
  if (!words.some((word) => word.length > 1) || all.length < 2 || words.length > 7) return false;
  if (SAINTS.has(all[0]!) && !name.includes(',')) return false;
  const isTrade = (word: string, i: number) =>
    word.length > 1 && (isBusinessWord(word) || businessWords.includes(word)) && !isSurname(words, i);
  return !words.some(isTrade) && (!isStrict || hasPersonalSign(name, all, words));
}

/** Returns whether a word joins names. A single letter at the beginning or end is an initial. */
function isJoiner(word: string, i: number, count: number): boolean {
  return JOINERS.has(word) && (word.length > 1 || (i > 0 && i < count - 1));
}

const SURE_TITLE = /^(?:md|jr|sr|ii|iv|rn|\w{3,})$/;
/** Matches a middle or last initial of two names, or two initials with periods, but not a letter that joins words: `Pan y Vino`, `Surf N Turf`. */
const INITIAL =
  /^[\p{L}'’-]{2,} (?:[b-df-hj-mp-tvwz]|\p{L}\.) [\p{L}'’-]{2,}$|^[\p{L}'’-]{2,}(?: [\p{L}'’-]{2,}){1,2} \p{L}\.?$|^(?:\p{L}\. ?){2,3}[\p{L}'’-]{3,}$/iu;

function hasPersonalSign(name: string, all: readonly string[], words: readonly string[]): boolean {
  const last = all.at(-1)!;
  return (
    words.some((word, i) => GIVEN_NAMES.has(word) && !SAINTS.has(words[i - 1] ?? '')) ||
    (PERSON_TITLES.has(last) && SURE_TITLE.test(last)) ||
    (HONORIFICS.has(all[0]!) && words.length > 1) ||
    INITIAL.test(name) ||
    (isMadeOfNames(words) && !isPairOfSurnames(name))
  );
}

/** Returns whether a name is `Fenwright & Ternwood`, as firms have. */
function isPairOfSurnames(name: string): boolean {
  return /^\S+ (?:&|and|y|e|et|und) \S+$/iu.test(name);
}

/**
 * Returns whether all words are people's names and one is nothing else (`Ternwood Lopez`, not `Best Price`), or at least
 * two of three (`Odile Lopez Santos`).
 */
function isMadeOfNames(words: readonly string[]): boolean {
  const long = words.filter((word) => word.length > 1 && !PARTICLES.has(word));
  const [known, unknown] = [long.filter(isPeoplesName), long.filter((word) => !isPeoplesName(word))];
  const sure = known.filter((word) => !isOrdinaryWord(word)).length;
  if (known.some((word) => SURNAME_BUSINESS_WORDS.has(word))) return false;
  return unknown.length === 0 ? sure > 0 : long.length > 2 && sure >= 2 * unknown.length;
}

/**
 * Returns whether a name has the form `Fenwright, Odile M`, in any language with Latin letters. Returns false for
 * `Copper Pot, The`, `Nail, Hair & Spa` and `Fenwright, Inc.`
 */
export function isSurnameFirst(name: string): boolean {
  if (!name.includes(',')) return false;
  const [surname = '', given = '', ...others] = name.split(',').map((part) => part.trim());
  if (!NAME_PART.test(surname) || !NAME_PART.test(given) || !others.every(isTitle)) return false;
  if (hasKnownScript(name) && (hasCompanyForm(name) || isFirm(name))) return false;
  const [family, own] = [splitNameWords(surname), splitNameWords(given)];
  if (
    family.length > 4 ||
    own.length > 5 ||
    own.every((word) => ARTICLES.has(word) || PERSON_TITLES.has(word))
  )
    return false;
  const hasGiven = own.some((word) => GIVEN_NAMES.has(word));
  if ([...family, ...own].some((word) => (hasGiven ? isTradeWord(word) : isListedWord(word)))) return false;
  return hasGiven || !own.some((word, i) => isJoiner(word, i, own.length));
}

const NAME_PART = /^\p{L}[\p{L}\p{M}'’.& -]*$/u;

const isTitle = (text: string) => splitNameWords(text).every((word) => PERSON_TITLES.has(word));

/**
 * Returns whether a name has only words or initials of its owner's name, in any order: `Odile F. Fenwright` or `O
 * Fenwright` for `Fenwright, Odile`, but not `Fenwright Plumbing`. The owner may be a company, so check `looksPersonal`
 * as well.
 */
export function isOwnersName(name: string, owner: string): boolean {
  const own = splitNameWords(owner);
  const words = splitNameWords(name).filter(
    (word) => word.length > 1 && word !== 'and' && !PERSON_TITLES.has(word),
  );
  const isOwn = (word: string) => own.includes(word);
  return words.some(isOwn) && words.every((word) => isOwn(word) || own.includes(word[0]!));
}

function isSurname(words: readonly string[], i: number): boolean {
  const [word, count] = [words[i]!, words.length];
  if (SURNAME_BUSINESS_WORDS.has(word))
    return i > 0 || GIVEN_BUSINESS_WORDS.has(word) || (count > 2 && !ARTICLES.has(word));
  const isAfterGiven = GIVEN_NAMES.has(words[0]!) && (i === 1 || (i === 2 && words[1]!.length === 1));
  return isAfterGiven && i === count - 1 && mayBeSurname(word);
}

/** Returns whether a word is one of business names or of trades, and not a family's. */
function isListedWord(word: string): boolean {
  if (word.length < 2 || SURNAME_BUSINESS_WORDS.has(word)) return false;
  return BUSINESS_NAME_WORDS.has(word) || BUSINESS_WORDS.has(word);
}

/** Returns whether a word names a trade and no family. A word of a longer phrase may: `Hull` of `hull cleaning`. */
function isTradeWord(word: string): boolean {
  return word === 'the' || (BUSINESS_WORDS.has(word) && isListedWord(word) && !mayBeSurname(word));
}

function mayBeSurname(word: string): boolean {
  return !BUSINESS_NAME_WORDS.has(word) && !STRONG.has(word) && !WEAK.has(word) && isPeoplesName(word);
}

const BODY =
  /\b(?:company|co|trust|association|assoc|university|county|church|foundation|partnership|society|club)\b/;

const COMPANY_ELSEWHERE =
  /公司|会社|法人|組合|주식회사|유한회사|บริษัท|בע["״'׳]{0,2}מ|(?<!\p{L})(?:ооо|оао|зао|пао|ао|тоо|тов|ат|пат|оод|еоод|еад|доо|εε|οε|αε|επε|ικε|شركة|مؤسسة)(?!\p{L})/iu;

/**
 * Returns whether `name` is only a person's name and one of `owners`, who must be a person, proves it: the same names in
 * another order or with initials (`Odile F. Fenwright` and `Fenwright, Odile`), or the surname and given names (`Osric &
 * Odile Fenwright` and `Fenwright, Osric`). A company may repeat its name as its owner's, so the same text proves nothing
 * unless only a person can have it. In a script without word lists, the name needs only the words of the owner's name,
 * even a single word.
 */
export function namesOnlyOwner(name: string, ...owners: string[]): boolean {
  const bare = /\d$/.test(name) ? name.replace(GLUED_NUMBER, '') : name;
  if (bare !== name) return looksPersonal(bare) && owners.some((owner) => haveSameWords(bare, owner));
  const words = splitNameWords(name);
  if (words.length === 0) return false;
  const isPerson = (owner: string) => owner !== '' && !isCompany(owner);
  if (!hasKnownScript(name))
    return (
      !isCompany(name) && owners.filter(isPerson).some((owner) => hasWordsOf(words, splitNameWords(owner)))
    );
  const related = owners.filter((owner) => splitNameWords(owner).some((word) => words.includes(word)));
  if (words.length < 2 || related.length === 0 || isCompany(name)) return false;
  if (related.some((owner) => isSoleTraders(words, owner))) return true;
  return related.flatMap(splitOwners).some((owner) => isPerson(owner) && isNameOf(name, words, owner));
}

/** Returns whether a name has only words of a sole trader's own: `Odile Fenwright` for `Odile Lopez Fenwright ME`. */
function isSoleTraders(words: readonly string[], owner: string): boolean {
  const hasNumber = SOLE_NUMBER.test(owner);
  const person = hasNumber ? owner.replace(SOLE_NUMBER, '') : cutSoleForm(owner);
  if (person === undefined || !hasWordsOf(words, splitNameWords(person))) return false;
  return hasNumber || looksPersonal(person, { isStrict: true }); // a form may be a company's size: `Heron Moveis ME`
}

/** Lists the owners in one cell, also as one name: `Odile Fenwright, Bram Ternwood`, `Fern Coffee/Odile Fenwright`. */
function splitOwners(owner: string): string[] {
  return owner.split(/[/;|]/).flatMap((text) => {
    const one = text.trim();
    const parts = one.split(',').map((part) => part.trim());
    if (parts.length < 2 || isCompany(one)) return [one];
    return [one, ...parts.filter((part) => part.includes(' '))];
  });
}

function isNameOf(name: string, words: readonly string[], owner: string): boolean {
  const theirs = splitNameWords(owner);
  const shared = words.filter((word) => word.length > 1 && theirs.includes(word));
  if (shared.length === 0) return false;
  const isTrade = (word: string) => word.length > 1 && !theirs.includes(word) && isBusinessWord(word);
  const isOwners = isOwnersName(name, owner) && !words.some(isTrade);
  // only people write their names in another order, even names that are words: `Angelus, Odile`
  if (isOwners && !isInOrder(words, theirs) && theirs.length < 5 && !theirs.some(isListedWord)) return true;
  const isClear = looksPersonal(owner, { isStrict: true });
  if (!isClear && !looksPersonal(owner)) return false;
  if (isOwners) return isSurnameFirst(owner) || !isInOrder(words, theirs) || isUsualName(name, words);
  if (!isClear || !looksPersonal(name)) return false;
  const others = words.filter((word) => !shared.includes(word));
  if (shared.length > 1) return true;
  const isCertain = looksPersonal(name, { isStrict: true });
  // the same given name first: the surname may be another since a marriage, or misspelled
  if (GIVEN_NAMES.has(shared[0]!)) return isCertain && shared[0] === words[0];
  const isOwn = (word: string) => PERSON_TITLES.has(word) || JOINERS.has(word) || isPeoplesName(word);
  return others.every((word) => word.length === 1 || GIVEN_NAMES.has(word) || (isCertain && isOwn(word)));
}

/** Returns whether a name that a company could have, too, is clearly a person's or at least as short as most of them. */
function isUsualName(name: string, words: readonly string[]): boolean {
  const isShort = words.length < 4 && !words.some((word) => JOINERS.has(word)) && looksPersonal(name);
  return isShort || looksPersonal(name, { isStrict: true });
}

/** Returns whether `words` are among `theirs`, in the same order and none only as an initial. */
function isInOrder(words: readonly string[], theirs: readonly string[]): boolean {
  const places = words.map((word) => theirs.indexOf(word));
  return places.every((place, i) => place > (places[i - 1] ?? -1));
}

/** Matches the number of a cab, stall or chair after a person's name: `Odile Fenwright #153`. */
export const GLUED_NUMBER =
  /[\s,-]{0,3}(?:\b(?:cab|taxi|unit|booth|station|chair|no\.?)\s{0,3})?#?\s?\d{1,9}$/i;

/** Returns whether two names have the same words. Returns `false` for `Heron Kites #5` and `Heron Kites Stores`. */
function haveSameWords(name: string, owner: string): boolean {
  return !/\d/.test(owner) && isOwnersName(name, owner) && isOwnersName(owner, name);
}

/** Returns whether all words are the owner's or their initials, in any order. Some scripts join words. */
function hasWordsOf(words: readonly string[], owner: readonly string[]): boolean {
  const isOwn = (word: string) =>
    owner.includes(word) || (word.length === 1 && owner.some((one) => one.startsWith(word)));
  return (
    (words.some((word) => owner.includes(word)) && words.every(isOwn)) || words.join('') === owner.join('')
  );
}

/** Returns whether a name has a legal form or a word of public bodies, in any script. */
export function isCompany(name: string): boolean {
  return (
    BODY.test(splitNameWords(name).join(' ')) ||
    hasCompanyForm(name) ||
    COMPANY_ELSEWHERE.test(name.replaceAll('.', ''))
  );
}

/** Separates two names of one business. The first is the owner's before `DBA`, and either one beside a slash. */
const OTHER_NAME =
  /[\s,(](?:d\s?[./]?\s?b\s?[./]?\s?a|t\/a|[af]\s?[./]?\s?k\s?[./]?\s?a|doing business as|trading as)[\s.:]|(\/)/i;

/** Removes these characters from the end of a text. A regular expression would try each place. */
function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Returns the trade name of a person: `Copper Pot` for `Odile Fenwright DBA Copper Pot`. Returns other names unchanged. */
export function cutOwner(name: string): string {
  const found = OTHER_NAME.exec(name);
  if (found === null) return name;
  const [separator, slash] = found;
  const first = trimEnd(name.slice(0, found.index), ' ,(');
  const second = trimEnd(name.slice(found.index + separator.length).replace(/^[\s.:]+/, ''), ' )');
  if (first === '' || second === '') return name;
  const isOwner = (text: string, isStrict: boolean) =>
    !hasCompanyForm(text) && looksPersonal(text, { isStrict });
  if (isOwner(first, slash !== undefined)) return slash && isOwner(second, true) ? name : second;
  return isOwner(second, true) ? first : name;
}

/**
 * Matches a name that only a sole trader has in its register: after the form (`ИП Иванова Анна`), or beside the number of
 * the person or of the firm (`ODILE FENWRIGHT 01234567890`, also the number alone, `12.345.678 ODILE FENWRIGHT`, in Brazil).
 */
const SOLE_TRADER =
  /^(?:индивидуальный предприниматель|ип|фоп|фізична особа[ -]підприємець)\s[^"«“]*$|^(?:\p{L}[\p{L}'. -]*\s)?\d{11}$|^\d{2}\.\d{3}\.\d{3}\s(?!(?:LTDA|S\/?A|SLU|EIRELI)\b)\p{L}/iu;

const SOLE_NUMBER = /^\d{2}\.\d{3}\.\d{3}\s|\s\d{11}$/;

export function namesSoleTrader(name: string): boolean {
  return SOLE_TRADER.test(name);
}

/**
 * Removes a sole trader's form from the end of a name (`E.I.R.L.`). Returns `undefined` if there is none, or if the name is
 * a company's without it: `Heron Ltda ME`, where `ME` is the size.
 */
export function cutSoleForm(name: string): string | undefined {
  const words = foldWords(name).split(' ');
  if (!SOLE_ENDS.has(words.at(-1)!)) return undefined;
  for (let length = Math.min(LONGEST_FORM, words.length - 1); length > 0; length--) {
    if (!SOLE_FORMS.has(words.slice(-length).join(' '))) continue;
    const bare = words.slice(0, -length).join(' ');
    return hasCompanyForm(bare) ? undefined : bare;
  }
  return undefined;
}

/**
 * Returns whether a name contains a legal form (`LLC`, `GmbH`, `S.A.S.`) as a separate word after its first word, or begins
 * with one that stands before names (`SARL`).
 */
export const hasCompanyForm: (name: string) => boolean = rememberLast(findCompanyForm);

function findCompanyForm(name: string): boolean {
  const words = foldWords(name).split(' ');
  if (words.length > 1 && FRONT_FORMS.has(words[0]!)) return true;
  for (let start = Math.max(1, words.length - LONGEST_FORM - 3); start < words.length; start++) {
    if (!FORM_STARTS.has(words[start]!)) continue;
    for (let length = 1; length <= LONGEST_FORM && start + length <= words.length; length++) {
      const form = words.slice(start, start + length).join(' ');
      if (!FORMS.has(form)) continue;
      if (form.length > SHORT_FORM) return true;
      if (start + 1 === words.length && (words.length > 2 || !isPeoplesName(words[0]!))) return true;
    }
  }
  return false;
}
