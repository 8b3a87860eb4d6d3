/** Requests that the first version answered get the same answers. They were recorded from it, over the same listings. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { aRow, catalogueOf } from '../search/made-up.ts';
import { aDoor } from './a-door.ts';

/** An answer as it was recorded. Sentences of errors and warnings have been reworded since, so they are not compared. */
type Recorded = { path: string; status: number; headers: Record<string, string>; body: string };

const RECORDED = JSON.parse(
  readFileSync(new URL('as-before.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

const NAMES = ['Millrace Coffee', 'Café "Zoë" & Sons', "Joe's 7-Eleven", 'Harbor Shop', 'Harbor Shop'];
const CATEGORIES = ['Restaurants', 'Cafes & Bakeries', 'Auto Repair', 'Uncategorized'];
const NEIGHBORHOODS = ['Old Town', 'Café Row', 'Unknown'];
const STATUSES = ['open', 'closed', 'expired', 'abandoned', 'unknown'] as const;
/** Enough that no query is doubtful: what is suggested for those that find little is new. */
const CATALOGUE = catalogueOf(
  Array.from({ length: 1200 }, (_, i) =>
    aRow({
      key: `K${i}`,
      name: `${NAMES[i % 5]} ${i % 7}`,
      category: CATEGORIES[i % 4]!,
      neighborhood: NEIGHBORHOODS[i % 3]!,
      status: STATUSES[i % 5]!,
      filedOn: `20${String(10 + (i % 16)).padStart(2, '0')}-${String(1 + (i % 12)).padStart(2, '0')}-15`,
      expiresOn: i % 8 === 0 ? '2026-01-01' : null,
    }),
  ),
  { day: '2026-11-20' },
);

test('requests without new parameters are answered as before, byte for byte', async (t) => {
  const { get } = await aDoor(t, { catalogue: CATALOGUE, limits: { rows: 100_000 } });
  let exact = 0;
  for (const { path, status, headers, body } of RECORDED) {
    const response = await get(path);
    assert.equal(response.status, status, path);
    for (const [name, value] of Object.entries(headers))
      assert.equal(withoutData(response.headers.get(name) ?? ''), value, `${name} of ${path}`);
    const text = withoutData(await response.text());
    if (status === 200 && path.startsWith('/api/') && !body.includes('"warnings"')) {
      assert.equal(text, body, path);
      exact++;
    } else assert.deepEqual(withoutSentences(text), withoutSentences(body), path);
  }
  assert.ok(exact > 12 && RECORDED.length > 25);
});

/** Links to other pages have named the version of the data since. */
function withoutData(text: string): string {
  return text.replaceAll(/[&?]data=\w+/g, '');
}

function withoutSentences(body: string): unknown {
  const sentences = ['title', 'detail', 'description', 'next_url']; // and what is new
  const isItem = (holder: { title?: string; content_text?: string }) => holder.content_text !== undefined;
  return JSON.parse(body, function (key, value) {
    return sentences.includes(key) && !isItem(this) ? undefined : value;
  });
}
