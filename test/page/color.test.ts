import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { deriveAccents, measureContrast, parseRgb } from '../../src/page/color.ts';
import { openScale } from '../../src/page/map/map.ts';
import { SEED } from '../service/search/made-up.ts';

test('the contrast of two colors is computed as WCAG 2 defines it', () => {
  for (const [one, other, ratio] of [
    ['#000000', '#ffffff', '21.00'],
    ['#777777', '#ffffff', '4.48'],
    ['#ff0000', '#ffffff', '4.00'],
    ['#0000ff', '#ffffff', '8.59'],
    ['#336699', '#000000', '3.50'],
    ['#abc', '#aabbcc', '1.00'],
  ] as const)
    assert.equal(measureContrast(parseRgb(one), parseRgb(other)).toFixed(2), ratio, `${one} on ${other}`);
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
      for (const [one, page, least] of [
        [light, '#ffffff', 4.4],
        [light, '#f5f6f8', 4.4],
        [dark, '#13171c', 4.5],
        [dark, '#1b2027', 4.5],
        [onLight, light, 4.5],
        [onDark, dark, 4.5],
      ] as const)
        assert.ok(measureContrast(parseRgb(one), parseRgb(page)) >= least, `${accent}: ${one} on ${page}`);
    }),
    { seed: SEED, numRuns: 2000 },
  );
});

test(`the shades of the map end at round numbers, each about twice the one before, without gaps (seed ${SEED})`, () => {
  const shadesOf = (values: number[]) => {
    const { classes, lookOf } = openScale(values);
    return classes.map(
      ({ look, to }) => `${values.filter((value) => lookOf(value) === look).length} to ${to}`,
    );
  };
  const skewed = [7364, 4437, 3176, 2518, 2267, 1992, 1990, 1564, 1387, 1378, 1259, 1175];
  const lower = [1142, 1085, 943, 892, 870, 792, 609, 560, 553, 532, 510, 506];
  assert.deepEqual(shadesOf([...skewed, ...lower]), ['10 to 1000', '9 to 2000', '4 to 5000', '1 to 7364']);
  const even = [787, 529, 503, 475, 419, 416, 281, 264, 261, 215, 160];
  assert.deepEqual(shadesOf(even), ['1 to 200', '7 to 500', '3 to 787']);
  assert.deepEqual(shadesOf([492, 232, 157, 57]).slice(-2), ['2 to 232', '1 to 492']);
  assert.equal(shadesOf([22, 21, 15, 4]).at(-1), '3 to 22');
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -9999, max: 9999 }), { minLength: 1, maxLength: 60 }),
      (values) => {
        const { classes, lookOf } = openScale(values);
        for (const [i, { from, to }] of classes.entries())
          assert.ok(from <= to && (i === 0 || from === classes[i - 1]!.to + 1), 'a gap');
        const ends = [Math.min(...values), Math.max(...values)] as const;
        if (ends[0] < 0) assert.equal(classes[0]!.from, ends[0]);
        if (ends[1] > 0) assert.equal(classes.at(-1)!.to, ends[1]);
        for (const value of values) {
          const { from, to } = classes.find(({ look }) => look === lookOf(value))!;
          assert.ok(from <= value && value <= to, `${value}`);
        }
      },
    ),
    { seed: SEED, numRuns: 2000 },
  );
  const both = openScale([-30, -9, -2, 0, 1, 8, 40]).classes.map(({ look }) => look);
  const shades = ['loss-5', 'loss-3', 'loss-1', 'shade-0', 'shade-1', 'shade-3', 'shade-5'];
  assert.deepEqual(both, shades, 'rises and falls have three shades each');
});
