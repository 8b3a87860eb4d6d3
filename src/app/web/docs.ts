/** Adds GET /docs, the reference for developers, and GET /openapi.json, the same for tools. Both use docs/api.md. */

import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import {
  type ReferenceSample,
  type ReferenceSection,
  renderReferencePage,
} from '../../page/reference-page.ts';
import { JSON_TYPE, sendFree } from '../../service/web/answers.ts';
import { makeEtag } from '../../service/web/etags.ts';
import { describePath, OPENAPI, type Operation } from '../../service/web/openapi.ts';
import { pageHeaders } from '../../service/web/pages.ts';
import { PROBLEMS } from '../../service/web/problems.ts';
import { chooseSamples, hasSample, replaceSamples, type SampleValues } from '../../service/web/samples.ts';
import type { CityFacts } from '../../shared/city/city-facts.ts';
import { formatContactLink } from '../../shared/city/city-facts.ts';
import { formatNumber } from '../../shared/text/numbers.ts';
import type { PageContext } from './page-context.ts';

const CACHED = 'public, max-age=300';

export function docsRoutes(app: FastifyInstance, context: PageContext): void {
  /** Returns a function that makes something once for each version of the data, on which limits and samples depend. */
  const keep = <Made>(make: () => Made): (() => Made) => {
    const kept = new WeakMap<object, Made>();
    return () => kept.getOrInsertComputed(context.data() ?? context, make);
  };
  const readValues = keep(() => {
    const index = context.index();
    return index && chooseSamples(index);
  });
  const answer = keep(async () => {
    const [written, values] = [readReference(context), readValues()];
    return values === undefined ? written : answerSamples(app, written, values);
  });
  const render = keep(async () => {
    const problems = Object.keys(PROBLEMS);
    return makeBody(renderReferencePage({ layout: context.layout, sections: await answer(), problems }));
  });
  const describe = keep(async () => {
    const examples = readValues()?.examples ?? {};
    return makeBody(JSON.stringify(describeApi(app, context, { examples, reference: await answer() })));
  });
  const headers = pageHeaders(context, { referrer: 'same-origin', robots: 'all' });
  app.get('/docs', { config: { priority: 'page' } }, async (_request, reply) =>
    sendFree(context, reply, { ...(await render()), cacheControl: CACHED, headers }),
  );
  app.get('/openapi.json', { config: { isCrossOrigin: true } }, async (_request, reply) =>
    sendFree(context, reply, {
      ...(await describe()),
      cacheControl: CACHED,
      headers: { 'content-type': JSON_TYPE },
    }),
  );
}

function makeBody(text: string) {
  return { etag: makeEtag(text), body: Buffer.from(text) };
}

/** Describes the routes of the document, with values of this city as examples. */
function describeApi(
  app: FastifyInstance,
  { city, publicUrl, version }: PageContext,
  { examples, reference }: { examples: Record<string, unknown>; reference: readonly ReferenceSection[] },
): object {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const target of app.targets()) {
    if (!Object.hasOwn(OPENAPI.paths, target.path)) continue;
    // a copy, because parts of it will differ
    const described: Record<string, Operation> = JSON.parse(JSON.stringify(describePath(target)));
    for (const parameter of Object.values(described).flatMap(({ parameters = [] }) => parameters))
      if (parameter.name in examples) parameter.example = examples[parameter.name];
    paths[target.path] = described;
  }
  for (const section of reference) addReference(paths, section);
  const info = {
    title: `New businesses in ${city.name}, ${city.region}`,
    version,
    description: OPENAPI.info.description,
    termsOfService: `${publicUrl}/about#terms`,
    contact: describeContact(city.operator),
    license: {
      name: [...new Set(city.sources.map(({ license }) => license))].join(', '),
      url: city.sources[0]!.terms ?? `${publicUrl}/about#terms`,
    },
  };
  const servers = [{ url: publicUrl, description: `${city.name}, run by ${city.operator.name}` }];
  return { ...OPENAPI, info, servers, paths };
}

/** Describes the operator. Omits a contact that is neither an address nor a URL. */
function describeContact({ name, contact }: CityFacts['operator']) {
  const link = formatContactLink(contact);
  if (link === undefined) return { name };
  return link.startsWith('mailto:') ? { name, email: contact } : { name, url: link };
}

/**
 * Adds the first paragraphs of a section to its operations, and its commands as code samples, with bodies and responses
 * as examples. Omits samples that show only headers.
 */
function addReference(
  paths: Record<string, Record<string, Operation>>,
  { operations, text, samples }: ReferenceSection,
): void {
  const find = (method: string, path: string) => paths[path]![method.toLowerCase()]!;
  const [, ...blocks] = text.trim().split('\n\n');
  const end = blocks.findIndex((block) => /^(?:<!--|\*\*|###)/.test(block));
  const description = blocks.slice(0, end).map((paragraph) => paragraph.replaceAll('\n', ' '));
  for (const name of operations) {
    const [method = '', path = ''] = name.split(' ');
    find(method, path).description = description.join('\n\n');
  }
  for (const { label: summary, request: source, status, type, answer } of samples) {
    if (source === undefined || status === undefined || type === undefined) continue;
    const { method, url, payload } = parseCommand(source);
    const operation = find(method, url.split('?', 1)[0]!);
    operation['x-codeSamples'] ??= [];
    const number = operation['x-codeSamples'].push({ lang: 'Shell', label: summary, source });
    const addExample = (
      content: NonNullable<Operation['responses'][string]['content']>,
      type: string,
      text: string,
    ) => {
      const value = type.endsWith('json') ? JSON.parse(text) : text;
      content[type]!.examples = { ...content[type]!.examples, [`sample-${number}`]: { summary, value } };
    };
    if (payload !== undefined) addExample(operation.requestBody!.content!, 'application/json', payload);
    addExample(operation.responses[status]!.content!, type, answer);
  }
}

/** Parses a curl command of a sample. */
function parseCommand(command: string) {
  const [, url = ''] = /https?:\/\/[^/]+([^' ]*)/.exec(command) ?? [];
  const headers = [...command.matchAll(/-H '([^:]+): ([^']*)'/g)].map(([, name, value]) => [name, value]);
  const payload = /-d '(.*)'/.exec(command)?.[1];
  return {
    method: payload === undefined ? ('GET' as const) : ('POST' as const),
    url,
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(payload !== undefined && { payload }),
  };
}

/** The source of the reference. The npm package has a copy below `dist` (deploy/build.ts). */
const PAGE = new URL('../../../docs/api.md', import.meta.url);
const PAGES_FOR_PEOPLE = '## Pages and other addresses';

const RESPONSE = /```\w+(?: (?<status>\d+))?(?: (?<type>\S+))?\n(?<answer>[\s\S]*?)\n?```$/;

/** Matches a sample: a label, usually a command, and a response with its status and content type. */
export const SAMPLE = new RegExp(
  `^\\*\\*(?<label>.+)\\*\\*\n\n(?:\`\`\`sh\n(?<request>[\\s\\S]*?)\n\`\`\`\n\n)?${RESPONSE.source}`,
  'gm',
);

/** Reads the sections of the reference. Fills in the address, names and limits of this service. */
function readReference(context: PageContext): ReferenceSection[] {
  const { city, limits, publicUrl, version } = context;
  const { burst, rows, signup, policies } = context.limiter.quotas();
  const homes = new Map(city.sources.map(({ homepage, publisher }) => [homepage, publisher]));
  const publishers = [...homes].map(([homepage, publisher]) => `[${publisher}](${homepage})`).join(', ');
  const values = {
    '"burst";q=600;w=60, "rows";q=2500;w=86400': policies.usual,
    '"burst";r=599;t=1': `"burst";r=${burst - 1};t=${Math.ceil(60 / burst)}`,
    '600 requests in': `${formatNumber(burst)} requests in`,
    '2,500 listings in': `${formatNumber(rows)} listings in`,
    '20 signups in': `${formatNumber(signup)} signups in`,
    '1.0.0': version,
    'come from a fictional city, Rivermouth.': 'come from this service.',
    'in Rivermouth by month': `in ${city.name} by month`,
    'businesses of a city.': `businesses in ${city.name}, ${city.region}.`,
    'from its publisher.': `from its publisher (${publishers}).`,
    'https://rivermouth.example': publicUrl,
    '](#': `](${publicUrl}/docs#`,
  };
  const [text = ''] = readFileSync(PAGE, 'utf8').split(PAGES_FOR_PEOPLE, 1);
  const sections = fillInReference(text, values).split(/^## /m).slice(1).map(readSection);
  const limitsOff = { text: 'Rate limits are turned off on this service.', samples: [] };
  return sections
    .map((section) => (section.id === 'limits' && limits === 'off' ? { ...section, ...limitsOff } : section))
    .map((section) => ({
      ...section,
      text: section.text.replace(TYPES_SEARCHED, `$&${listTypes(context)}`),
    }));
}

/** The sentence of the reference after which the types of the city's register are listed. */
const TYPES_SEARCHED = /no answer says the type of a\s+listing\./;

function listTypes({ index }: PageContext): string {
  const types = index()?.types ?? [];
  return types.length === 0 ? ' This register has none.' : ` They are: ${types.join('; ')}.`;
}

/** Replaces texts, even across line breaks. Throws if one is missing, because the page would then show the example. */
export function fillInReference(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((filled, [example, value]) => {
    const pattern = new RegExp(example.split(' ').map(RegExp.escape).join('\\s+'), 'g');
    if (!filled.match(pattern)) throw new Error(`docs/api.md does not contain "${example}"`);
    return filled.replaceAll(pattern, () => value);
  }, text);
}

function readSection(markdown: string): ReferenceSection {
  const [title = '', , first = ''] = markdown.split('\n', 3);
  return {
    id: title.toLowerCase().replaceAll(' ', '-'),
    title,
    operations: Array.from(first.matchAll(/`((?:GET|POST) [^`]+)`/g), ([, operation]) => operation!),
    text: markdown.slice(title.length).replaceAll(SAMPLE, ''),
    samples: Array.from(markdown.matchAll(SAMPLE), ({ groups }) => groups as ReferenceSample),
  };
}

const DOCUMENTED_ETAG = '"Xk3c8Qm2wZ7yB0qu"';

/** The address from which samples are requested. It is reserved (RFC 5737), so samples use up no client's budget. */
const SAMPLE_CLIENT = '192.0.2.1';

/**
 * Replaces the samples with those of this service, with values of its own listings. Responses of samples that store
 * something or show only headers stay unchanged, and so do all samples while the service is too busy.
 */
async function answerSamples(
  app: FastifyInstance,
  sections: readonly ReferenceSection[],
  values: SampleValues,
): Promise<ReferenceSection[]> {
  const run = (request: ReturnType<typeof parseCommand>) =>
    app.inject({ ...request, remoteAddress: SAMPLE_CLIENT });
  const { headers } = await run({ method: 'GET', url: '/api/stats', headers: {} });
  const replace = (text: string) =>
    replaceSamples(text, values).replaceAll(DOCUMENTED_ETAG, String(headers.etag));
  const answer = async (sample: ReferenceSample): Promise<ReferenceSample> => {
    const label = replace(sample.label);
    if (sample.request === undefined) return { ...sample, label, answer: replace(sample.answer) };
    const request = replace(sample.request);
    if (sample.type === undefined || sample.status === '202') return { ...sample, label, request };
    const reply = await run(parseCommand(request));
    if (String(reply.statusCode) !== sample.status) return sample;
    const isJson = sample.type.endsWith('json');
    return {
      ...sample,
      label,
      request,
      answer: isJson ? JSON.stringify(reply.json(), null, 2) : reply.body.trim(),
    };
  };
  const answerAll = async (section: ReferenceSection) => ({
    ...section,
    text: section.text.replaceAll(/\]\([^)]+\)/g, replace),
    samples: await Promise.all(
      section.samples.filter(({ request }) => hasSample(request, values)).map(answer),
    ),
  });
  return Promise.all(sections.map(answerAll));
}
