/** A test file of which one test fails and one is skipped. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

test('it fails', () => assert.fail('as it should'));
test('it is skipped', { skip: 'needs the moon' }, () => undefined);
