/** Names: one exported name has one meaning in its folder, and exported functions are verbs with objects. */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
const EXPORTED = /^export (?:async )?(?:const|let|function\*?|type|interface|class|enum) +([\w$]+)/gm;
const FUNCTION = /^export (?:async )?function\*? +([\w$]+)/gm;

/** A single word that describes instead of saying what is done. */
const DESCRIBES =
  /^(?:[a-z]+(?:ed|en)|held|kept|known|said|found|left|lost|made|sent|set|within|between|later|first|last)$/;

const FILES = globSync('**/*.ts', { cwd: SRC });

function namesIn(text: string, declaration: RegExp): string[] {
  return [...text.matchAll(declaration)].map(([, name]) => name!);
}

function namesBy(declaration: RegExp): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const file of FILES)
    for (const name of new Set(namesIn(readFileSync(join(SRC, file), 'utf8'), declaration)))
      files.set(name, [...(files.get(name) ?? []), file]);
  return files;
}

test('no two files of a folder export the same name', () => {
  const names = namesBy(EXPORTED);
  assert.ok(names.size > 300, `only ${names.size} exported names found`);
  const shared = [...names].filter(([, files]) => new Set(files.map(dirname)).size < files.length);
  assert.deepEqual(
    shared.map(([name, files]) => `${name}: ${files.join(', ')}`),
    [],
  );
});

test('no exported function is named by a bare adjective or participle', () => {
  const names = namesBy(FUNCTION);
  assert.ok(names.size > 200, `only ${names.size} exported functions found`);
  const bare = [...names].filter(([name]) => DESCRIBES.test(name));
  assert.deepEqual(
    bare.map(([name, files]) => `${name}: ${files.join(', ')}`),
    [],
  );
});
