/**
 * POST /api/signup for programs and POST /signup for the page's form. Every address gets the same response after the same work, so that
 * no one can find out who is signed up.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ShingleError } from '../../errors.ts';
import { findNearestWord } from '../../listings/edits.ts';
import { isPlainWord } from '../../listings/words.ts';
import { renderSignupPage } from '../../pages/subscription-pages.ts';
import { parseAddress } from '../../subscriptions/address.ts';
import { SIGNUP_TYPES, type SignupType } from '../../subscriptions/ports.ts';
import { JSON_TYPE, TERMS_LINK } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { sendMessagePage, sendPage } from '../page-responses.ts';
import { PROBLEMS, type ProblemCode, type RequestFault } from '../problems.ts';
import { isForeign, isOfType, parseFormFields, parseJsonObject, readBody } from '../request-body.ts';
import { describeJsonResponse, describeProblems } from '../responses.ts';
import { renderSignupForm } from './city-page.ts';

const SIGNUP_TIMEOUT_MS = 10_000; // a big run may be in the middle of its one transaction
const ACCEPTED = { status: 'accepted', detail: 'Check your inbox to confirm.' };
const FIELDS = ['email', 'type'] as const;
const NO_ADDRESS = 'Enter an email address in the format name@example.com, using ASCII characters only.';

export function signupRoutes(app: FastifyInstance, context: ServerContext): void {
  const config = { priority: 'signup', timeoutMs: SIGNUP_TIMEOUT_MS } as const;
  app.post('/api/signup', { config: { ...config, isForPrograms: true }, schema: SCHEMA }, (request, reply) =>
    signUpByProgram(context, request, reply),
  );
  const page = { config: { ...config, isPage: true }, schema: { hide: true } };
  app.get('/signup', page, (_request, reply) => sendForm(context, reply, { status: 200 }));
  app.post('/signup', page, (request, reply) => signUpByForm(context, request, reply));
}

const SCHEMA = {
  operationId: 'signUp',
  tags: ['Signup'],
  summary: 'Sign up for the weekly email or the Pro waitlist',
  body: { $ref: 'Signup#' },
  response: {
    202: describeJsonResponse('Accepted. The response is the same for every address.', 'Accepted'),
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

type SignupFields = { email: string; type: SignupType };

async function signUpByProgram(
  context: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refuse = (code: ProblemCode, errors?: RequestFault[], headers?: Record<string, string>) =>
    reply.problem({
      code,
      ...(errors && { errors, detail: errors[0]!.detail }),
      ...(headers && { headers }),
    });
  if (isForeign(context, request)) return refuse('foreign-origin');
  if (!isOfType(request.headers, 'application/json')) return refuse('unsupported-media-type');
  const read = orderIn(readBody(request));
  if ('code' in read) return refuse(read.code, read.errors);
  const address = parseAddress(read.email);
  if (address === undefined) return refuse('invalid-value', [{ pointer: '/email', detail: NO_ADDRESS }]);
  if (!chargeSignup(context, request))
    return refuse('quota-exceeded', undefined, {
      'retry-after': String(context.limiter.signUpAfter(request.client)),
    });
  const queue = context.limiter.queueOf(request.client);
  const isStored = await isDone(context.subscriptions!.requestSignup(address, read.type, 'api', queue));
  if (!isStored) return refuse('unavailable', undefined, { 'retry-after': '60' });
  reply.headers({ 'content-type': JSON_TYPE, link: TERMS_LINK, 'cache-control': 'no-store' });
  return reply.code(202).send(ACCEPTED);
}

function chargeSignup({ limiter, metrics }: ServerContext, { client }: FastifyRequest): boolean {
  const isServed = limiter.signUp(client);
  if (!isServed) metrics?.refused('signup');
  return isServed;
}

/** Strict: no coercion, and no missing, extra or repeated field. */
function orderIn(body: Buffer): SignupFields | { code: ProblemCode; errors: RequestFault[] } {
  const object = parseJsonObject(body);
  const invalid = (pointer: string, detail: string) => ({
    code: 'invalid-body' as const,
    errors: [{ pointer, detail }],
  });
  if (object === undefined) return invalid('', 'The body must be a JSON object in UTF-8.');
  const { value, keys } = object;
  const unknown = keys.find((key) => !(FIELDS as readonly string[]).includes(key));
  if (unknown !== undefined) return { code: 'invalid-body', errors: [unknownField(unknown)] };
  for (const field of FIELDS) {
    if (!keys.includes(field)) return invalid(`/${field}`, `${field} is missing.`);
    if (keys.filter((key) => key === field).length > 1)
      return invalid(`/${field}`, `${field} is given twice.`);
    if (typeof value[field] !== 'string') return invalid(`/${field}`, `${field} must be a string.`);
  }
  const { email, type } = value as { email: string; type: string };
  if (isSignupType(type)) return { email, type };
  const detail = `type must be one of ${SIGNUP_TYPES.join(', ')}.`;
  const did_you_mean = findNearestWord(type, SIGNUP_TYPES);
  return { code: 'invalid-value', errors: [{ pointer: '/type', detail, did_you_mean }] };
}

function unknownField(name: string): RequestFault {
  const detail = `Unknown field. Valid fields are ${FIELDS.join(' and ')}.`;
  if (!isPlainWord(name)) return { pointer: '', detail };
  return { pointer: `/${name}`, detail, did_you_mean: findNearestWord(name, FIELDS) };
}

async function signUpByForm(
  context: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (isForeign(context, request))
    return sendForm(context, reply, { status: 403, wrong: PROBLEMS['foreign-origin'].text });
  const isForm = isOfType(request.headers, 'application/x-www-form-urlencoded');
  const fields = isForm ? parseFormFields(readBody(request)) : undefined;
  if (fields === undefined)
    return sendForm(context, reply, { status: 415, wrong: 'Please use the form to sign up.' });
  if (fields.get('website')) return checkInbox(context, reply); // only bots fill it in
  const email = fields.get('email') ?? '';
  const type = fields.get('type') ?? '';
  const address = parseAddress(email);
  if (address === undefined || !isSignupType(type)) {
    const wrong = address === undefined ? NO_ADDRESS : 'Choose what to sign up for.';
    return sendForm(context, reply, { status: 422, wrong, email });
  }
  if (!chargeSignup(context, request)) {
    const minutes = Math.ceil(context.limiter.signUpAfter(request.client) / 60);
    const wrong = `There were too many signups from your network. Please try again in ${minutes} minutes.`;
    reply.header('retry-after', String(minutes * 60));
    return sendForm(context, reply, { status: 429, wrong, email });
  }
  const queue = context.limiter.queueOf(request.client);
  if (await isDone(context.subscriptions!.requestSignup(address, type, 'form', queue)))
    return checkInbox(context, reply);
  const wrong = 'We could not save your signup. Please try again later.';
  return sendForm(context, reply, { status: 503, wrong, email });
}

function sendForm(
  context: ServerContext,
  reply: FastifyReply,
  { status, wrong, email }: { status: number; wrong?: string; email?: string },
): FastifyReply {
  const html = renderSignupPage(context.layout, renderSignupForm(context, { email }), wrong);
  return sendPage(context, reply, html, { status, referrer: 'same-origin' });
}

function checkInbox(context: ServerContext, reply: FastifyReply): FastifyReply {
  const { contact } = context.city.operator;
  return sendMessagePage(context, reply, {
    title: 'Check your inbox',
    sentences: [
      'We have sent you an email with a link. Follow the link to confirm your signup.',
      `If nothing arrives within an hour, check your spam folder, or write to ${contact}.`,
    ],
  });
}

function isSignupType(type: string): type is SignupType {
  return SIGNUP_TYPES.some((known) => known === type);
}

/** Returns false if the database is temporarily unavailable, which is not an internal error. */
async function isDone(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof ShingleError && error.code === 'store') return false;
    throw error;
  }
}
