/** Reads the body of POST /api/signup strictly: no coercion, and no missing, extra or repeated field. */

import { findNearestWord } from '../listings/edits.ts';
import { isPlainWord } from '../listings/words.ts';
import { NO_PREFERENCES, type Preferences } from '../subscribers/preferences.ts';
import { isSignupType, SIGNUP_TYPES, type SignupType } from '../subscribers/subscriber.ts';
import { PREFERENCE_FIELDS } from './preference-choices.ts';
import type { ProblemCode, RequestFault } from './problems.ts';
import { parseJsonObject } from './request-body.ts';

const REQUIRED = ['email', 'type'] as const;
const FIELDS = [...REQUIRED, ...PREFERENCE_FIELDS] as const;

type SignupBody = { email: string; type: SignupType; wanted: Preferences };
type Refusal = { code: ProblemCode; errors: RequestFault[] };

export function parseSignupBody(body: Buffer): SignupBody | Refusal {
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
