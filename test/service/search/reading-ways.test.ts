/** Other ways to ask the same have the same meaning. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aTown, ROWS, read } from './shops.ts';

/** What is asked, and other ways to ask it. */
const WAYS: Record<string, string[]> = {
  'bars not in old town': [
    ...['bars outside old town', 'bars except old town', 'bars but not in old town', 'non old town bars'],
    ...['bars not located in old town', 'bars in any neighborhood but old town', 'all bars minus old town'],
    ...['bars that aren’t in old town', 'bars, not old town', 'bars apart from the ones in old town'],
  ],
  'restaurants not pizza': [
    ...['restaurants other than pizza', 'restaurants without pizza', 'restaurants that don’t serve pizza'],
    ...['non-pizza restaurants', 'restaurants with no pizza', 'restaurants that are anything but pizza'],
  ],
  'bars vs cafes': [
    ...['compare bars and cafes', 'more bars or cafes', 'bars v cafes', 'do bars outnumber cafes'],
    ...['ratio of bars to cafes', 'what opens more, bars or cafes', 'how many bars compared with cafes'],
    ...['is it bars or cafes that open more', 'bars or cafes: which open more often'],
    ...['how do bars compare with cafes', 'which is more common, bars or cafes'],
  ],
  'more bars in 2015 than in 2014?': [
    ...['bars 2015 vs 2014', 'have bars increased from 2014 to 2015', 'bars in 2015 relative to 2014'],
    ...['bars up or down from 2014 to 2015', 'how does 2015 compare to 2014 for bars', 'bars 2015 v 2014'],
  ],
  'bars in 2014 compared to 2015': [
    ...['did more bars open in 2014 or 2015', 'bars in 2014 and in 2015 compared'],
    ...['which year had more bars, 2014 or 2015', 'compare bars in 2014 and 2015'],
  ],
  'which neighborhood has the most bars': [
    ...[
      'where are the most bars',
      'top neighborhoods for bars',
      'bars by neighborhood',
      'hot spots for bars',
    ],
    ...[
      'where did the most bars open',
      'where is the largest concentration of bars',
      'bars in each neighborhood',
    ],
  ],
  'how many bars': [
    ...[
      'number of bars',
      'how many bars are in town',
      'quantity of bars',
      'a tally of bars',
      'count of bars',
    ],
  ],
  'closed bars': [
    ...['bars that closed', 'bars no longer open', 'bars that shut their doors', 'bars that folded'],
    ...['defunct bars', 'shuttered bars', 'bars that no longer exist', 'bars marked closed'],
  ],
  'open bars': [
    ...['bars still in business', 'bars that are still open', 'operating bars', 'bars that remain open'],
  ],
  'bars per year': [
    ...['bars over time', 'history of bars', 'bars timeline', 'annual number of bars', 'growth of bars'],
    ...['how have bars changed', 'how many bars open each year', 'change in bars'],
  ],
  'bars or cafes': ['bars and cafes', 'bars/cafes', 'both bars and cafes', 'bars as well as cafes'],
  'bars in old town': [
    ...['old town bars', 'bars located in old town', 'bars based in old town', 'does old town have any bars'],
    ...['is there a bar in old town', 'bars in the old town neighborhood', 'bars in or around old town'],
  ],
  'bars less than five years old': ['bars newer than 5 years', 'bars no older than five years'],
  bars: [
    'newest bars',
    'bars newest first',
    'bars most recent first',
    'which bar opened last',
    'any new bars',
  ],
};

const FRENCH_WAYS: Record<string, string[]> = {
  'bars sauf à old town': [
    ...[
      'bars pas à old town',
      'bars hors de old town',
      'bars non situés à old town',
      'bars ailleurs qu’à old town',
    ],
    ...['bars qui ne sont pas à old town', 'bars partout sauf à old town'],
  ],
  'bars contre cafés': [
    ...['y a-t-il plus de bars que de cafés', 'compare les bars aux cafés', 'bars par rapport aux cafés'],
    ...['bars ou cafés, lesquels sont plus nombreux', 'les bars sont-ils plus nombreux que les cafés'],
  ],
  'bars en 2015 par rapport à 2014': [
    ...['les bars ont-ils augmenté de 2014 à 2015', 'plus de bars en 2015 qu’en 2014 ?'],
    ...['bars en hausse ou en baisse de 2014 à 2015', 'bars 2015 contre 2014'],
  ],
  'quel quartier a le plus de bars': [
    'où ouvrent le plus de bars',
    'bars par quartier',
    'top des quartiers pour les bars',
  ],
  'combien de bars': [
    'nombre total de bars',
    'quantité de bars',
    'combien de bars en ville',
    'compter les bars',
  ],
  'bars fermés': ['bars qui ont fermé', 'bars disparus', 'bars qui ne sont plus ouverts', 'bars ayant fermé'],
  'bars encore ouverts': ['bars en activité', 'bars qui existent encore', 'bars toujours là'],
  'évolution des bars': [
    'bars par an',
    'bars au fil du temps',
    'historique des bars',
    'comment ont évolué les bars',
  ],
  'bars à old town': ['bars situés à old town', 'bars du côté de old town', 'y a-t-il un bar à old town'],
  'nouveaux bars': ['bars tout neufs', 'bars ouverts récemment', 'bars du plus récent au plus ancien'],
  'le plus ancien bar': ['le plus vieux bar', 'le premier bar', 'quel bar est le plus vieux'],
};

for (const [ask, table] of [
  [read, WAYS],
  [aTown(ROWS, { language: 'fr' }, '2016-10-06').read, FRENCH_WAYS],
] as const)
  for (const [asked, ways] of Object.entries(table))
    test(`${asked}: however it is asked`, () => {
      const meaningOf = (q: string) => {
        const { words: _, claim: __, ...meaning } = ask(q);
        return meaning;
      };
      for (const way of ways) assert.deepEqual(meaningOf(way), meaningOf(asked), way);
    });
