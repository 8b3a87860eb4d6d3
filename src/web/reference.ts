/** Reads docs/api.md, the source of `/docs` and of the descriptions and samples in the OpenAPI document. */

import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { addMonths, firstDayOf, monthOf } from '../listings/day.ts';
import { isUnknown } from '../listings/listing.ts';
import type { ListingIndex } from '../search/listing-index.ts';
import { EVERYTHING } from '../search/parameters.ts';
import type { ServerContext } from './context.ts';
import type { ReferenceSample, ReferenceSection } from './pages/reference-page.ts';

/** The source of the reference. The npm package has a copy below `dist` (deploy/build.ts). */
const PAGE = new URL('../../docs/api.md', import.meta.url);
const PAGES_FOR_PEOPLE = '## Pages and other addresses';

/** Matches a sample: a label, usually a command, and a response with its status and content type. */
const SAMPLE =
  /^\*\*(.+)\*\*\n\n(?:```sh\n([\s\S]*?)\n```\n\n)?```\w+(?: (\d+))?(?: (\S+))?\n([\s\S]*?)\n?```$/gm;

/** Reads the sections of the reference. Fills in the address, names and limits of this service. */
export function readReference(context: ServerContext): ReferenceSection[] {
  const { city, limits, publicUrl, subscriptions, version } = context;
  const { burst, rows, signup, policies } = context.limiter.quotas();
  const homes = new Map(city.sources.map(({ homepage, publisher }) => [homepage, publisher]));
  const publishers = [...homes].map(([homepage, publisher]) => `[${publisher}](${homepage})`).join(', ');
  const count = (n: number) => n.toLocaleString('en');
  const values = {
    '"burst";q=600;w=60, "rows";q=2500;w=86400': policies.usual,
    '"burst";r=599;t=60, "rows";r=2499;t=86400': `"burst";r=${burst - 1};t=60, "rows";r=${rows - 1};t=86400`,
    '600 requests in': `${count(burst)} requests in`,
    '2,500 listings in': `${count(rows)} listings in`,
    '20 signups in': `${count(signup)} signups in`,
    '1.0.0': version,
    'are\nthose of a fictional city, Rivermouth.': 'are from this service.',
    'in Rivermouth by month': `in ${city.name} by month`,
    'businesses of a city by': `businesses in ${city.name}, ${city.region}, by`,
    'from its publisher.': `from its publisher (${publishers}).`,
    'https://rivermouth.example': publicUrl,
    '](#': `](${publicUrl}/docs#`,
  };
  let [text = ''] = readFileSync(PAGE, 'utf8').split(PAGES_FOR_PEOPLE, 1);
  for (const [example, value] of Object.entries(values)) text = text.replaceAll(example, () => value);
  return text
    .split(/^## /m)
    .slice(1)
    .map(readSection)
    .filter(({ id }) => id !== 'signup' || subscriptions !== undefined)
    .map((section) =>
      section.id === 'limits' && limits === 'off' ? { ...section, ...NO_LIMITS_TEXT } : section,
    );
}

const NO_LIMITS_TEXT = { text: 'Rate limits are turned off on this service.', samples: [] };

function readSection(markdown: string): ReferenceSection {
  const [title = '', , first = ''] = markdown.split('\n', 3);
  const samples = Array.from(
    markdown.matchAll(SAMPLE),
    ([, label = '', request, status, type, answer = '']): ReferenceSample => ({
      label,
      request,
      status,
      type,
      answer,
    }),
  );
  return {
    id: title.toLowerCase().replaceAll(' ', '-'),
    title,
    operations: Array.from(first.matchAll(/`((?:GET|POST) [^`]+)`/g), ([, operation]) => operation!),
    text: markdown.slice(title.length).replaceAll(SAMPLE, ''),
    samples,
  };
}

const DOCUMENTED_ETAG = '"1x3hc85-y078qu"';

/** The address from which samples are requested. It is reserved (RFC 5737), so samples use up no client's budget. */
const SAMPLE_CLIENT = '192.0.2.1';

/**
 * Replaces the responses in the samples with those of this service, about its own neighborhoods and months. Samples
 * that store something or show only headers stay unchanged, and so do all samples while the service is too busy.
 */
export async function answerSamples(
  app: FastifyInstance,
  { publicUrl }: ServerContext,
  { index, sections }: { index: ListingIndex; sections: readonly ReferenceSection[] },
): Promise<ReferenceSection[]> {
  const { headers } = await app.inject({ url: '/api/stats', remoteAddress: SAMPLE_CLIENT });
  const names = [...nameSamples(index), [DOCUMENTED_ETAG, String(headers.etag)] as const];
  const answer = async (sample: ReferenceSample): Promise<ReferenceSample> => {
    if (sample.request === undefined) return sample;
    const request = names.reduce((text, [name, own]) => text.replaceAll(name, () => own), sample.request);
    if (sample.type === undefined || sample.status === '202') return { ...sample, request };
    const reply = await runCommand(app, publicUrl, request);
    if (String(reply.statusCode) !== sample.status) return sample;
    const isJson = sample.type.endsWith('json');
    return { ...sample, request, answer: isJson ? formatJson(reply.json()) : reply.body.trim() };
  };
  return Promise.all(
    sections.map(async (section) => ({
      ...section,
      samples: await Promise.all(section.samples.map(answer)),
    })),
  );
}

/** Runs a curl command against the app, without a connection. */
function runCommand(app: FastifyInstance, publicUrl: string, command: string) {
  const url = command.split(publicUrl, 2)[1]!.split("'", 1)[0];
  const headers = [...command.matchAll(/-H '([^:]+): ([^']*)'/g)].map(([, name, value]) => [name, value]);
  const payload = /-d '(.*)'/.exec(command)?.[1];
  return app.inject({
    ...{ method: payload === undefined ? 'GET' : 'POST', url, remoteAddress: SAMPLE_CLIENT },
    ...{ headers: Object.fromEntries(headers), ...(payload && { payload }) },
  });
}

/** Returns names in the samples, each with its replacement: the neighborhood and months of recent restaurants. */
function nameSamples(index: ListingIndex): [documented: string, own: string][] {
  const latest = monthOf(index.latestFiling ?? index.day);
  const [first, last] = [addMonths(latest, -3), addMonths(latest, -1)];
  const restaurants = { ...EVERYTHING, category: ['Restaurants'], filed_from: firstDayOf(first) };
  const places = index.stats(restaurants).byNeighborhood.map(({ value }) => value);
  const place = places.includes('Old Town') ? 'Old Town' : places.find((value) => !isUnknown(value));
  const months: [string, string][] = [
    ['2026-07', first],
    ['2026-09', last],
  ];
  if (place === undefined) return months;
  return [
    ...months,
    ['Old+Town', encodeURIComponent(place).replaceAll('%20', '+').replaceAll("'", '%27')],
    ['"Old Town"', JSON.stringify(place).replaceAll("'", '\\u0027')],
  ];
}

/** Maximum characters of JSON on a line, not counting the key. */
const LINE_WIDTH = 40;

/** Formats JSON with short objects and lists on one line. */
function formatJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1)
    .replaceAll(/\n */g, ' ')
    .replaceAll(/(?<=\[) | (?=\])/g, '');
  if (typeof value !== 'object' || value === null || line.length + indent.length <= LINE_WIDTH) return line;
  const inner = `${indent}  `;
  const [open, close, items] = Array.isArray(value)
    ? ['[', ']', value.map((one) => formatJson(one, inner))]
    : [
        '{',
        '}',
        Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${formatJson(one, inner)}`),
      ];
  return `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`;
}
