/** An index that was kept in a file answers as before, and is not used if anything about it differs. */

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openIndexFile } from '../../../src/service/search/index/index-file.ts';
import { openIndex } from '../../../src/service/search/index/open.ts';
import type { IndexBuffers } from '../../../src/service/search/index-buffers.ts';
import { asking, manyListings, partsOf } from './made-up.ts';

test('a stored index is used only by its owner, unchanged and for the same data', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-index-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = openIndexFile<IndexBuffers>(folder);
  assert.equal(file.read('v1'), undefined, 'there is none');
  const parts = partsOf(manyListings(500));
  file.write('v1', parts);
  const asked = asking({ q: 'caf', status: ['open'] });
  assert.deepEqual(openIndex(file.read('v1')!).search(asked), openIndex(parts).search(asked));
  assert.equal(file.read('v2'), undefined);
  const path = join(folder, 'index.bin');
  assert.equal(statSync(path).mode & 0o777, 0o600);

  const whole = readFileSync(path);
  for (const damaged of [
    whole.subarray(0, -1),
    whole.subarray(0, 10),
    whole.with(5_000, whole[5_000]! ^ 1),
  ]) {
    writeFileSync(path, damaged);
    assert.equal(file.read('v1'), undefined);
  }
  file.remove();
  file.remove();
});
