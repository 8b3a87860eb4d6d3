/** The picture of filings: every month of the last ten years has its bar. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawFilings } from '../../../src/register/check/check-page.ts';

const monthsFrom = (year: number, count: number) =>
  Array.from({ length: count }, (_, i): [string, number] => [
    `${year + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
    i % 12 === 0 ? 90 : 3,
  ]);

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

test('of 150 years, the last ten are drawn', () => {
  const { html } = drawFilings(monthsFrom(1876, 150 * 12));
  assert.equal(bars(html), 120);
  assert.match(html, /aria-label="Filings per month, the last ten years\. 2016-01 to 2025-12\./);
});

test('a register without filings has no picture', () => {
  assert.equal(drawFilings([]).html, '<p>No filings.</p>');
});
