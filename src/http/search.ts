/** GET /api/search: the right 25 listings, most recent first. Serves bytes the catalogue rendered; never more than five facts. */

import { type Answer, type Catalogue, FILTERS, type Question } from '../catalogue/catalogue.ts';
import { canonicalFilters, FURTHEST, PAGE_LIMIT, pageQuery } from '../catalogue/question.ts';
import type { Door } from './door.ts';
import { ETAG_SEEDS, etagOf, lanes, namesEtag } from './fingerprint.ts';
import { JSON_HEADERS, notReady, servedAt, stateOf } from './json.ts';
import { type Asked, parseQuestion } from './parameters.ts';
import { type ParameterFault, problemReply } from './problem.ts';
import { quotaExceeded } from './quota.ts';
import type { Ask, Reply } from './reply.ts';

const HEADERS = [...JSON_HEADERS, 'Cache-Control', 'private, max-age=60'];

type Seeds = readonly [number, number];

/** What answers a search, for whichever door it comes in by. */
export function searchReply(door: Door): (ask: Ask) => Reply {
  let state = '';
  let seeds: Seeds = ETAG_SEEDS;
  return (ask) => {
    const catalogue = door.catalogue();
    if (catalogue === undefined) return notReady(door);
    const asOf = servedAt(door.dataAsOf());
    const current = stateOf(door, catalogue, asOf);
    if (current !== state) {
      state = current;
      seeds = lanes(state, ETAG_SEEDS);
    }
    return search(door, { catalogue, asOf, seeds }, ask);
  };
}

function search(
  door: Door,
  data: { catalogue: Catalogue; asOf: string | null; seeds: Seeds },
  ask: Ask,
): Reply {
  const asked = parseQuestion(ask.query);
  if (asked.faults.length > 0) return invalidParameter(door, asked.faults);
  const { question } = asked;
  const filters = canonicalFilters(question);
  const page = pageQuery(filters, question.limit, question.offset);
  const etag = etagOf(asked.wasCapped ? `${page} capped` : page, data.seeds);
  const known = ask.headers['if-none-match'];
  if (known !== undefined && known !== '*' && namesEtag(known, etag)) return unchanged(door, ask, etag);
  const answer = data.catalogue.search(question);
  if (isTooFar(question, answer.total)) return tooFar(door, question);
  if (known === '*') return unchanged(door, ask, etag);
  if (ask.method !== 'HEAD' && !door.limiter.charge(ask.client, answer.count))
    return quotaExceeded(door, ask.client, answer.count);
  const links = linksOf(question, filters, answer);
  const headers = [...HEADERS, 'ETag', etag, ...limitHeaders(door, ask)];
  if (links.header !== '') headers.push('Link', links.header);
  return { status: 200, headers, body: bodyOf(asked, answer, links.next, data.asOf) };
}

function unchanged(door: Door, ask: Ask, etag: string): Reply {
  return {
    status: 304,
    headers: [...HEADERS.slice(2), 'ETag', etag, ...limitHeaders(door, ask)],
    body: null,
  };
}

function limitHeaders(door: Door, ask: Ask): string[] {
  const { policy } = door.limiter;
  return policy === '' ? [] : ['RateLimit-Policy', policy, 'RateLimit', door.limiter.standing(ask.client)];
}

/** In the order of docs/api.md, a byte a character: all but the page and the warnings is ASCII anyway. */
function bodyOf(asked: Asked, answer: Answer, next: string | null, asOf: string | null): string {
  const { limit, offset } = asked.question;
  const link = next === null ? 'null' : `"${next}"`;
  const head = `{"total":${answer.total},"limit":${limit},"offset":${offset},"next":${link},"listings":[`;
  const warnings = warningsOf(asked, answer, next);
  const told = warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`;
  const tail = `],"data_as_of":${asOf === null ? 'null' : `"${asOf}"`}${told}}`;
  return head + answer.page.toString('latin1') + (told === '' ? tail : Buffer.from(tail).toString('latin1'));
}

function warningsOf(asked: Asked, answer: Answer, next: string | null): ParameterFault[] {
  const warnings: ParameterFault[] = answer.doubts.map(({ parameter, detail, didYouMean }) => ({
    parameter,
    detail,
    did_you_mean: didYouMean,
  }));
  if (asked.wasCapped)
    warnings.push({ parameter: 'limit', detail: `At most ${PAGE_LIMIT} listings are answered at once.` });
  const seen = asked.question.offset + answer.count;
  if (next === null && answer.count > 0 && seen < answer.total)
    warnings.push({ parameter: 'offset', detail: narrowing(asked.question) });
  return warnings;
}

/** The first 1,000 are reached by following `next` whatever the limit: the last page is cut to fit. */
function linksOf(
  question: Question,
  filters: string,
  answer: Answer,
): { next: string | null; header: string } {
  const { limit, offset } = question;
  if (limit === 0) return { next: null, header: '' };
  const at = (from: number, count: number): string => {
    const query = pageQuery(filters, count, from);
    return query === '' ? '/api/search' : `/api/search?${query}`;
  };
  const after = offset + answer.count;
  const hasNext = answer.count > 0 && after < answer.total && after < FURTHEST;
  const next = hasNext ? at(after, Math.min(limit, FURTHEST - after)) : null;
  const links = next === null ? [] : [`<${next}>; rel="next"`];
  const end = Math.min(offset, answer.total, FURTHEST);
  if (end > 0) links.push(`<${at(Math.max(0, end - limit), Math.min(limit, end))}>; rel="prev"`);
  return { next, header: links.join(', ') };
}

function isTooFar({ offset, limit }: Question, total: number): boolean {
  return offset + limit > FURTHEST && total > FURTHEST && offset < total;
}

function invalidParameter(door: Door, errors: readonly ParameterFault[]): Reply {
  const detail = errors.map((fault) => `${fault.parameter}: ${fault.detail}`).join(' ');
  return problemReply(door.publicUrl, { code: 'invalid-parameter', detail, errors });
}

function tooFar(door: Door, question: Question): Reply {
  const detail = narrowing(question);
  return problemReply(door.publicUrl, { code: 'too-far', detail, errors: [{ parameter: 'offset', detail }] });
}

function narrowing(question: Question): string {
  const unused = (['q', ...FILTERS] as const).filter((name) => question[name].length === 0);
  const narrower = unused.length === 0 ? 'fewer values of a filter' : unused.join(', ');
  return `Listings past the first ${FURTHEST} of a query are not paged to; narrow it with ${narrower}.`;
}
