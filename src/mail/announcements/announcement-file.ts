/** Reads the file of an announcement: Markdown that begins with a heading, which is the subject. Pure. */

import { ShingleError } from '../../errors.ts';
import { toPlainText } from '../../listings/markdown.ts';

const MOST_FILE_BYTES = 65_536;
const MOST_SUBJECT_LENGTH = 150; // longer ones are cut off by mail programs, and were not meant as a subject

/** Throws `usage` with a sentence for the operator. */
export function parseAnnouncement(bytes: Uint8Array): { subject: string; words: string } {
  if (bytes.length > MOST_FILE_BYTES)
    throw new ShingleError('usage', `the announcement is larger than ${MOST_FILE_BYTES / 1024} KiB`);
  const words = decodeText(bytes).replaceAll(/\r\n?/g, '\n').trim();
  const [first = '', ...rest] = words.split('\n');
  const subject = toPlainText(/^#[ \t]+(\S.*)$/.exec(first)?.[1] ?? '').trim();
  if (subject === '')
    throw new ShingleError(
      'usage',
      'the announcement must begin with a heading, such as "# Pro is here": it is the subject of the email',
    );
  if (subject.length > MOST_SUBJECT_LENGTH)
    throw new ShingleError('usage', `the heading is longer than ${MOST_SUBJECT_LENGTH} characters`);
  if (rest.join('').trim() === '')
    throw new ShingleError('usage', 'the announcement has a heading and no text');
  return { subject, words };
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ShingleError('usage', 'the announcement is not UTF-8 text');
  }
}
