/** The sections of the reference, in order. Operations, fields and samples are those of the OpenAPI document. */

import { type Markup, markup } from '../markup.ts';
import type { PageLayout } from '../page-layout.ts';
import type { ApiDocument } from './document.ts';
import {
  findOperation,
  type NamedOperation,
  renderOperation,
  renderParameters,
  renderResponses,
  renderSchema,
} from './operation.ts';
import {
  type Budgets,
  type Described,
  describeAgentSettings,
  describeCaching,
  describeLimits,
  describeService,
} from './prose.ts';
import { renderRows } from './rows.ts';
import { listSamples, type SampleView } from './samples.ts';
import { renderInline } from './text.ts';

export type ReferenceView = {
  layout: PageLayout;
  document: ApiDocument;
  /** All kinds of problems, by code. */
  problems: Readonly<Record<string, { status: number; title: string; text: string }>>;
  budgets: Budgets | undefined;
  /** Addresses with values of this city. */
  tries: { search: string; counts: string };
};

export type Section = Described & {
  id: string;
  title: string;
  operations?: readonly NamedOperation[];
  /** Below the text and the samples. */
  more?: Markup;
};

export function listSections(view: ReferenceView): Section[] {
  const { layout, document, budgets, tries } = view;
  const samples = listSearchSamples(document);
  return [
    {
      ...{ id: 'overview', title: 'What this is', samples: samples.listing },
      text: markup`${describeService(layout)}${renderSchema(document, 'Listing')}`,
    },
    {
      ...{ id: 'first-request', title: 'The first request', samples: samples.first },
      text: markup`<p>Paste this into a terminal, or <a href="/api/search?q=coffee&amp;limit=0">open it in the browser</a>. With <code>limit=0</code> you get only the number of listings that match.</p>`,
    },
    ...describeOperations(document, {
      ...{ id: 'search', title: 'Search', operationIds: ['searchListings'] },
      ...{ schemas: ['Search', 'Warning'], isFull: true, tried: tries.search, samples: samples.found },
    }),
    ...describeOperations(document, {
      ...{ id: 'counts', title: 'Counts', operationIds: ['countListings'] },
      ...{ schemas: ['Stats'], tried: tries.counts },
    }),
    ...describeOperations(document, {
      ...{ id: 'signup', title: 'Signup', operationIds: ['signUp'], schemas: ['Signup'] },
    }),
    {
      ...{ id: 'errors', title: 'Errors', samples: samples.refused },
      text: markup`<p>Errors are problem details (RFC 9457), and they are never cached. Each links to a page that explains it.</p>
${renderSchema(document, 'Problem')}`,
      more: renderProblems(view),
    },
    { id: 'limits', title: 'Limits', ...describeLimits(layout, budgets) },
    { id: 'caching', title: 'Caching and CORS', ...describeCaching(layout) },
    ...describeOperations(document, {
      ...{ id: 'feeds', title: 'Feeds', operationIds: ['getFeed', 'getAtomFeed'], schemas: [] },
    }),
    ...describeOperations(document, {
      ...{ id: 'pictures', title: 'Pictures', operationIds: ['getChart'], schemas: [] },
      samples: [{ label: 'On your page', answer: makeImage(layout) }],
    }),
    ...describeOperations(document, {
      ...{ id: 'agents', title: 'Agents', operationIds: ['mcp'], schemas: [] },
      samples: [describeAgentSettings(layout), ...samplesOf(document, 'mcp')],
    }),
    ...describeOperations(document, {
      ...{ id: 'health', title: 'Health', operationIds: ['getHealth'], schemas: ['Health'] },
    }),
  ];
}

/** How a page of another site shows a picture. */
function makeImage({ publicUrl, city }: PageLayout): string {
  return `<img src="${publicUrl}/chart.svg?category=Restaurants&amp;filed_from=2025&amp;width=640"
  alt="New restaurants in ${city.name} by month">`;
}

type OperationsSection = {
  id: string;
  title: string;
  operationIds: readonly string[];
  /** Shown here, and only here. */
  schemas: readonly string[];
  /** Whether the parameters are described, not only named. */
  isFull?: boolean;
  tried?: string;
  samples?: readonly SampleView[];
};

/** One section, or none where the service does not have the operations. */
function describeOperations(document: ApiDocument, section: OperationsSection): Section[] {
  const { id, title, operationIds, schemas, isFull = false, tried, samples } = section;
  const operations = operationIds.flatMap((one) => findOperation(document, one) ?? []);
  const [first] = operations;
  if (first === undefined) return [];
  const text = markup`${operations.map(renderOperation)}
${tried !== undefined && markup`<p>Try it on this service: <a href="${tried}"><code>${tried}</code></a></p>`}
${renderParameters(first.operation, isFull)}${renderResponses(first.operation)}`;
  const all = samples ?? operationIds.flatMap((one) => samplesOf(document, one));
  const more = schemas.map((name) => markup`<div>${renderSchema(document, name)}</div>`);
  return [{ id, title, text, samples: all, operations, ...(more.length > 0 && { more: markup`${more}` }) }];
}

function samplesOf(document: ApiDocument, operationId: string): SampleView[] {
  const found = findOperation(document, operationId);
  return found === undefined ? [] : listSamples(found.operation);
}

/** The samples of a search: a listing, one to begin with, others that find something, and those that are refused. */
function listSearchSamples(document: ApiDocument) {
  const samples = samplesOf(document, 'searchListings');
  const found = samples.filter(({ status }) => status?.startsWith('2'));
  const refused = samples.filter(({ status }) => !status?.startsWith('2'));
  const listings = found.flatMap(({ answer }) => (answer as { listings?: object[] }).listings ?? []);
  const listing = listings.slice(0, 1).map((answer) => ({ label: 'A listing', answer }));
  return { listing, first: found.slice(0, 1), found: found.slice(1), refused };
}

function renderProblems({ problems }: ReferenceView): Markup {
  const rows = Object.entries(problems).map(([code, { status, text }]) => ({
    term: markup`<a href="/problems/${code}"><code>${code}</code></a>`,
    note: markup`${status}`,
    text: renderInline(text),
  }));
  return markup`<div><h3>Kinds of problems</h3>${renderRows(rows)}</div>`;
}
