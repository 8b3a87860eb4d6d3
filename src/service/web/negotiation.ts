/** Reads which content codings and media types a client prefers (RFC 9110, 12.4.2 and 12.5). */

import { rememberTexts } from '../../shared/remember.ts';

/** Returns the weight of each listed value, from 0 (refused) to 1. Ignores values whose weight is not a number. */
function readWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const member of header.toLowerCase().split(',')) {
    const [value = '', ...parameters] = member.split(';').map((part) => part.trim());
    const weight = Number(parameters.find((one) => /^q\s*=/.test(one))?.replace(/^q\s*=/, '') ?? 1);
    if (value !== '' && weight >= 0 && weight <= 1) weights.set(value, weight);
  }
  return weights;
}

export type Encoding = 'br' | 'gzip';
type Chosen = { encoding: Encoding; isRequired: boolean } | undefined;

/**
 * Chooses the coding of a response: the one with the largest weight, brotli before gzip before none. `isRequired` if
 * the client refuses a response without one. Most clients send one of few headers.
 */
export const chooseEncoding = rememberTexts((header): Chosen => {
  const weights = readWeights(header);
  const others = weights.get('*');
  const br = weights.get('br') ?? others ?? 0;
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? others ?? 0;
  const best = Math.max(br, gzip);
  if (best === 0 || best < (weights.get('identity') ?? 0)) return undefined;
  return { encoding: br === best ? 'br' : 'gzip', isRequired: (weights.get('identity') ?? others) === 0 };
});

const PAGES = ['text/html', 'text/*', '*/*'];
const PROBLEMS = ['application/problem+json', 'application/json', 'application/*', '*/*'];

/** Returns whether the client prefers a page to JSON, as browsers do. If it accepts anything, it gets JSON. */
export function prefersPages(header = ''): boolean {
  if (!/text\//i.test(header)) return false;
  const weights = readWeights(header);
  const find = (types: readonly string[]) => types.find((type) => weights.has(type)) ?? '';
  const [page, problem] = [find(PAGES), find(PROBLEMS)];
  const [forPage, forProblem] = [weights.get(page) ?? 0, weights.get(problem) ?? 0];
  return (
    forPage > forProblem || (forPage > 0 && forPage === forProblem && page === PAGES[0] && problem === '*/*')
  );
}
