/** What questions in French and Spanish mean, in a city of that language and in another one. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIndex } from '../../../src/service/search/index/open.ts';
import { formatQuestion } from '../../../src/shared/question.ts';
import { asking, partsOf } from './made-up.ts';
import { aTown, check, OPTIONS, ROWS, read } from './shops.ts';

const by = 'neighborhood';

test('a French city reads French questions, and splits words that French joins', () => {
  const rows = ROWS.map((row) => ({
    ...row,
    neighborhood: row.neighborhood === 'Old Town' ? 'Vieux Port' : 'Les Tanneurs',
  }));
  const french = aTown(rows, { language: 'fr-FR' }, '2016-10-06');
  const reads = (q: string) => decodeURIComponent(formatQuestion(french.search(q)));
  const table: Record<string, string> = {
    'nouveaux restaurants à Vieux Port': 'category=Restaurants&neighborhood=Vieux Port',
    'restaurants sauf pizza': 'q=-pizza&category=Restaurants',
    'restaurants sauf à Vieux Port': 'category=Restaurants&neighborhood=-Vieux Port',
    'pizza ou sushi': 'q=pizza OR sushi',
    'restaurants entre mars et juin 2015': 'category=Restaurants&filed_from=2015-03-01&filed_to=2015-06-30',
    'restaurants en mars, avril ou mai 2014':
      'category=Restaurants&filed_from=2014-03-01&filed_to=2014-05-31',
    'restaurants de 2014 à 2015': 'category=Restaurants&filed_from=2014-01-01&filed_to=2015-12-31',
    'restaurants depuis août 2015': 'category=Restaurants&filed_from=2015-08-01',
    'les 3 derniers mois': 'filed_from=2016-07-07&filed_to=2016-10-06',
    'il y a deux mois': 'filed_from=2016-08-01&filed_to=2016-08-31',
    'pizza sans licence d’alcool': 'q=pizza',
    'pizza près du port': 'q=pizza',
    'restaurants le premier juin 2015': 'category=Restaurants&filed_from=2015-06-01&filed_to=2015-06-01',
    'restaurants le deux mars 2015': 'category=Restaurants&filed_from=2015-03-02&filed_to=2015-03-02',
    'fin 2015': 'filed_from=2015-09-01&filed_to=2015-12-31',
    'premier semestre 2015': 'filed_from=2015-01-01&filed_to=2015-06-30',
    'depuis le covid': 'filed_from=2020-03-11',
    'mon évier est bouché': 'q=plombier',
    'printemps 2015': 'filed_from=2015-03-01&filed_to=2015-05-31',
    'années 90': 'filed_from=1990-01-01&filed_to=1999-12-31',
    'pas de pizza': 'q=-pizza',
    'pas de restaurants': 'category=-Restaurants',
    'pizza mais pas nouvelle': 'q=pizza',
    'coffee sin starbucks': 'q=coffee -starbucks',
    'depuis la première semaine de juin 2015': 'filed_from=2015-06-01',
    'les deux premières semaines de 2015': 'filed_from=2015-01-01&filed_to=2015-01-14',
    'les dix-sept derniers mois': 'filed_from=2015-05-07&filed_to=2016-10-06',
    'les dix-huit derniers mois': 'filed_from=2015-04-07&filed_to=2016-10-06',
    'les dix-neuf derniers mois': 'filed_from=2015-03-07&filed_to=2016-10-06',
    'les vingt-quatre derniers mois': 'filed_from=2014-10-07&filed_to=2016-10-06',
    'restaurants qui ont fermé': 'category=Restaurants&status=closed&status=abandoned',
    'restaurants qui n’ont pas renouvelé': 'category=Restaurants&status=expired',
    'chinois sauf pizza': 'q=chinois -pizza',
    // a weekday is written out, and an accent makes another word
    'pizza de mer': 'q=pizza',
    'sushis fruits de mer': 'q=sushis',
    'pizza ou thé': 'q=pizza',
    'quels restaurants à Vieux Port': 'category=Restaurants&neighborhood=Vieux Port',
    'restaurants fermés': 'category=Restaurants&status=closed&status=abandoned',
    'restaurants la dernière année complète':
      'category=Restaurants&filed_from=2015-01-01&filed_to=2015-12-31',
    'restaurants ouverts en 2014 et fermés en 2015':
      'category=Restaurants&status=closed&status=abandoned&filed_from=2014-01-01&filed_to=2014-12-31',
    'restaurants ouverts en 2014, fermés depuis':
      'category=Restaurants&status=closed&status=abandoned&filed_from=2014-01-01&filed_to=2014-12-31',
    'restaurants qui existent depuis le plus longtemps':
      'category=Restaurants&status=open&filed_from=2014-01-01&filed_to=2014-12-31',
    'l’atelier': 'q=l’atelier',
    // phrases of the tables are read with their articles joined, as people write them
    'restaurants de l’année dernière': 'category=Restaurants&filed_from=2015-01-01&filed_to=2015-12-31',
    'sushi près d’ici': 'q=sushi',
    'sushi jusqu’à juin 2015': 'q=sushi&filed_to=2015-06-30',
    'fuite d’eau': 'q=plombier',
    'la semaine du 5 juin 2015': 'filed_from=2015-06-05&filed_to=2015-06-11',
  };
  for (const [q, expected] of Object.entries(table)) assert.equal(reads(q), expected, q);
  for (const [q, rank] of Object.entries({
    "qu'est ce qui a le plus augmenté": { by: 'category', order: 'grew' },
    "type d'entreprise qui a le plus augmenté": { by: 'category', order: 'grew' },
    'quel quartier a plus de restaurants que Vieux Port': { by, order: 'most', row: 'Vieux Port' },
    'quel quartier a le plus de restaurants': { by, order: 'most' },
    'pizza contre sushi contre burgers': { by: 'q', order: 'most', values: ['pizza', 'sushi', 'burgers'] },
  }))
    assert.deepEqual(french.read(q).rank, rank, q);
  assert.equal(french.read('2016 par rapport à 2015').answer, 'compare');
  const fell = french.read('les restaurants ont-ils baissé en 2015');
  assert.deepEqual([fell.answer, fell.against?.filed_from], ['compare', '2014-01-01']);
  const survived = french.read('combien de restaurants survivent cinq ans');
  assert.deepEqual([survived.answer, survived.words.at(-1)?.why], ['list', 'filings']);
  const last = french.read('pizza ou thé').words.at(-1);
  assert.deepEqual(last, { text: 'thé', fate: 'not-used', why: 'unread' });
  // a word that is also Spanish does not take the language of the city away
  const since = 'restaurants à Vieux Port depuis 2015';
  assert.equal(reads(`${since} hasta`), reads(since));
});

test('an English city reads French and Spanish questions if the words as typed find nothing', () => {
  check({
    'restaurants sauf pizza': 'q=-pizza&category=Restaurants',
    'restaurants ouverts depuis 2015': 'category=Restaurants&filed_from=2015-01-01',
    'restaurantes nuevos en old town desde 2015':
      'q=restaurantes&neighborhood=Old Town&filed_from=2015-01-01',
    // another spelling keeps what is joined
    'je cherche starbuks à l’old town': 'q=starbucks&neighborhood=Old Town',
    'boulangeries et barberías': 'q=boulangeries OR barberías',
    'bars ouverts à belmont shore depuis 2015':
      'category=Bars & Nightlife&neighborhood=Belmont Shore&filed_from=2015-01-01',
    // a negation between two words has no other language
    'coffee sin starbucks': 'q=coffee -starbucks',
    'coffee menos old town': 'q=coffee&neighborhood=-Old Town',
    'restaurantes menos old town': 'q=restaurantes&neighborhood=-Old Town',
    'sin pizza': 'q=-pizza',
    'negocios en old town menos pizza': 'q=-pizza&neighborhood=Old Town',
    'restaurantes que no son mexicanos': 'q=restaurantes -mexicanos',
    'coffee hors old town': 'q=coffee&neighborhood=-Old Town',
    'pizza no nueva': 'q=pizza',
    'restaurantes cerrados': 'q=restaurantes&status=closed&status=abandoned',
    'restaurantes que abrieron en 2015': 'q=restaurantes&filed_from=2015-01-01&filed_to=2015-12-31',
    'bares en old town': 'q=bares&neighborhood=Old Town',
    'taqueria sol': 'q=taqueria sol',
    // an article is no nail
    'una taquería en 90802': 'q=taquería&neighborhood=ZIP 90802',
    'Una pizza': 'q=pizza',
    'uñas en belmont shore': 'q=uñas&neighborhood=Belmont Shore',
    'l’atelier du pain': 'q=l’atelier du pain',
    // what is missed is asked for, and not excluded
    'no hay taquerías en 90802': 'q=taquerías&neighborhood=ZIP 90802',
    'ya no hay taquerías en 90802': 'q=taquerías&neighborhood=ZIP 90802',
    'no encuentro una taquería en 90802': 'q=taquería&neighborhood=ZIP 90802',
    'por qué no hay taquerías en 90802': 'q=taquerías&neighborhood=ZIP 90802',
  });
  for (const q of ['quel quartier a le plus de restaurants', 'qué barrio tiene más restaurantes'])
    assert.deepEqual(read(q).rank, { by, order: 'most' }, q);
  for (const q of ['combien de restaurants', 'cuántos restaurantes hay'])
    assert.equal(read(q).answer, 'count', q);
});

test('an index is ready for every language before the first question', async () => {
  let made = 0;
  const alsoCalled = {
    get 'Old Town'() {
      made++;
      return ['The Core'];
    },
  };
  const town = openIndex(partsOf(ROWS, { day: '2016-10-06' }), { ...OPTIONS, alsoCalled });
  await town.prepare();
  const before = made;
  assert.ok(before > 0);
  for (const q of ['bars in the core', 'combien de restaurants', 'cuántos restaurantes hay'])
    town.read(asking({ q }));
  assert.equal(made, before);
});
