/** Samples beside the text: a request to copy, and its response. */

import { type Markup, markup } from '../markup.ts';
import type { Operation } from './document.ts';
import { renderJson } from './text.ts';

/** A sample without a request shows what something looks like. */
export type SampleView = { label: string; request?: string; status?: string; answer: unknown };

/** The samples of an operation: each request with the response that has its name. */
export function listSamples({ responses, 'x-codeSamples': requests = [] }: Operation): SampleView[] {
  const answers = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content).flatMap(([type, { examples = {} }]) =>
      Object.values(examples).map(({ summary, value }) => ({
        ...{ label: summary, status: `${status} ${type}`, answer: value },
      })),
    ),
  );
  return requests.flatMap(({ label, source }) => {
    const answer = answers.find((one) => one.label === label);
    return answer === undefined ? [] : [{ ...answer, request: source }];
  });
}

export function renderSamples(samples: readonly SampleView[]): Markup {
  return markup`<div class="samples">${samples.map(renderSample)}</div>`;
}

function renderSample({ label, request, status, answer }: SampleView): Markup {
  const text = typeof answer === 'string' ? markup`${answer.trim()}` : renderJson(answer);
  return markup`<figure><figcaption>${label}</figcaption>
${request !== undefined && markup`<pre class="request">${request}</pre>`}${status !== undefined && markup`<p class="status">${status}</p>`}<pre>${text}</pre></figure>`;
}
