/** A reporter that says which tests failed, one line each, the innermost first. */

import type { TestEvent } from 'node:test/reporters';

export const FAILED = '\u0001failed ';

export default async function* reportFailures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events)
    if (type === 'test:fail' && data.todo === undefined)
      yield `\n${FAILED}${data.name.replaceAll(/\s+/g, ' ')}\n`;
}
