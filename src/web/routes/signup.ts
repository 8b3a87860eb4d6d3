/**
 * Adds POST /api/signup for programs and POST /signup for the form. Every address gets the same response after the same
 * work, so that nobody can find out who is signed up.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ShingleError } from '../../errors.ts';
import { findNearestWord } from '../../listings/edits.ts';
import { isPlainWord } from '../../listings/words.ts';
import { parseSearchQuery } from '../../search/query.ts';
import { type Address, parseAddress } from '../../subscribers/address.ts';
import { describeSignup } from '../../subscribers/consent.ts';
import {
  describePreferences,
  formatPreferences,
  NO_PREFERENCES,
  type Preferences,
} from '../../subscribers/preferences.ts';
import { isSignupType, SIGNUP_TYPES, type SignupType } from '../../subscribers/subscriber.ts';
import { JSON_TYPE, sendMessagePage, sendPage, TERMS_LINK } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { readQuery } from '../plugins/strict-http.ts';
import {
  listChoices,
  PREFERENCE_FIELDS,
  readFormPreferences,
  readPreferences,
} from '../preference-choices.ts';
import { notReadyProblem, type Problem, type ProblemCode, type RequestFault } from '../problems.ts';
import { isForeign, isOfType, parseFormFields, parseJsonObject, readBody } from '../request-body.ts';
import { describeProblems, describeResponse, FRESH_HEADERS } from '../responses.ts';
import { SIGNUPS_IN_WORDS } from '../schemas.ts';
import { describeNextEdition, renderSignupForms } from '../signup-form.ts';

const SIGNUP_TIMEOUT_MS = 10_000; // a large import may block the database with its one transaction
const ACCEPTED = { status: 'accepted', detail: 'Check your inbox to confirm.' };
const NO_ADDRESS =
  'Enter an email address in the format name@example.com. The part before the @ cannot contain accents or spaces.';

export function signupRoutes(app: FastifyInstance, context: ServerContext): void {
  const config = { priority: 'signup', timeoutMs: SIGNUP_TIMEOUT_MS } as const;
  app.post('/api/signup', { config: { ...config, isForPrograms: true }, schema: SCHEMA }, (request, reply) =>
    signUpByProgram(context, request, reply),
  );
  const page = { config };
  app.get('/signup', page, (request, reply) => {
    const { category: categories, neighborhood: neighborhoods } = parseSearchQuery(
      readQuery(request.raw),
    ).question;
    return sendForm(context, reply, { status: 200, chosen: { categories, neighborhoods } });
  });
  app.post('/signup', page, (request, reply) => signUpByForm(context, request, reply));
}

const SCHEMA = {
  operationId: 'signUp',
  tags: ['Signup'],
  summary: `Sign up for ${SIGNUPS_IN_WORDS}`,
  requestBody: {
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Signup' } } },
    required: true,
  },
  response: {
    202: describeResponse('Accepted: the response is the same for every address', {
      id: 'Accepted',
      headers: FRESH_HEADERS,
    }),
    ...describeProblems(
      'invalid-body',
      'foreign-origin',
      'too-large',
      'unsupported-media-type',
      'invalid-value',
      'unavailable',
      'not-ready',
    ),
  },
};

type ReadSignup = { address: Address; type: SignupType; preferences: string | null };

async function signUpByProgram(
  context: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (isForeign(context, request)) return reply.problem({ code: 'foreign-origin' });
  if (!isOfType(request.headers, 'application/json'))
    return reply.problem({ code: 'unsupported-media-type' });
  const read = readSignup(context, readBody(request));
  if ('code' in read) return reply.problem({ detail: read.errors?.[0]?.detail, ...read });
  if (!context.limiter.spend(request.client, 'signup')) {
    const retryAfter = String(context.limiter.retryAfter(request.client, 'signup'));
    return reply.problem({ code: 'quota-exceeded', headers: { 'retry-after': retryAfter } });
  }
  if (!(await isStored(context, request, { ...read, source: 'api' })))
    return reply.problem({ code: 'unavailable', headers: { 'retry-after': '60' } });
  reply.headers({ 'content-type': JSON_TYPE, link: TERMS_LINK, 'cache-control': 'no-store' });
  return reply.code(202).send(ACCEPTED);
}

/** Reads the signup in a JSON body. Returns a problem if it is invalid. Never looks at subscribers. */
function readSignup(context: ServerContext, body: Buffer): ReadSignup | Problem {
  const read = parseSignupBody(body);
  if ('code' in read) return read;
  const { email, type, wanted } = read;
  const address = parseAddress(email);
  if (address === undefined)
    return { code: 'invalid-value', errors: [{ pointer: '/email', detail: NO_ADDRESS }] };
  if (formatPreferences(wanted) === null) return { address, type, preferences: null };
  const choices = listChoices(context);
  if (choices === undefined) return notReadyProblem();
  const { preferences, errors } = readPreferences(context, wanted, choices);
  if (errors.length > 0) return { code: 'invalid-value', errors };
  return { address, type, preferences: formatPreferences(preferences) };
}

async function signUpByForm(
  context: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { say, count } = context.layout.localization;
  if (isForeign(context, request))
    return sendForm(context, reply, { status: 403, wrong: say('signup.wrong.origin') });
  const isForm = isOfType(request.headers, 'application/x-www-form-urlencoded');
  const body = readBody(request);
  const fields = isForm ? parseFormFields(body, PREFERENCE_FIELDS) : undefined;
  if (fields === undefined) return sendForm(context, reply, { status: 415, wrong: say('signup.wrong.form') });
  const email = fields.get('email') ?? '';
  const type = fields.get('type') ?? '';
  const address = parseAddress(email);
  const { preferences: chosen, wrong: wrongChoice } = readFormPreferences(context, body);
  if (fields.get('website')) return checkInbox(context, reply, { email, type, preferences: null }); // only bots fill in this field
  const refuse = (status: number, wrong: string, isAddressWrong = false) =>
    sendForm(context, reply, { status, wrong, isAddressWrong, type, email, chosen });
  if (address === undefined) return refuse(422, say('signup.wrong.address'), true);
  if (!isSignupType(type)) return refuse(422, say('signup.wrong.type'));
  if (type === 'weekly' && wrongChoice !== undefined) return refuse(422, wrongChoice);
  if (!context.limiter.spend(request.client, 'signup')) {
    const minutes = Math.ceil(context.limiter.retryAfter(request.client, 'signup') / 60);
    reply.header('retry-after', String(minutes * 60));
    return refuse(429, count('signup.wrong.often', minutes));
  }
  const preferences = type === 'weekly' ? formatPreferences(chosen) : null;
  if (await isStored(context, request, { address, type, preferences, source: 'form' }))
    return checkInbox(context, reply, { email, type, preferences });
  return refuse(503, say('signup.wrong.store'));
}

function sendForm(
  context: ServerContext,
  reply: FastifyReply,
  { status, ...form }: { status: number } & Parameters<typeof renderSignupForms>[1],
): FastifyReply {
  const html = renderSignupForms(context, form);
  return sendPage(context, reply, html, { status, referrer: 'same-origin' });
}

/** Answers with what was sent. Does not depend on what is stored about the address. */
function checkInbox(
  context: ServerContext,
  reply: FastifyReply,
  { email, type, preferences }: { email: string; type: string; preferences: string | null },
): FastifyReply {
  const { city, layout } = context;
  const { contact } = city.operator;
  const { say } = layout.localization;
  const { purpose } = describeSignup(isSignupType(type) ? type : 'weekly', city);
  const covers =
    preferences !== null && say('confirm.covers', { what: describePreferences(preferences, city) });
  return sendMessagePage(context, reply, {
    title: say('signup.sent.title'),
    sentences: [
      say('signup.sent', { address: email, purpose }),
      ...(covers ? [covers] : []),
      ...(type === 'weekly' ? [...describeNextEdition(context), say('signup.quiet')] : []),
      say('signup.sent.help', { contact }),
    ],
  });
}

/** Stores the signup. Returns `false` if the database is temporarily unavailable, which is not an internal error. */
async function isStored(
  { subscriptions, limiter }: ServerContext,
  { client }: FastifyRequest,
  { address, type, preferences, source }: ReadSignup & { source: 'api' | 'form' },
): Promise<boolean> {
  const more = { preferences, client: limiter.queueOf(client) };
  try {
    await subscriptions!.requestSignup(address, type, source, more);
    return true;
  } catch (error) {
    if (error instanceof ShingleError && error.code === 'store') return false;
    throw error;
  }
}

const REQUIRED = ['email', 'type'] as const;
const FIELDS = [...REQUIRED, ...PREFERENCE_FIELDS] as const;

type SignupBody = { email: string; type: SignupType; wanted: Preferences };
type Refusal = { code: ProblemCode; errors: RequestFault[] };

function parseSignupBody(body: Buffer): SignupBody | Refusal {
  const object = parseJsonObject(body);
  if (object === undefined) return refuseBody('', 'The body must be a JSON object in UTF-8.');
  const { value, keys } = object;
  const unknown = keys.find((key) => !(FIELDS as readonly string[]).includes(key));
  if (unknown !== undefined) return { code: 'invalid-body', errors: [unknownField(unknown)] };
  const repeated = FIELDS.find((field) => keys.filter((key) => key === field).length > 1);
  if (repeated !== undefined) return refuseBody(`/${repeated}`, `${repeated} is given twice.`);
  for (const field of REQUIRED) {
    if (!keys.includes(field)) return refuseBody(`/${field}`, `${field} is missing.`);
    if (typeof value[field] !== 'string') return refuseBody(`/${field}`, `${field} must be a string.`);
  }
  for (const field of PREFERENCE_FIELDS) {
    const pointer = findWrongList(field, value[field]);
    if (pointer !== undefined) return refuseBody(pointer, `${field} must be a list of strings.`);
  }
  return checkType({ ...NO_PREFERENCES, ...value } as Preferences & { email: string; type: string });
}

function checkType({
  email,
  type,
  ...wanted
}: Preferences & { email: string; type: string }): SignupBody | Refusal {
  if (!isSignupType(type)) {
    const detail = `type must be one of ${SIGNUP_TYPES.join(', ')}.`;
    const did_you_mean = findNearestWord(type, SIGNUP_TYPES);
    return { code: 'invalid-value', errors: [{ pointer: '/type', detail, did_you_mean }] };
  }
  const extra = type === 'weekly' ? undefined : PREFERENCE_FIELDS.find((field) => wanted[field].length > 0);
  if (extra === undefined) return { email, type, wanted };
  return {
    code: 'invalid-value',
    errors: [{ pointer: `/${extra}`, detail: `${extra} is only for the type weekly.` }],
  };
}

function findWrongList(field: string, list: unknown): string | undefined {
  if (list === undefined) return undefined;
  if (!Array.isArray(list)) return `/${field}`;
  const wrong = list.findIndex((value) => typeof value !== 'string');
  return wrong === -1 ? undefined : `/${field}/${wrong}`;
}

function refuseBody(pointer: string, detail: string): Refusal {
  return { code: 'invalid-body', errors: [{ pointer, detail }] };
}

function unknownField(name: string): RequestFault {
  const detail = `Unknown field. Valid fields are ${FIELDS.slice(0, -1).join(', ')} and ${FIELDS.at(-1)}.`;
  if (!isPlainWord(name)) return { pointer: '', detail };
  return { pointer: `/${name}`, detail, did_you_mean: findNearestWord(name, FIELDS) };
}
