/**
 * Makes the tables of `src/data` that say what words of others mean: trades in other languages (OpenStreetMap's presets), brands
 * (name-suggestion-index), and activities (the index of NAICS). They hold only what our own lists do not say already.
 */

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CATEGORIES, naicsCategory } from '../../src/shared/city/categories.ts';
import { UNCATEGORIZED } from '../../src/shared/listing.ts';
import { splitCsvText } from '../../src/shared/text/csv-text.ts';
import { splitWords } from '../../src/shared/words.ts';

/** English, the languages that most people of the United States speak at home, and those of their neighbors. */
const LANGUAGES = [
  'en',
  'es',
  'fr',
  'zh',
  'zh-TW',
  'vi',
  'ko',
  'tl',
  'fil',
  'ar',
  'pt',
  'ru',
  'ja',
  'de',
  'it',
  'pl',
];
/** Where a brand must have shops. */
const NORTH_AMERICA = new Set(['us', 'ca', '001', '019', '021', '003', 'q65']);
const MOST_WORDS = 4;
const SHORTEST = 3;

const require = createRequire(import.meta.url);
const versionOf = (name) => require('./package.json').dependencies[name];
const here = (file) => new URL(file, import.meta.url);
const recipe = createHash('sha256');
for (const file of ['./vocabulary.mjs', './kinds.csv', '../../src/data/categories.json'])
  recipe.update(readFileSync(here(file)));
const hash = recipe.digest('hex').slice(0, 12);

const TABLES = ['preset-words.csv', 'brand-words.csv', 'activity-words.csv'];
// what our own lists say is read without these tables
for (const file of TABLES) write(file, new Map(), 'Empty while it is made anew.');
const { kindOf } = await import('../../src/register/profile/categories/kind.ts');
const { kindOfType } = await import('../../src/register/profile/categories/kind-of-type.ts');

const kinds = new Map(
  splitCsvText(readFileSync(here('./kinds.csv'), 'utf8').replace(/^#.*\n/gm, ''), ',')
    .slice(1)
    .flatMap(({ cells: [category, tags] }) => tags.split('|').map((tag) => [tag, category])),
);

function kindOfTag(tag) {
  const parts = tag.split('/');
  while (parts.length > 1 && !kinds.has(parts.join('/'))) parts.pop();
  return kinds.get(parts.join('/'));
}

const fold = (text) => splitWords(text).join(' ').normalize('NFC');

/** Only whole trades: `amenity/restaurant/chinese` says less than its category finds. */
const presets = require('@openstreetmap/id-tagging-schema/dist/presets.min.json');
const tags = Object.keys(presets).filter((tag) => kinds.has(tag) && presets[tag].searchable !== false);
const phrases = new Map();
for (const language of LANGUAGES) {
  const translated = Object.values(
    require(`@openstreetmap/id-tagging-schema/dist/translations/${language}.min.json`),
  )[0].presets?.presets;
  for (const tag of tags) {
    const { name = '', aliases = '' } = translated?.[tag] ?? {};
    const given = Array.isArray(aliases) ? aliases : aliases.split('\n');
    for (const text of [name, ...given]) add(phrases, fold(text.replace(/\(.*?\)/g, '')), kinds.get(tag));
  }
}
write(
  'preset-words.csv',
  phrases,
  `Names and aliases of trades in ${LANGUAGES.length} languages, read where nothing else is found: from @openstreetmap/id-tagging-schema ${versionOf('@openstreetmap/id-tagging-schema')} (ISC).`,
);

const { nsi } = JSON.parse(
  readFileSync(here('./node_modules/name-suggestion-index/dist/json/nsi.min.json'), 'utf8'),
);
const brands = new Map();
for (const [path, { items }] of Object.entries(nsi)) {
  const category = path.startsWith('brands/') && kindOfTag(path.slice('brands/'.length));
  if (!category) continue;
  for (const { displayName, locationSet } of items) {
    const isHere = locationSet.include.some((place) =>
      NORTH_AMERICA.has(String(place).toLowerCase().split('-')[0]),
    );
    if (isHere && kindOf({ name: displayName }) === UNCATEGORIZED) add(brands, fold(displayName), category);
  }
}
write(
  'brand-words.csv',
  brands,
  `Brands of North America whose names say no trade: from name-suggestion-index ${versionOf('name-suggestion-index')} (BSD-3-Clause).`,
);

const activities = new Map();
const naics = (file) =>
  splitCsvText(readFileSync(here(`../../../shared/data/naics/${file}`), 'utf8'), ',').slice(1);
for (const {
  cells: [code, activity],
} of naics('naics-2012-index.csv'))
  if (splitWords(activity).length <= MOST_WORDS) addActivity(code, activity);
// titles of the present codes, some of which end in a stray T; a title of two codes has the category of the last
for (const {
  cells: [code = '', title = ''],
} of naics('naics_2022.csv'))
  if (/^\d{2,6}$/.test(code)) addActivity(code, title.trim().replace(/(?<=[a-z)])T$/, ''), true);
write(
  'activity-words.csv',
  activities,
  'Activities and titles whose words alone do not lead to the category of their code: the index of NAICS 2012 and the titles of NAICS 2022 (US Census Bureau, public domain).',
);

/** `isTitle`: a title has any length, and counts before an activity. An activity never contradicts our own words. */
function addActivity(code, text, isTitle = false) {
  const category = naicsCategory(code);
  const known = kindOfType(text);
  if (isTitle ? category === known : category === undefined || known !== undefined) return;
  if (isTitle) activities.set(fold(text), category ?? UNCATEGORIZED);
  else add(activities, fold(text), category);
}

/** A phrase of two categories has none. */
function add(table, phrase, category) {
  if (phrase.length < SHORTEST && /^[\x00-\x7f]*$/.test(phrase)) return;
  if (phrase === '' || splitWords(phrase).length > MOST_WORDS) return;
  table.set(phrase, table.has(phrase) && table.get(phrase) !== category ? '' : category);
}

/** Writes a table: sorted phrases, a line for each category. */
function write(file, table, about) {
  const lines = CATEGORIES.flatMap((category) => {
    const words = Array.from(table, ([phrase, one]) => (one === category ? [phrase] : [])).flat();
    return words.length === 0
      ? []
      : [`${category.includes(',') ? `"${category}"` : category},${words.sort().join('|')}`];
  });
  const head = `category,words\n# ${about}\n# Made by tools/words/vocabulary.mjs ${hash}.\n`;
  writeFileSync(here(`../../src/data/${file}`), `${head}${lines.join('\n')}\n`);
}
