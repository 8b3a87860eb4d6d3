/**
 * POST /api/signup for programs and POST /signup for the page's form. Whoever asks gets the same answer, after the same
 * work: nobody can find out here who is signed up.
 */

import { ShingleError } from '../errors.ts';
import { nearestWord } from '../listings/edits.ts';
import { isPlainWord } from '../listings/words.ts';
import { parseAddress } from '../mailing/address.ts';
import type { Desk } from '../mailing/desk.ts';
import { SIGNUP_TYPES, type SignupType } from '../mailing/ports.ts';
import { signupPage } from '../web/desk-pages.ts';
import { formFields, isOfType, jsonObject } from './body.ts';
import { signupForm } from './city-page.ts';
import type { Door } from './door.ts';
import { html, words } from './html.ts';
import { JSON_HEADERS } from './json.ts';
import { type Fault, PROBLEMS, type ProblemCode, problemReply } from './problem.ts';
import type { Posted, Reply, Resource } from './reply.ts';

const PATIENCE_MS = 10_000; // a big run may be in the middle of its one transaction
const ACCEPTED = Buffer.from(JSON.stringify({ status: 'accepted', detail: 'Check your inbox to confirm.' }));
const FIELDS = ['email', 'type'] as const;
const NO_ADDRESS =
  'This cannot be an email address that every mail server delivers to: one @, letters, digits and dots before it (ASCII), a domain after it.';

export function signupResources(door: Door, desk: Desk): Resource[] {
  return [
    {
      path: '/api/signup',
      rank: 'signup',
      patienceMs: PATIENCE_MS,
      post: (posted) => signUpByProgram(door, desk, posted),
    },
    {
      path: '/signup',
      rank: 'signup',
      patienceMs: PATIENCE_MS,
      get: () => formPage(door, { status: 200 }),
      post: (posted) => signUpByForm(door, desk, posted),
    },
  ];
}

type Order = { email: string; type: SignupType };

async function signUpByProgram(door: Door, desk: Desk, posted: Posted): Promise<Reply> {
  const problem = (code: ProblemCode, errors?: Fault[], headers?: string[]): Reply => {
    return problemReply(door.publicUrl, { code, detail: errors?.[0]?.detail, errors, headers });
  };
  if (isForeign(door, posted)) return problem('foreign-origin');
  if (!isOfType(posted.headers, 'application/json')) return problem('unsupported-media-type');
  const read = orderIn(posted.body);
  if ('code' in read) return problem(read.code, read.errors);
  const address = parseAddress(read.email);
  if (address === undefined) return problem('invalid-value', [{ pointer: '/email', detail: NO_ADDRESS }]);
  if (!door.limiter.signUp(posted.client)) {
    door.metrics?.refused('signup');
    const seconds = door.limiter.signUpAfter(posted.client);
    return problem('quota-exceeded', undefined, ['Retry-After', String(seconds)]);
  }
  const headers = [...JSON_HEADERS, 'Cache-Control', 'no-store'];
  return orBusy(
    desk.ask(address, read.type, 'api').then(() => ({ status: 202, headers, body: ACCEPTED })),
    () => problem('unavailable', undefined, ['Retry-After', '60']),
  );
}

/** Strictly: no coercion, no field left out, none too many, none twice. */
function orderIn(body: Buffer): Order | { code: ProblemCode; errors: Fault[] } {
  const object = jsonObject(body);
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
      return invalid(`/${field}`, `${field} stands there twice.`);
    if (typeof value[field] !== 'string') return invalid(`/${field}`, `${field} must be a string.`);
  }
  const { email, type } = value as { email: string; type: string };
  if (isType(type)) return { email, type };
  const detail = `type must be one of ${SIGNUP_TYPES.join(', ')}.`;
  const did_you_mean = nearestWord(type, SIGNUP_TYPES);
  return { code: 'invalid-value', errors: [{ pointer: '/type', detail, did_you_mean }] };
}

function unknownField(name: string): Fault {
  const detail = `There are only ${FIELDS.join(' and ')}.`;
  if (!isPlainWord(name)) return { pointer: '', detail };
  return { pointer: `/${name}`, detail, did_you_mean: nearestWord(name, FIELDS) };
}

async function signUpByForm(door: Door, desk: Desk, posted: Posted): Promise<Reply> {
  if (isForeign(door, posted)) return formPage(door, { status: 403, wrong: PROBLEMS['foreign-origin'].text });
  const fields = isOfType(posted.headers, 'application/x-www-form-urlencoded')
    ? formFields(posted.body)
    : undefined;
  if (fields === undefined) return formPage(door, { status: 415, wrong: 'This was not sent by the form.' });
  if (fields.get('website')) return checkInbox(door); // only robots fill it in
  const email = fields.get('email') ?? '';
  const type = fields.get('type') ?? '';
  const address = parseAddress(email);
  if (address === undefined || !isType(type)) {
    const wrong = address === undefined ? NO_ADDRESS : 'Please choose what you would like.';
    return formPage(door, { status: 422, wrong, email });
  }
  if (!door.limiter.signUp(posted.client)) {
    door.metrics?.refused('signup');
    const minutes = Math.ceil(door.limiter.signUpAfter(posted.client) / 60);
    const wrong = `Too many signups came from your network. Please try again in ${minutes} minutes.`;
    const page = formPage(door, { status: 429, wrong, email });
    return { ...page, headers: [...page.headers, 'Retry-After', String(minutes * 60)] };
  }
  const wrong = 'It cannot be stored just now. Please try again later.';
  return orBusy(
    desk.ask(address, type, 'form').then(() => checkInbox(door)),
    () => formPage(door, { status: 503, wrong, email }),
  );
}

function formPage(door: Door, page: { status: number; wrong?: string; email?: string }): Reply {
  const form = signupForm(door, page.email);
  return html(door, page.status, signupPage(door.dress, form, page.wrong), { referrer: 'same-origin' });
}

function checkInbox(door: Door): Reply {
  const { contact } = door.city.operator;
  return words(door, 200, 'Check your inbox', [
    'We have sent a link to the address you gave; nothing happens before you confirm it there.',
    `If nothing arrives within an hour, look among the unwanted mail, or write to ${contact}.`,
  ]);
}

/** A browser says where a form or a script is from; programs say nothing. */
export function isForeign({ publicUrl }: Door, { headers }: Posted): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  if (origin === undefined) return false;
  return origin !== new URL(publicUrl).origin && !isHost(origin, headers.host);
}

function isHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}

function isType(type: string): type is SignupType {
  return SIGNUP_TYPES.some((known) => known === type);
}

/** The answer, or another where the store cannot do it now: not the same as something being wrong with us. */
export function orBusy(answered: Promise<Reply>, busy: () => Reply): Promise<Reply> {
  return answered.catch((error: unknown) => {
    if (error instanceof ShingleError && error.code === 'store') return busy();
    throw error;
  });
}
