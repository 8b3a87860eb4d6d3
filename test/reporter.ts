/** The runner's own report, which also says why tests were skipped, and how many for each reason. */

import { Readable } from 'node:stream';
import { spec as Spec, type TestEvent } from 'node:test/reporters';

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  yield* Readable.from(withReasons(events)).compose(new Spec());
}

/** Before the summary, which begins with the number of tests, come the reasons. */
async function* withReasons(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  const skipped = new Map<string, number>();
  for await (const event of events) {
    const { type, data } = event;
    if (type === 'test:pass' && typeof data.skip === 'string')
      skipped.set(data.skip, (skipped.get(data.skip) ?? 0) + 1);
    if (type === 'test:diagnostic' && data.nesting === 0 && data.message.startsWith('tests '))
      for (const [reason, count] of skipped)
        yield { ...event, data: { ...data, message: `${count} skipped: ${reason}` } };
    yield event;
  }
}
