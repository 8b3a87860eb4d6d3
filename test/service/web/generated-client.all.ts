/** The OpenAPI document as tools see it: a linter finds nothing, and a generated client compiles and works. */

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { aFolder } from '../../a-folder.ts';
import { PATIENCE_MS } from '../../patience.ts';
import { aSignupServer } from '../mail/a-mailing.ts';
import { openApiDocument } from './a-door.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PACKAGES = join(ROOT, 'tools/client/node_modules');
const skip = !existsSync(PACKAGES) && 'needs "node tools/run.mjs client"';
const DOCUMENT = await openApiDocument();

/** A folder with the document, in which packages are found. */
function aProject(): string {
  const path = aFolder();
  symlinkSync(PACKAGES, join(path, 'node_modules'));
  writeFileSync(join(path, 'openapi.json'), JSON.stringify(DOCUMENT));
  writeFileSync(join(path, 'package.json'), '{ "type": "module" }');
  return path;
}

test('the recommended rules of Redocly find no error and no warning', { skip }, () => {
  const cli = join(PACKAGES, '@redocly/cli/bin/cli.js');
  const file = join(aProject(), 'openapi.json');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [cli, 'lint', file, '--extends=recommended', '--format=json'],
    {
      encoding: 'utf8',
      timeout: PATIENCE_MS,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  assert.equal(status, 0, stdout + stderr);
  const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    totals: { errors: number; warnings: number };
    problems: unknown[];
  };
  assert.deepEqual([totals.errors, totals.warnings, problems], [0, 0, []]);
});

type Response = { headers?: object; content?: object };

test('the OpenAPI document says how long answers can be cached and when to try again, and leaves out pages', () => {
  const { paths } = DOCUMENT as {
    paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const { responses } of operations)
    for (const [status, { headers = {}, content = {} }] of Object.entries(responses)) {
      if (/^(2|304)/.test(status)) assert.ok('Cache-Control' in headers, status);
      if (/^(429|503)/.test(status) && 'application/problem+json' in content)
        assert.ok('Retry-After' in headers, status);
    }
  const others = Object.keys(paths).filter((path) => !/^\/(api|feed|chart|mcp|openapi)/.test(path));
  assert.deepEqual(others, []);
});

/** What a developer would write. Its types are wrong in two places, and the compiler must say so. */
const PROGRAM = `import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' });
const { data, error } = await client.GET('/api/search', {
  params: { query: { q: 'shop', category: ['Restaurants', 'Auto Repair'], filed_from: '2026-11', limit: 2 } },
});
if (data === undefined) throw new Error(error.detail);
const names: string[] = data.listings.map((listing: components['schemas']['Listing']) => listing.name);
const { data: stats } = await client.GET('/api/stats', { params: { query: { status: ['open'] } } });
const months: number[] | undefined = stats && Object.values(stats.by_month);
const wrong = await client.GET('/api/search', { params: { query: { limit: -1 } } });
const parameters = wrong.error?.errors?.map(({ parameter, pointer }) => parameter ?? pointer);
const signup = await client.POST('/api/signup', { body: { email: 'a@b.example', type: 'weekly' } });
console.log(JSON.stringify({ total: data.total, names, months, parameters, signup: signup.response.status }));
`;
const WRONG = `
// @ts-expect-error there is no such parameter
client.GET('/api/search', { params: { query: { categry: ['Restaurants'] } } });
// @ts-expect-error there is no sixth field
data.listings[0]?.owner;
`;

/** What the strict compiler says about the files. */
function compileFiles(
  project: string,
  files: readonly string[],
  stricter: readonly string[] = [],
): { status: number | null; stdout: string } {
  const options = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext'];
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
  const more = ['--allowImportingTsExtensions', '--verbatimModuleSyntax'];
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const paths = files.map((file) => join(project, file));
  return spawnSync(process.execPath, [tsc, ...options, ...types, ...more, ...stricter, ...paths], {
    ...{ cwd: project, encoding: 'utf8', timeout: PATIENCE_MS },
  });
}

async function runProgram(project: string, url: string): Promise<unknown> {
  const program = join(project, 'program.ts');
  return JSON.parse((await promisify(execFile)(process.execPath, [program, url])).stdout);
}

test('a client that openapi-typescript generates compiles with strict types, and works', {
  skip,
}, async (t) => {
  const project = aProject();
  generateTypes(project);
  writeFileSync(join(project, 'program.ts'), PROGRAM);
  writeFileSync(join(project, 'wrong.ts'), `${PROGRAM}${WRONG}`);
  const { status, stdout } = compileFiles(
    project,
    ['program.ts', 'wrong.ts'],
    ['--exactOptionalPropertyTypes'],
  );
  assert.equal(status, 0, stdout);
  const { url } = await aSignupServer(t);
  assert.deepEqual(await runProgram(project, url), {
    total: 20,
    names: ['SHOP 18', 'SHOP 58'],
    months: [60],
    parameters: ['limit'],
    signup: 202,
  });
});

function generateTypes(project: string): void {
  const cli = join(PACKAGES, 'openapi-typescript/bin/cli.js');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [cli, 'openapi.json', '--output', 'schema.ts'],
    {
      ...{ cwd: project, encoding: 'utf8', timeout: PATIENCE_MS },
    },
  );
  assert.equal(status, 0, stdout + stderr);
}
