/** How long signups, their confirmations, links and records are kept. `sweep.ts` deletes what is older. */

/** Hours after which an unsent confirmation is dropped. */
export const CONFIRMATION_HOURS = 24;
export const CONFIRM_LINK_DAYS = 7;
export const UNCONFIRMED_SIGNUP_DAYS = 7;
export const MANAGE_LINK_DAYS = 90; // long enough, because every edition brings a new link
export const UNSUBSCRIBED_DAYS = 30;
export const MESSAGE_RECORD_DAYS = 30;
export const BOUNCE_DAYS = 60; // longer than messages, so that consecutive failures can be counted
