/** What the generated OpenAPI document lacks: samples of requests and responses, and one place for headers. */

import type { ApiDocument, Header, Operation } from './pages/reference/document.ts';
import { formatCurl, type Sample } from './samples.ts';

/** Adds samples to the operations they belong to. */
export function addSamples(
  document: ApiDocument,
  publicUrl: string,
  samples: Partial<Record<string, readonly Sample[]>>,
): void {
  for (const operation of listOperations(document))
    for (const [i, sample] of (samples[operation.operationId] ?? []).entries())
      addSample(operation, sample, { name: `sample-${i + 1}`, publicUrl });
}

function addSample(
  operation: Operation,
  sample: Sample,
  { name, publicUrl }: { name: string; publicUrl: string },
): void {
  const { summary, type, status, body, answer } = sample;
  operation['x-codeSamples'] ??= [];
  operation['x-codeSamples'].push({ lang: 'Shell', label: summary, source: formatCurl(publicUrl, sample) });
  if (body !== undefined)
    for (const content of Object.values(operation.requestBody?.content ?? {}))
      content.examples = { ...content.examples, [name]: { summary, value: body } };
  const content = operation.responses[status]!.content![type]!;
  content.examples = { ...content.examples, [name]: { summary, value: answer } };
}

/** Each header is described once, and responses refer to it. */
export function shareHeaders(document: ApiDocument): void {
  const shared: Record<string, Header> = {};
  for (const { responses } of listOperations(document))
    for (const { headers = {} } of Object.values(responses))
      for (const [name, header] of Object.entries(headers)) {
        if ('schema' in header) shared[name] = header;
        headers[name] = { $ref: `#/components/headers/${name}` };
      }
  document.components.headers = shared;
}

function listOperations({ paths }: ApiDocument): Operation[] {
  return Object.values(paths).flatMap(({ get, post }) => [get, post].filter((one) => one !== undefined));
}
