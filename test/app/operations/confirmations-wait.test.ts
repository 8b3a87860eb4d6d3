/** Confirmations that wait for the limit of one domain: whether they need the operator, in health and status alike. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findConcerns, readSigns } from '../../../src/app/operations/concerns.ts';
import { openMail } from '../../../src/app/operations/connect-mail.ts';
import { aCity } from '../../a-city.ts';
import { ask, at, MINUTE } from '../../service/database/mailing-steps.ts';
import { until } from '../../until.ts';

test('signups for one domain alarm the operator only if they come from three clients', async () => {
  const service = await aCity().open(at(11 * MINUTE));
  const signUp = (client: number, name: string) =>
    ask(service.store, `${name}@firm.example`, { client, recipientDomain: 'firm.example' });
  /** What the mailer and a command see once all has been sent that may be. */
  const look = async () => {
    const mailer = openMail(service);
    mailer.start();
    await until(mailer.standing, 'the mailer to look');
    await mailer.close();
    const signs = await readSigns(service);
    const concerns = findConcerns(service, { ...signs, mail: mailer.standing() });
    const isTold = concerns.some(({ kind }) => kind === 'confirmations');
    return [isTold, mailer.standing()?.waiting, signs.mail?.waiting];
  };
  for (let i = 0; i < 15; i++) await signUp(1, `u${i}`);
  assert.deepEqual(await look(), [false, 0, 0], 'seven wait');
  for (const client of [2, 3, 4]) await signUp(client, `v${client}`);
  assert.deepEqual(await look(), [false, 0, 0], 'two clients have had their turn, and one waits');
  await signUp(5, 'v5');
  assert.deepEqual(await look(), [true, 9, 9]);
});
