/** The picture of filings: every month has its bar, and a long register has years as well. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawFilings } from '../../src/cli/check/filings-picture.ts';

const monthsFrom = (year: number, count: number) =>
  Array.from({ length: count }, (_, i): [string, number] => [
    `${year + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
    i % 12 === 0 ? 90 : 3,
  ]);

const pictures = (html: string) => html.split('<figure>').slice(1);
const bars = (picture: string) => picture.match(/<rect/g)?.length;

test('months without filings are gaps, and years begin with a line', () => {
  const { html } = drawFilings([
    ['2024-11', 4],
    ['2025-02', 8],
  ]);
  assert.equal(bars(html), 4);
  assert.match(html, /height="0"><title>2024-12: 0</);
  assert.match(html, /aria-label="Filings per month\. 2024-11 to 2025-02\. Most: 8 in 2025-02\."/);
  assert.equal(html.match(/>2025</g)?.length, 1);
});

test('150 years are ten years of months, and all years', () => {
  const [months, years] = pictures(drawFilings(monthsFrom(1876, 150 * 12)).html);
  assert.equal(bars(months!), 120);
  assert.equal(bars(years!), 150);
  assert.match(months!, /2016-01 to 2025-12/);
  assert.match(years!, /1876: 123</);
});

test('a register without filings has no picture', () => {
  assert.equal(drawFilings([]).html, '<p>No filings.</p>');
});
