/** `shingle suppress` hides listings by name or key, and `shingle correct` replaces fields of them. */

import {
  type CorrectOptions,
  correct,
  listOverruled,
  suppress,
  undoOverruling,
} from '../desk/listing-review.ts';
import { withService } from '../options.ts';

export const suppressListings = (value: string, options: { reason?: string; dryRun?: boolean }) =>
  withService((service) => suppress(service, { ...options, value }));

export const correctListings = (value = '', options: CorrectOptions = {}) =>
  withService((service) => correct(service, value, options));

export const serveAgain = (value: string) =>
  withService((service) => undoOverruling(service, 'suppressions', value));

export const removeCorrection = (value: string) =>
  withService((service) => undoOverruling(service, 'corrections', value));

export const listSuppressions = () => withService((service) => listOverruled(service, 'suppressions'));

export const listCorrections = () => withService((service) => listOverruled(service, 'corrections'));
