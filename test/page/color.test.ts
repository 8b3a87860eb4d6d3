import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { deriveAccents, measureContrast, parseRgb } from '../../src/page/color.ts';
import { SEED } from '../service/search/made-up.ts';

test('the contrast of two colors is computed as WCAG 2 defines it', () => {
  for (const [one, other, ratio] of [
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#ff0000', '#ffffff', 4],
    ['#0000ff', '#ffffff', 8.59],
    ['#336699', '#000000', 3.5],
    ['#abc', '#aabbcc', 1],
  ] as const)
    assert.equal(
      measureContrast(parseRgb(one), parseRgb(other)).toFixed(2),
      ratio.toFixed(2),
      `${one} on ${other}`,
    );
});

test('a color changes in one direction, in steps of a twentieth, and only as far as needed', () => {
  const [bright, deep] = [deriveAccents('#fe0'), deriveAccents('#123456')];
  assert.deepEqual([bright.light, bright.dark], ['#736b00', '#ffee00']);
  assert.deepEqual([deep.light, deep.dark], ['#123456', '#7d8fa2']);
});

test(`every color of a city is adjusted so that it is readable on light and dark (seed ${SEED})`, () => {
  const hex = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(hex, (accent) => {
      const { light, onLight, dark, onDark } = deriveAccents(accent);
      for (const page of ['#ffffff', '#f5f6f8'])
        assert.ok(measureContrast(parseRgb(light), parseRgb(page)) >= 4.4, accent);
      for (const page of ['#13171c', '#1b2027'])
        assert.ok(measureContrast(parseRgb(dark), parseRgb(page)) >= 4.5, accent);
      assert.ok(
        measureContrast(parseRgb(onLight), parseRgb(light)) >= 4.5 &&
          measureContrast(parseRgb(onDark), parseRgb(dark)) >= 4.5,
      );
    }),
    { seed: SEED, numRuns: 2000 },
  );
});
