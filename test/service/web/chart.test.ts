/** The chart as a picture: what may be asked, what it says without being seen, and what other sites may do with it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonOf, textOf, toPlainDates } from '../../an-answer.ts';
import { aRow, catalogueOf } from '../search/made-up.ts';
import { aDoor } from './a-door.ts';

const DAYS = ['2014-12-31', '2015-01-01', '2015-01-20', '2015-03-01', '2015-12-31'];
const catalogue = catalogueOf(
  DAYS.map((filedOn, i) =>
    aRow({ key: `K${i}`, filedOn, category: i === 0 ? 'Auto Repair' : 'Restaurants', status: 'closed' }),
  ),
  { day: '2016-03-15' },
);

/** The text of an element, without its markup. */
function elementIn(picture: string, name: string): string {
  return new RegExp(`<${name}[^>]*>([^<]*)</${name}>`).exec(picture)![1]!;
}

test('a picture takes the parameters of counts, and names the search, the city, the source and the day', async (t) => {
  const { get } = await aDoor(t, { catalogue });
  const response = await get('/chart.svg?category=restaurants&filed_from=2015&filed_to=2015');
  const picture = toPlainDates(await response.text());
  assert.equal(response.headers.get('content-type'), 'image/svg+xml; charset=utf-8');
  assert.equal(elementIn(picture, 'title'), 'Restaurants, New businesses in Rivermouth');
  assert.equal(
    elementIn(picture, 'desc'),
    'Registered per month. Rivermouth, 2015: 4 businesses. Newest filing: December 31, 2015.',
  );
  const [first, second, ...labels] = [...picture.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
  assert.deepEqual([first, second], ['4 restaurants registered in 2015', 'Rivermouth, 2015']);
  assert.equal(
    labels.at(-1),
    'Newest filing: December 31, 2015. City of &lt;Rivermouth&gt;. rivermouth.example',
  );
  assert.equal(labels.filter((text) => /^[A-Z][a-z]{2}$/.test(text!)).length, 12);
});

test('each month of the chart with filings is a column with the right height', async (t) => {
  const { get } = await aDoor(t, { catalogue });
  const picture = await textOf(get('/chart.svg?category=Restaurants&filed_from=2015&filed_to=2015'));
  const [, columns = ''] = /<path fill="[^"]*" d="([^"]*)"/.exec(picture)!;
  const heights = [...columns.matchAll(/v-([\d.]+)h/g)].map(([, height]) => Number(height));
  assert.deepEqual(
    heights.map((height) => height / heights[1]!),
    [2, 1, 1],
  );
  const none = await textOf(get('/chart.svg?q=nothingatall'));
  assert.doesNotMatch(none, /v-/);
  assert.match(elementIn(none, 'desc'), /^No businesses in Rivermouth match\./);
});

test('without dates, the picture shows years like the chart of the page, and says so', async (t) => {
  const rows = Array.from({ length: 110 }, (_, i) => aRow({ key: `${i}`, filedOn: `${1907 + i}-02-10` }));
  const { get } = await aDoor(t, { catalogue: catalogueOf(rows, { day: '2016-03-15' }) });
  const picture = await textOf(get('/chart.svg'));
  assert.match(
    elementIn(picture, 'desc'),
    /^Registered per year\. Rivermouth, .*1907\s–\s.*2016: 110 businesses\. 1993 and earlier: 87\. 2016 to Feb 10\. Newest filing: February 10, 2016\./,
  );
  assert.match(picture, />Registered per year<.*>1993 and earlier: 87</s);
  assert.equal(picture.match(/v-[\d.]+h/g)?.length, 24, '23 years, and the hatching in the legend');
});

test('a period of at most five years is drawn by month, and every picture names its unit', async (t) => {
  const years = [2019, 2020, 2021, 2022, 2023, 2024];
  const rows = years.map((year) => aRow({ key: `${year}`, filedOn: `${year}-12-31` }));
  const { get } = await aDoor(t, { catalogue: catalogueOf(rows, { day: '2025-03-15' }) });
  const { get: getOneYear } = await aDoor(t, { catalogue });
  const unitOf = (picture: string) => />Registered per (month|year)</.exec(picture)?.[1];
  for (const [query, unit] of [
    ['', 'year'],
    ['?width=2000', 'year'],
    ['?filed_from=2019', 'year'],
    ['?filed_from=2020', 'month'],
    ['?filed_from=2024&filed_to=2024&width=240', 'month'],
    ['?filed_from=2024&compare=year_before', 'month'],
  ] as const)
    assert.equal(unitOf(await textOf(get(`/chart.svg${query}`))), unit, query);
  assert.equal(unitOf(await textOf(getOneYear('/chart.svg?category=Restaurants'))), 'month');
});

test('a picture hatches and names the month in which the data ends, and its period ends on the last day of the data', async (t) => {
  const { get } = await aDoor(t, { catalogue });
  const picture = await textOf(get('/chart.svg?filed_from=2015&filed_to=2015'));
  assert.doesNotMatch(picture, /pattern/);
  const early = catalogueOf([aRow({ filedOn: '2015-12-10' })], { day: '2016-03-15' });
  const { get: getEarly } = await aDoor(t, { catalogue: early });
  const part = await textOf(getEarly('/chart.svg?filed_from=2015&filed_to=2015'));
  assert.match(part, /<path fill="url\(#part\)"/);
  assert.match(part, />Rivermouth, January 1\s–\sDecember 10, 2015</);
  assert.match(
    elementIn(part, 'desc'),
    /Part of a month: December 1\s–\s10\. Newest filing: December 10, 2015\./,
  );
  assert.match(part, /<text [^>]*>Part of a month: December 1\s–\s10</, 'its hatching has a legend');
});

test('a comparison shows the same days of both years, month beside month, with a sentence and the key of the colors', async (t) => {
  const days = ['2014-11-20', '2014-12-20', '2015-11-02', '2015-11-03', '2015-12-10'];
  const rows = days.map((filedOn, i) => aRow({ key: `K${i}`, filedOn }));
  const { get } = await aDoor(t, { catalogue: catalogueOf(rows, { day: '2016-03-15' }) });
  const picture = await textOf(get('/chart.svg?compare=year_before'));
  const sentence =
    /Rivermouth, January 1\s–\sDecember 10, 2015: 3 new businesses, compared with 1 in the same period of 2014\./;
  assert.equal(
    elementIn(picture, 'title'),
    'What changed: 2015 compared with 2014, New businesses in Rivermouth',
  );
  assert.match(elementIn(picture, 'desc'), sentence);
  assert.match(elementIn(picture, 'desc'), /Part of a month: December 1\s–\s10\./);
  const texts = [...picture.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
  assert.deepEqual(
    texts.filter((text) => /^\d{4}: /.test(text!)),
    ['2014: 1', '2015: 3'],
  );
  assert.equal(texts.filter((text) => /^[A-Z][a-z]{2}$/.test(text!)).length, 12);
  assert.ok(!texts.includes('2015'), 'a column is of both years');
  const paths = [...picture.matchAll(/<path fill="([^"]*)" [^>]*?d="([^"]*)"/g)];
  const columns = paths.map(([, fill, path]) => [fill, path!.match(/v-/g)!.length]);
  assert.deepEqual(
    columns.map(([, n]) => n),
    [2, 2, 2],
    'each color with its square in the legend: a month before; a month now, and one that is not over',
  );
  assert.equal(new Set(columns.map(([fill]) => fill)).size, 3);
  for (const plain of ['status=closed', 'filed_from=2013', 'filed_to=2014'])
    assert.doesNotMatch(await textOf(get(`/chart.svg?${plain}&compare=year_before`)), / compared with /);
  assert.equal((await get('/chart.png?compare=year_before')).status, 200);
  assert.equal((await get('/chart.svg?compare=before')).status, 400);
});

test('a picture can be 240 to 2,000 pixels wide, and the error for another width names the parameter', async (t) => {
  const { get } = await aDoor(t, { catalogue });
  for (const [query, width] of [
    ['', 800],
    ['?width=240', 240],
    ['?width=2000&category=', 2000],
    ['?width=', 800],
  ] as const)
    assert.match(await textOf(get(`/chart.svg${query}`)), new RegExp(`^<svg [^>]* width="${width}" `));
  for (const [query, parameter, meant] of [
    ['width=239', 'width', undefined],
    ['widht=300', 'widht', 'width'],
  ]) {
    const { errors } = await jsonOf<{ errors: Record<string, string>[] }>(get(`/chart.svg?${query}`), 400);
    assert.deepEqual([errors[0]!.parameter, errors[0]!.did_you_mean], [parameter, meant]);
  }
});

test('a picture shows an unknown value as it was requested, and shortens a title that is wider with an ellipsis', async (t) => {
  const { get } = await aDoor(t, { catalogue });
  assert.match(await textOf(get('/chart.svg?category=Restaurans')), />Restaurans<\/text>/);
  assert.match(await textOf(get(`/chart.svg?q=${'m'.repeat(150)}`)), />“m{20,60}…<\/text>/);
});
