/** The Markdown of announcements: what becomes HTML, what stays text, and which files are refused. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMAIL_LOOK } from '../../../../src/page/email/email-layout.ts';
import { parseAnnouncement } from '../../../../src/service/mail/announcement.ts';
import { renderMarkdown } from '../../../../src/shared/text/markdown.ts';

/** Without the styles that mail programs need. */
const html = (words: string) => renderMarkdown(words, EMAIL_LOOK).replaceAll(/ (?:style|class)="[^"]*"/g, '');

test('headings, paragraphs, lists, links and emphasis become HTML', () => {
  const cases = {
    'One\ntwo\n\nthree': '<p>One\ntwo</p>\n<p>three</p>',
    '## Next\nText': '<h2>Next</h2>\n<p>Text</p>',
    '- one\n- two\n  and more\n* three': '<ul>\n<li>one</li>\n<li>two\nand more</li>\n<li>three</li>\n</ul>',
    '- one\n\n- two': '<ul>\n<li>one</li>\n<li>two</li>\n</ul>',
    'Text\n1. one\n2) two\n\nText': '<p>Text</p>\n<ol>\n<li>one</li>\n<li>two</li>\n</ol>\n<p>Text</p>',
    '**bold**, *italic*, _too_ and `a*b*`':
      '<p><strong>bold</strong>, <em>italic</em>, <em>too</em> and <code>a*b*</code></p>',
    '**a [link](https://a.example/?b=1&c=2)**':
      '<p><strong>a <a href="https://a.example/?b=1&amp;c=2">link</a></strong></p>',
    '<https://a.example/> <mailto:a@b.example>':
      '<p><a href="https://a.example/">https://a.example/</a> <a href="mailto:a@b.example">a@b.example</a></p>',
    '2 * 3 * 4, snake_case_name, 5 ** 6': '<p>2 * 3 * 4, snake_case_name, 5 ** 6</p>',
  };
  for (const [words, expected] of Object.entries(cases)) assert.equal(html(words), expected);
});

test('all other Markdown, HTML and other links stay text', () => {
  const hostile = [
    ...['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '[a](javascript:alert(1))'],
    ...['[a](data:text/html,x)', '<javascript:alert(1)>', '[a](https://a.example/"onclick="x)'],
    ...['[<b>](https://a.example/)', '**<b>** `<i>`', '# <u>'],
  ];
  for (const words of hostile) {
    const tags = [...html(words).matchAll(/<\/?([a-z0-9]+)([^>]*)>/g)];
    for (const [, name, attributes] of tags) {
      assert.ok(['p', 'h2', 'a', 'strong', 'code'].includes(name!), `${words}: ${html(words)}`);
      assert.match(attributes!, /^(?: href="https:\/\/a\.example\/[^"]*")?$/, words);
    }
  }
});

test('the first heading is the subject, without its marks', () => {
  const read = (text: string) => parseAnnouncement(Buffer.from(text), 'pro-waitlist');
  assert.deepEqual(read('# Pro is **here** in [Rivermouth](https://a.example/)\r\n\r\nCome.\r\n'), {
    subject: 'Pro is here in Rivermouth',
    words: '# Pro is **here** in [Rivermouth](https://a.example/)\n\nCome.',
  });
  assert.equal(read('\ufeff\n# Pro\nCome').subject, 'Pro');
  for (const bad of [
    ...['', 'Come', '## Pro\nCome', '# \nCome', '# Pro'],
    ...[`# ${'x'.repeat(151)}\nCome`, `# Pro\n${'x'.repeat(65_536)}`],
  ])
    assert.throws(() => read(bad), { code: 'usage' }, bad.slice(0, 20));
  assert.throws(
    () => parseAnnouncement(Buffer.from([0x23, 0x20, 0xff, 0x0a, 0x61]), 'pro-waitlist'),
    /UTF-8/,
  );
});
