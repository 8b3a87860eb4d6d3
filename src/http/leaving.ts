/**
 * /confirm, /unsubscribe and /manage: the links in our emails. A GET changes nothing (mail scanners press links); the POST
 * of the page's button does, and so does the one-click POST of a mail program (RFC 8058), whatever its body.
 */

import { wantedThing } from '../mailing/confirm-letter.ts';
import { consentTo, noticeOf } from '../mailing/consent.ts';
import type { Desk } from '../mailing/desk.ts';
import { type Holder, SIGNUP_TYPES, type SignupType, type Subscription } from '../mailing/ports.ts';
import { askPage, managePage } from '../web/desk-pages.ts';
import { markup } from '../web/markup.ts';
import { formFields, isOfType } from './body.ts';
import type { Door } from './door.ts';
import { html, words } from './html.ts';
import type { Ask, Posted, Reply, Resource } from './reply.ts';
import { orBusy } from './signup.ts';

const PATIENCE_MS = 10_000;

export function leavingResources(door: Door, desk: Desk): Resource[] {
  const at = { door, desk };
  return [
    resource('/confirm', at, showConfirm, confirm),
    resource('/unsubscribe', at, showUnsubscribe, unsubscribe),
    resource('/manage', at, showManage, manage),
  ];
}

type At = { door: Door; desk: Desk };

function resource(
  path: string,
  at: At,
  show: (at: At, ask: Ask) => Promise<Reply>,
  act: (at: At, posted: Posted) => Promise<Reply>,
): Resource {
  const { door } = at;
  const sentences = ['It cannot be stored at this moment. Please try again in a minute.'];
  const busy = () => words(door, 503, 'Not just now', sentences);
  return {
    path,
    rank: 'leaving',
    patienceMs: PATIENCE_MS,
    get: (ask) => orBusy(show(at, ask), busy),
    post: (posted) => orBusy(act(at, posted), busy),
  };
}

function tokenOf({ query }: Ask): string {
  const tokens = new URLSearchParams(query).getAll('token');
  return tokens.length === 1 ? tokens[0]! : '';
}

async function showConfirm({ door, desk }: At, ask: Ask): Promise<Reply> {
  const holder = await desk.look('confirm', tokenOf(ask));
  const state = holder && stateOf(holder, holder.type)?.state;
  if (holder === undefined || state === undefined || state === 'left') return deadLink(door);
  if (state === 'confirmed') return confirmed(door, holder.type);
  return html(
    door,
    200,
    askPage(door.dress, {
      title: 'Please confirm',
      sentences: [`You asked for ${wantedThing(holder.type, door.city)}, to be sent to ${holder.address}.`],
      action: `/confirm?token=${tokenOf(ask)}`,
      label: 'Yes, confirm',
      notice: consentTo(holder.type, door.city).words,
    }),
  );
}

async function confirm({ door, desk }: At, posted: Posted): Promise<Reply> {
  const holder = await desk.confirm(tokenOf(posted));
  return holder === undefined ? deadLink(door) : confirmed(door, holder.type);
}

function confirmed(door: Door, type: SignupType): Reply {
  const next =
    type === 'weekly'
      ? 'The next edition comes to you. Every one has a link to leave.'
      : 'You will get one email when Pro can be had, and nothing before.';
  return words(door, 200, 'Confirmed', [`Thank you: you get ${wantedThing(type, door.city)}.`, next]);
}

async function showUnsubscribe({ door, desk }: At, ask: Ask): Promise<Reply> {
  const holder = await desk.look('unsubscribe', tokenOf(ask));
  if (holder === undefined) return nothingToLeave(door);
  if (stateOf(holder, holder.type)?.state !== 'confirmed') return left(door, holder.type);
  return html(
    door,
    200,
    askPage(door.dress, {
      title: 'Unsubscribe',
      sentences: [`Stop sending ${wantedThing(holder.type, door.city)} to ${holder.address}?`],
      action: `/unsubscribe?token=${tokenOf(ask)}`,
      label: 'Yes, stop it',
    }),
  );
}

/** 200 for stale links too: a mail program must not try again. */
async function unsubscribe({ door, desk }: At, posted: Posted): Promise<Reply> {
  const holder = await desk.leave('unsubscribe', tokenOf(posted));
  return holder === undefined ? nothingToLeave(door) : left(door, holder.type);
}

function left(door: Door, type: SignupType): Reply {
  return words(door, 200, 'You have left', [
    `${capital(wantedThing(type, door.city))} is not sent to you any more.`,
  ]);
}

function nothingToLeave(door: Door): Reply {
  const { contact } = door.city.operator;
  return words(door, 200, 'Nothing to stop here', [
    'Nothing is sent on the strength of this link.',
    `If our email still reaches you, use the link in the newest one, or write to ${contact}.`,
  ]);
}

async function showManage({ door, desk }: At, ask: Ask): Promise<Reply> {
  const holder = await desk.look('manage', tokenOf(ask));
  return holder === undefined ? deadLink(door) : managed(door, holder, tokenOf(ask));
}

async function manage({ door, desk }: At, posted: Posted): Promise<Reply> {
  const isForm = isOfType(posted.headers, 'application/x-www-form-urlencoded');
  const action = (isForm && formFields(posted.body)?.get('action')) || '';
  const token = tokenOf(posted);
  if (action === 'erase') {
    if (!(await desk.erase(token))) return deadLink(door);
    return words(door, 200, 'Erased', ['Everything about you is deleted, from backup copies within 7 days.']);
  }
  const type = SIGNUP_TYPES.find((one) => `leave-${one}` === action);
  const holder =
    type === undefined ? await desk.look('manage', token) : await desk.leave('manage', token, type);
  return holder === undefined ? deadLink(door) : managed(door, holder, token);
}

function managed(door: Door, holder: Holder, token: string): Reply {
  const lines = holder.subscriptions.map((subscription) => ({
    title: capital(wantedThing(subscription.type, door.city)),
    sentence: sentenceOf(subscription),
    leave: subscription.state === 'left' ? undefined : `leave-${subscription.type}`,
  }));
  const notice = noticeOf(door.city);
  return html(
    door,
    200,
    managePage(door.dress, { address: holder.address, action: `/manage?token=${token}`, lines, notice }),
  );
}

function sentenceOf({ state, askedAt, confirmedAt, leftAt, source }: Subscription): string {
  const how =
    source === 'operator'
      ? 'added by the operator'
      : source === 'form'
        ? 'asked with the form'
        : 'asked by a program';
  const asked = `${capital(how)} on ${askedAt.slice(0, 10)}`;
  if (state === 'left') return `${asked}, left on ${leftAt?.slice(0, 10)}.`;
  return state === 'confirmed'
    ? `${asked}, confirmed on ${confirmedAt?.slice(0, 10)}.`
    : `${asked}, not confirmed.`;
}

/** The same for a link that never was, is too old, was of another kind, or of somebody who has gone. */
function deadLink(door: Door): Reply {
  const sentences = ['It may be too old, cut off, or used up. You can ask for a new one.'];
  return words(door, 404, 'This link does not work', sentences, markup`<p><a href="/signup">Sign up</a></p>`);
}

function stateOf({ subscriptions }: Holder, type: SignupType): Subscription | undefined {
  return subscriptions.find((one) => one.type === type);
}

function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}
