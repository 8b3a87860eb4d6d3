/** A step of the tables that has been released stays as it was. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findStepProblems, fingerprintSteps, newestVersion, readReleased } from './released-steps.ts';

test('the migrations of a release never change, and a release records its migrations', () => {
  const steps = fingerprintSteps();
  assert.ok(Object.keys(steps).length > 0);
  assert.deepEqual(findStepProblems(readReleased(), newestVersion(), steps), []);
});

test('the tests notice an edited or missing migration of a release, and a release without migrations', () => {
  assert.equal(newestVersion('## Unreleased\n\n## 0.3.0 - 2026-12-01\n\n## 0.2.0 - 2026-11-01\n'), '0.3.0');
  const steps = { 'step-15.sql': 'a', 'step-16.sql': 'b' };
  const released = { version: '0.3.0', steps };
  assert.deepEqual(findStepProblems(released, '0.3.0', { ...steps, 'step-18.sql': 'c' }), []);
  assert.match(
    findStepProblems(released, '0.3.0', { ...steps, 'step-15.sql': 'x' }).join(),
    /^step-15\.sql has been/,
  );
  assert.match(findStepProblems(released, '0.3.0', { 'step-15.sql': 'a' }).join(), /^step-16\.sql has been/);
  assert.match(findStepProblems(released, '0.4.0', steps).join(), /^write the steps of 0\.4\.0/);
});
