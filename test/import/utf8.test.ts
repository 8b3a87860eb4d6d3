/** Text in chunks that end anywhere: inside a character, after one, or with the file. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openText } from '../../src/import/readers/utf8.ts';

const folder = mkdtempSync(join(tmpdir(), 'shingle-utf8-'));
after(() => rmSync(folder, { recursive: true }));

async function read(bytes: Buffer, chunkBytes: number): Promise<string> {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  const { all } = await openText(path, chunkBytes);
  return Buffer.concat(await Array.fromAsync(all)).toString();
}

test('characters of one to four bytes come through, wherever a chunk ends', async () => {
  const text = 'x é ñé €€ 🍕🍕\nöäü 漢字 👩‍👩‍👧';
  for (let chunkBytes = 1; chunkBytes <= 20; chunkBytes++)
    for (const marked of ['', '\ufeff'])
      if (marked === '' || chunkBytes > 3)
        assert.equal(await read(Buffer.from(marked + text), chunkBytes), text, `${chunkBytes} bytes`);
});

test('a file that ends inside a character is refused, with its line, wherever a chunk ends', async () => {
  for (const last of ['é', '€', '🍕']) {
    const whole = Buffer.from(`x\n${last}\nabc${last}`);
    for (let missing = 1; missing < Buffer.byteLength(last); missing++)
      for (let chunkBytes = 1; chunkBytes <= whole.length; chunkBytes++)
        await assert.rejects(read(whole.subarray(0, -missing), chunkBytes), {
          code: 'source',
          message: /^line 3\b/,
        });
  }
});
