/** Renders the email that asks a person to confirm a signup. */

import type { CityFacts } from '../../shared/city/city-facts.ts';
import { localizationFor } from '../../shared/city/localization.ts';
import { describeSignup } from '../../shared/signup/consent.ts';
import { describePreferences, parsePreferences } from '../../shared/signup/preferences.ts';
import type { SignupType } from '../../shared/signup/signups.ts';
import {
  composeEmail,
  type EmailBody,
  makeButton,
  makeHeading,
  makeParagraph,
  makeSender,
  makeSmallLinks,
  makeSmallPrint,
} from './email-layout.ts';

/** Who sends the email. `publicUrl` is the address of the service. */
type Sending = { city: CityFacts; postalAddress: string | undefined; publicUrl: string };

/** Renders the email that asks for confirmation. It has no listing, and no text that a stranger could have typed. */
export function renderConfirmationEmail(
  { city, postalAddress, publicUrl }: Sending,
  type: SignupType,
  preferences: string | null,
  { confirm, manage }: { confirm: string; manage: string },
): EmailBody {
  const { say, language } = localizationFor(city);
  const { subject: what, purpose } = describeSignup(type, city);
  const title = say('confirm.title');
  const asked = say('confirm.email.asked', { purpose });
  const wanted = preferences === null ? [] : [parsePreferences(preferences, city)];
  const covers = wanted.map((one) => say('confirm.covers', { what: describePreferences(one, city) }));
  return composeEmail({
    city,
    subject: say('confirm.email.subject', { what }),
    preheader: asked,
    body: [
      makeHeading(title, title.toLocaleUpperCase(language)),
      makeParagraph(asked),
      ...covers.map(makeParagraph),
      makeButton(confirm, say('confirm.button')),
      makeParagraph(`${say('confirm.email.lasts')} ${say('confirm.email.ignore')}`),
    ],
    footer: [
      makeSmallPrint(say('notice.short')),
      makeSmallLinks(
        { label: say('notice.link'), href: `${publicUrl}/about#email` },
        { label: say('email.manage'), href: manage },
      ),
      makeSender(city, postalAddress),
    ],
  });
}
