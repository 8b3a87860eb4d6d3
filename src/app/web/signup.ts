/**
 * Adds POST /api/signup for programs and POST /signup for the form. Every address gets the same response after the same
 * work, so that nobody can find out who is signed up.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { markup } from '../../page/markup.ts';
import { renderEndedPage, renderSignupPage } from '../../page/subscription-pages.ts';
import { isParameter, isPlainWord, parseSearchQuery } from '../../service/search/query.ts';
import { type Address, parseAddress } from '../../service/subscribers/address.ts';
import { JSON_TYPE } from '../../service/web/answers.ts';
import { findOrigin, isForeign } from '../../service/web/origins.ts';
import { sendPage } from '../../service/web/pages.ts';
import { readQuery } from '../../service/web/plugins/strict-http.ts';
import {
  notReadyProblem,
  type Problem,
  type ProblemCode,
  type RequestProblem,
} from '../../service/web/problems.ts';
import { isOfType, parseJsonObject, readBody, readForm } from '../../service/web/request-body.ts';
import { ShingleError } from '../../shared/errors.ts';
import { describeSignup } from '../../shared/signup/consent.ts';
import { formatPreferences, NO_PREFERENCES, type Preferences } from '../../shared/signup/preferences.ts';
import { isSignupType, SIGNUP_TYPES, type SignupType } from '../../shared/signup/signups.ts';
import { findNearest } from '../../shared/text/edits.ts';
import { describeNextEdition, type PageContext, sendMessage } from './page-context.ts';
import {
  describeCover,
  PREFERENCE_FIELDS,
  readFormPreferences,
  readPreferences,
  renderPreferences,
} from './preferences.ts';

const SIGNUP_TIMEOUT_MS = 10_000; // a large import may block the database with its one transaction
const ACCEPTED = { status: 'accepted', detail: 'Check your inbox to confirm.' };
const NO_ADDRESS =
  'Enter an email address in the format name@example.com. The part before the @ cannot contain accents or spaces.';

export function signupRoutes(app: FastifyInstance, context: PageContext): void {
  const config = { priority: 'signup', timeoutMs: SIGNUP_TIMEOUT_MS } as const;
  const { signupOrigins: origins = [] } = context;
  app.post('/api/signup', { config: { ...config, origins } }, (request, reply) =>
    signUpByProgram({ context, request, reply }),
  );
  app.get('/signup', { config }, (request, reply) => {
    const { category, neighborhood } = parseSearchQuery(readQuery(request.raw)).question;
    const chosen = { categories: category, neighborhoods: neighborhood };
    return sendForm(context, reply, { status: 200, chosen });
  });
  app.post('/signup', { config }, (request, reply) => signUpByForm({ context, request, reply }));
}

type Visit = { context: PageContext; request: FastifyRequest; reply: FastifyReply };

function isRefused(context: PageContext, request: FastifyRequest): boolean {
  const isOfOthers = isForeign(context, request);
  // an accepted form of another site says nothing about PUBLIC_URL
  if (findOrigin(request) === undefined) context.refusedOrigins?.note(isOfOthers, request.headers);
  return isOfOthers;
}

type ReadSignup = { address: Address; type: SignupType; preferences: string | null };

async function signUpByProgram(visit: Visit): Promise<FastifyReply> {
  const { context, request, reply } = visit;
  if (isRefused(context, request)) return reply.problem({ code: 'foreign-origin' });
  if (!isOfType(request.headers, 'application/json'))
    return reply.problem({ code: 'unsupported-media-type' });
  const read = readSignup(context, readBody(request));
  if ('code' in read) return reply.problem(read);
  const refusal = await storeSignup(visit, 'api', read);
  if (refusal !== undefined) {
    const { code, seconds } = refusal;
    const most = context.limiter.quotas().signup;
    const detail = `A client can sign up ${most} times in an hour. Try again in ${seconds} seconds.`;
    const headers = { 'retry-after': String(seconds) };
    return reply.problem(code === 'quota-exceeded' ? { code, detail, headers } : { code, headers });
  }
  reply.headers({ 'content-type': JSON_TYPE, 'cache-control': 'no-store' });
  return reply.code(202).send(ACCEPTED);
}

/** Why a signup cannot be stored, and the seconds to wait. A database that is busy is no internal error. */
type Refusal = { code: 'quota-exceeded' | 'unavailable'; seconds: number };

/** Charges the client for a signup and stores it. Returns `undefined` when it is stored. */
async function storeSignup(
  { context: { limiter, subscriptions }, request: { client } }: Visit,
  source: 'api' | 'form',
  { address, type, preferences }: ReadSignup,
): Promise<Refusal | undefined> {
  if (!limiter.spend(client, 'signup'))
    return { code: 'quota-exceeded', seconds: limiter.retryAfter(client, 'signup') };
  try {
    const more = { preferences, client: limiter.queueOf(client) };
    await subscriptions.requestSignup(address, type, source, more);
    return undefined;
  } catch (error) {
    if (error instanceof ShingleError && error.code === 'store') return { code: 'unavailable', seconds: 60 };
    throw error;
  }
}

/** Reads the signup in a JSON body. Returns a problem if it is invalid. Never looks at subscribers. */
function readSignup(context: PageContext, body: Buffer): ReadSignup | Problem {
  const object = parseJsonObject(body);
  if (object === undefined)
    return refuse('invalid-body', { pointer: '', detail: 'The body must be a JSON object in UTF-8.' });
  const wrong = findWrongField(object);
  if (wrong !== undefined) return refuse('invalid-body', wrong);
  const { email, type, ...wanted } = { ...NO_PREFERENCES, ...object.value } as Preferences & {
    email: string;
    type: string;
  };
  if (!isSignupType(type)) {
    const detail = `type must be one of ${SIGNUP_TYPES.join(', ')}.`;
    const did_you_mean = findNearest(type, SIGNUP_TYPES);
    return refuse('invalid-value', { pointer: '/type', detail, did_you_mean });
  }
  const extra = type === 'weekly' ? undefined : PREFERENCE_FIELDS.find((field) => wanted[field].length > 0);
  if (extra !== undefined)
    return refuse('invalid-value', { pointer: `/${extra}`, detail: `${extra} is only for the type weekly.` });
  const address = parseAddress(email);
  if (address === undefined) return refuse('invalid-value', { pointer: '/email', detail: NO_ADDRESS });
  if (formatPreferences(wanted, context.city) === null) return { address, type, preferences: null };
  if (context.index() === undefined) return notReadyProblem();
  const { preferences, errors } = readPreferences(context, wanted);
  if (errors.length > 0) return refuse('invalid-value', ...errors);
  return { address, type, preferences: formatPreferences(preferences, context.city) };
}

function refuse(code: ProblemCode, ...errors: readonly RequestProblem[]): Problem {
  return { code, detail: errors[0]!.detail, errors };
}

const FIELDS = ['email', 'type', ...PREFERENCE_FIELDS] as const;

/** Finds a field that is unknown, repeated, missing or of another type. */
function findWrongField({
  value,
  keys,
}: NonNullable<ReturnType<typeof parseJsonObject>>): RequestProblem | undefined {
  const unknown = keys.find((key) => !isParameter(key, FIELDS));
  if (unknown !== undefined) {
    const detail = `Unknown field. Valid fields are ${FIELDS.slice(0, -1).join(', ')} and ${FIELDS.at(-1)}.`;
    if (!isPlainWord(unknown)) return { pointer: '', detail };
    return { pointer: `/${unknown}`, detail, did_you_mean: findNearest(unknown, FIELDS) };
  }
  for (const field of FIELDS) {
    const isRepeated = keys.indexOf(field) !== keys.lastIndexOf(field);
    const problem = isRepeated ? 'is given twice' : findTypeProblem(field, value[field]);
    if (problem !== undefined) return { pointer: `/${field}`, detail: `${field} ${problem}.` };
  }
  return undefined;
}

function findTypeProblem(field: (typeof FIELDS)[number], given: unknown): string | undefined {
  if (field === 'email' || field === 'type') {
    if (given === undefined) return 'is missing';
    return typeof given === 'string' ? undefined : 'must be a string';
  }
  const isList = Array.isArray(given) && given.every((one) => typeof one === 'string');
  return given === undefined || isList ? undefined : 'must be a list of strings';
}

async function signUpByForm(visit: Visit): Promise<FastifyReply> {
  const { context, request, reply } = visit;
  const { say, count } = context.layout.localization;
  if (isRefused(context, request))
    return sendForm(context, reply, {
      status: 403,
      wrong: say('signup.wrong.origin', { address: context.publicUrl }),
    });
  const form = readForm(request, PREFERENCE_FIELDS);
  if (form === undefined) return sendForm(context, reply, { status: 415, wrong: say('signup.wrong.form') });
  const email = form.get('email') ?? '';
  const type = form.get('type') ?? '';
  const address = parseAddress(email);
  const { preferences: chosen, wrong: wrongChoice } = readFormPreferences(context, form);
  const isBot = Boolean(form.get('website')); // people do not see this field
  if (isBot) return checkInbox(visit, { email, type, preferences: null });
  const refuse = (status: number, wrong: string, isAddressWrong = false) =>
    sendForm(context, reply, { status, wrong, isAddressWrong, type, email, chosen });
  if (address === undefined) return refuse(422, say(findAddressProblem(email)), true);
  if (!isSignupType(type)) return refuse(422, say('signup.wrong.type'));
  if (type === 'weekly' && wrongChoice !== undefined) return refuse(422, wrongChoice);
  const preferences = type === 'weekly' ? formatPreferences(chosen, context.city) : null;
  const refusal = await storeSignup(visit, 'form', { address, type, preferences });
  if (refusal === undefined) return checkInbox(visit, { email, type, preferences });
  if (refusal.code === 'unavailable') return refuse(503, say('signup.wrong.store'));
  const minutes = Math.ceil(refusal.seconds / 60);
  reply.header('retry-after', String(minutes * 60));
  return refuse(429, count('signup.wrong.often', minutes));
}

/** Returns the key of the sentence that says what is wrong with an address. */
function findAddressProblem(text: string) {
  if (text.trim() === '') return 'signup.wrong.empty';
  const [, domain, ...more] = text.split('@');
  if (domain === undefined) return 'signup.wrong.none';
  if (more.length > 0) return 'signup.wrong.twice';
  if (domain === '') return 'signup.wrong.end';
  return domain.includes('.') ? 'signup.wrong.address' : 'signup.wrong.dot';
}

type FormOptions = {
  status: number;
  /** The type and the address of the previous form. */
  type?: string;
  email?: string;
  /** A sentence about what is wrong, and whether the address is wrong. */
  wrong?: string;
  isAddressWrong?: boolean;
  /** The initially chosen values. Omits values that no listing has. */
  chosen?: Preferences;
};

function sendForm(context: PageContext, reply: FastifyReply, options: FormOptions): FastifyReply {
  const html = context.layout.hasNews() ? renderForms(context, options) : renderEnded(context, options);
  return sendPage(context, reply, html, { status: options.status, referrer: 'same-origin' });
}

function renderEnded({ layout, index }: PageContext, { wrong }: FormOptions): string {
  return renderEndedPage(layout, {
    title: layout.localization.say('signup.ended.title'),
    ended: index()?.dataEnd,
    more: wrong === undefined ? undefined : markup`<p class="wrong" role="alert">${wrong}</p>`,
  });
}

function renderForms(context: PageContext, options: FormOptions): string {
  const { city, layout } = context;
  const { say } = layout.localization;
  const { type, chosen = NO_PREFERENCES, ...sent } = options;
  const next = [...describeNextEdition(context), say('signup.quiet'), describeSignup('weekly', city).next];
  return renderSignupPage(layout, {
    ...sent,
    type: isSignupType(type) ? type : 'weekly',
    // a search may spell values differently, or have too many of them
    preferences: renderPreferences(context, readPreferences(context, chosen).preferences),
    schedule: context.writesFiles ? [say('signup.off')] : next,
  });
}

/** Answers with what was sent, or that nothing is sent here. The answer does not depend on what is stored about the address. */
function checkInbox(
  { context, reply }: Visit,
  { email, type, preferences }: { email: string; type: string; preferences: string | null },
): FastifyReply {
  const { city, layout } = context;
  const { say } = layout.localization;
  const { purpose } = describeSignup(isSignupType(type) ? type : 'weekly', city);
  if (context.writesFiles) return sendMessage(context, reply, 'signup.unsent', { values: { purpose } });
  return sendMessage(context, reply, 'signup.sent', {
    values: { address: email, purpose },
    sentences: [
      ...describeCover(context, preferences),
      ...(type === 'weekly' ? describeNextEdition(context) : []),
      say('signup.sent.help', { contact: city.operator.contact }),
    ],
  });
}
