/** Reads docs/api.md, the source of `/docs` and of the descriptions and samples in the OpenAPI document. */

import { readFileSync } from 'node:fs';
import type { ServerContext } from './context.ts';
import type { ReferenceSample, ReferenceSection } from './pages/reference-page.ts';

/** The reference. The npm package has a copy below `dist` (deploy/build.ts). */
const PAGE = new URL('../../docs/api.md', import.meta.url);
const PAGES_FOR_PEOPLE = '## Pages and other addresses';

/** Matches a sample: a label, usually a command, and a response with its status and content type. */
const SAMPLE =
  /^\*\*(.+)\*\*\n\n(?:```sh\n([\s\S]*?)\n```\n\n)?```\w+(?: (\d+))?(?: (\S+))?\n([\s\S]*?)\n?```$/gm;

/** Returns the sections of the reference, with the address, names and limits of this service. */
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
