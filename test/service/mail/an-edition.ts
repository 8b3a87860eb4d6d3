/** The content of an edition as an English city names it. */

import {
  type EditionContent,
  type Making,
  makeEditionContent,
  nameContent,
} from '../../../src/shared/edition/edition.ts';

export function contentOf(making: Making): EditionContent {
  return nameContent(makeEditionContent(making), {});
}
