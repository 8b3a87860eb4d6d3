/** Values that have broken programs before. */

/** Texts; whoever sends them encodes them for where they go. */
export const NASTY_TEXTS: readonly string[] = [
  ...['', ' ', '\0', '\n', '\r\nX-Evil: 1', '\u2028', '\u202e'],
  ...['\ufeff', '\ufffe', 'é', 'e\u0301', '東京', '🍕', '👩‍👩‍👧'],
  ...['0', '-0', '00', '1', '25', '26', '1.0', '1e1', '0x10'],
  ...[' 25', '+1', '٣', 'NaN', 'Infinity', 'null', 'true'],
  ...['975', '976', '1000', '1001', '4294967296', '9007199254740993', '9'.repeat(400)],
  ...["' OR 1=1 --", '"; DROP TABLE listings; --', '*', 'NEAR(a b)'],
  ...['a* OR col:b', '%', '_', '\\', '#{7*7}', '{{7*7}}'],
  ...['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>'],
  ...['javascript:alert(1)', '../../etc/passwd'],
  ...['__proto__', 'constructor', 'prototype', '[object Object]'],
  ...['toString', 'a'.repeat(200), 'a'.repeat(201)],
  ...['🍕'.repeat(200), '🍕'.repeat(201), 'İ'.repeat(60)],
  ...['\u0300'.repeat(150), "'".repeat(200), '!'.repeat(180)],
];

/** Percent-encoding as it should not be, and characters that need not be encoded. */
export const NASTY_ENCODINGS: readonly string[] = [
  ...['%', '%4', '%zz', '%ff', '%c0%af', '%ed%a0%80'],
  ...['%f5%80%80%80', '%u0041', '%00', '%25', '%2525', '%2B', '+'],
  ...['a=b', 'a==', ';', 'a;q=b', '[]', '{}', '|', '^', '`', '"', '<>', '~', '@', ',', 'a%26q%3Db', '%0d%0a'],
];

/** Headers that proxies, browsers and attackers send; each with any of the values below. */
export const HEADER_NAMES: readonly string[] = [
  ...['Accept', 'Accept-Encoding', 'Accept-Language'],
  ...['Accept-Charset', 'Authorization', 'Cookie', 'Range', 'TE'],
  ...['Expect', 'Upgrade', 'Upgrade-Insecure-Requests', 'Origin', 'Referer', 'Sec-Fetch-Site', 'From', 'Via'],
  ...['If-None-Match', 'If-Match', 'If-Modified-Since', 'If-Range', 'Content-Type', 'Content-Encoding'],
  ...['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'Forwarded', 'X-Real-IP', 'X-Original-URL'],
  ...['X-HTTP-Method-Override', 'X-Rewrite-URL', 'X-Shingle-Client'],
  ...['__proto__', 'constructor', 'Max-Forwards'],
];
export const HEADER_VALUES: readonly string[] = [
  ...[
    '',
    '*',
    '*/*',
    'text/html',
    'application/json',
    'identity;q=0',
    'br, gzip;q=0',
    'gzip;q=1;q=0',
    ',,,',
    ';',
  ],
  ...['100-continue', 'bytes=0-0', 'bytes=-1', 'websocket'],
  ...['W/"a", "b"', '"', '"a', 'null', 'http://evil.example'],
  ...['same-origin', 'cross-site', '127.0.0.1', '::1', '[::1]:80'],
  ...['/api/health', 'DELETE', 'chunked', '@@', '\x80\xff'],
  ...['{"narrow":[0,0],"wide":null}', '__proto__', '<script>'],
  ...['%00', '-1', '1e999', 'a'.repeat(4000), 'a,'.repeat(2000)],
];

/** What programs on the way are told, or would believe, by value: none of it may change an answer. */
export const CLAIMS: Readonly<Record<string, readonly string[]>> = {
  'evil.example': [
    ...HEADER_NAMES,
    ...['Host', 'X-Forwarded-Server', 'X-Host', 'X-HTTP-Host-Override', 'X-Original-Host', 'User-Agent'],
  ],
  '203.0.113.9': ['X-Forwarded-For', 'X-Real-IP', 'True-Client-IP', 'CF-Connecting-IP', 'X-Client-IP'],
  'for=203.0.113.9;host=evil.example;proto=http': ['Forwarded'],
  '8443': ['X-Forwarded-Port', 'Max-Forwards', 'DNT', 'Sec-GPC'],
  http: ['X-Forwarded-Proto', 'X-Forwarded-Scheme', 'X-Forwarded-Protocol', 'X-Url-Scheme'],
  on: ['X-Forwarded-Ssl', 'Front-End-Https', 'Save-Data'],
  '/api/health': [
    ...['X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Uri', 'X-Forwarded-Path', 'X-Forwarded-Prefix'],
  ],
  DELETE: ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'],
  'bytes=0-9': ['Range'],
  'no-cache': ['Cache-Control', 'Pragma'],
  'de-DE, ar;q=0.9': ['Accept-Language'],
  'utf-16': ['Accept-Charset'],
  'Sat, 21 Nov 2026 00:00:00 GMT': ['If-Modified-Since', 'If-Unmodified-Since', 'Accept-Datetime'],
  XMLHttpRequest: ['X-Requested-With'],
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)': ['User-Agent'],
};
