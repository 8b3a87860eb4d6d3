/** Fields of portals that contain points or timestamps. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPointPart } from '../../../src/register/formats/json.ts';
import { dayFromMs } from '../../../src/register/profile/parse-day.ts';

test('every form of points that portals write is read', () => {
  const shapes = [
    { type: 'Point', coordinates: [-118.2, 33.8] },
    { latitude: '33.8', longitude: '-118.2', human_address: '{}' },
    'POINT (-118.2 33.8)',
  ];
  for (const location of shapes) {
    assert.equal(Number(readPointPart({ location }, 'location.latitude')), 33.8);
    assert.equal(Number(readPointPart({ location }, 'location.longitude')), -118.2);
  }
  for (const location of [null, 'elsewhere', {}, 7])
    assert.equal(readPointPart({ location }, 'location.latitude'), null);
});

test('milliseconds become a local day of the city, and a day without a time does not change', () => {
  assert.equal(dayFromMs(Date.UTC(2024, 11, 31), 'America/Los_Angeles'), '2024-12-31');
  assert.equal(dayFromMs(Date.UTC(2025, 0, 1, 5), 'America/Los_Angeles'), '2024-12-31');
  assert.equal(dayFromMs(Date.UTC(2025, 0, 1, 8), 'America/Los_Angeles'), '2025-01-01');
});
