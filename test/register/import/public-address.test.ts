/** What the guard of redirects takes for the public internet, held against the whole of IANA's special-purpose registries. */

import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { test } from 'node:test';
import { isPublicAddress } from '../../../src/register/readers/fetch.ts';
import prefixes from './special-prefixes.json' with { type: 'json' };

type Prefix = [prefix: string, isReachable: boolean];

/** Of IANA's registries, every prefix and whether it is globally reachable. */
const [IPV4, IPV6] = [prefixes.ipv4, prefixes.ipv6] as [Prefix[], Prefix[]];

/** Reachable, but refused: gateways to other addresses, and what lies within a block that is refused. */
const REFUSED_THOUGH_REACHABLE = [
  ...['192.0.0.9/32', '192.0.0.10/32', '64:ff9b::/96', '2001:1::1/128', '2001:1::2/128', '2001:1::3/128'],
  ...['2001:3::/32', '2001:4:112::/48', '2001:20::/28', '2001:30::/28'],
];

const widthOf = (address: string) => (address.includes(':') ? 128 : 32);

function toNumber(address: string): bigint {
  if (!address.includes(':'))
    return address.split('.').reduce((number, part) => number * 256n + BigInt(part), 0n);
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array(address.includes('::') ? missing : 0).fill('0'), ...groups(tail)];
  return all.reduce((number, group) => number * 65_536n + BigInt(`0x${group}`), 0n);
}

function toAddress(number: bigint, width: number): string {
  const [count, bits] = width === 32 ? [4, 8n] : [8, 16n];
  const parts = Array.from(
    { length: count },
    (_, i) => (number >> (BigInt(count - 1 - i) * bits)) % (1n << bits),
  );
  return width === 32 ? parts.join('.') : parts.map((part) => part.toString(16)).join(':');
}

/** The first and the last address of a prefix, and those next to them outside. */
function edgesOf(prefix: string): string[] {
  const [net = '', bits] = prefix.split('/');
  const width = widthOf(net);
  const first = toNumber(net);
  const last = first + (1n << BigInt(width - Number(bits))) - 1n;
  const all = [first - 1n, first, last, last + 1n].filter((one) => one >= 0n && one < 1n << BigInt(width));
  return all.map((one) => toAddress(one, width));
}

function listOf(all: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const prefix of all) {
    const [net = '', bits] = prefix.split('/');
    list.addSubnet(net, Number(bits), net.includes(':') ? 'ipv6' : 'ipv4');
  }
  return (address) => list.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

const refusedOf = (all: readonly Prefix[]): string[] =>
  all
    .filter(([prefix, isReachable]) => !isReachable || REFUSED_THOUGH_REACHABLE.includes(prefix))
    .map(([prefix]) => prefix);
const isRefusedIpv4 = listOf(refusedOf(IPV4));
const isRefusedIpv6 = listOf(refusedOf(IPV6)); // apart: to Node, ::ffff:0:0/96 holds every IPv4 address
const isGlobalUnicast = listOf(['2000::/3']);
const isOpen = (address: string) =>
  widthOf(address) === 32 ? !isRefusedIpv4(address) : isGlobalUnicast(address) && !isRefusedIpv6(address);

test('every special-purpose prefix that is not globally reachable is refused, and its neighbors are allowed', () => {
  const edges = [...IPV4, ...IPV6].flatMap(([prefix]) => edgesOf(prefix));
  for (const address of edges) assert.equal(isPublicAddress(address), isOpen(address), address);
  const allowed = edges.filter(isOpen).length;
  assert.ok(allowed > 30, `only ${allowed} neighbors are allowed`);
});

test('an IP address that contains a private one is not mistaken for a public address', () => {
  for (const hidden of ['10.0.0.1', '127.0.0.1', '169.254.169.254', '192.168.1.1', '8.8.8.8']) {
    const [a, b] = Buffer.from(hidden.split('.').map(Number)).toString('hex').match(/.{4}/g)!;
    for (const address of [
      ...[`::ffff:${hidden}`, `::ffff:${a}:${b}`, `0:0:0:0:0:ffff:${a}:${b}`, `::${hidden}`, `::${a}:${b}`],
      ...[`::ffff:0:${a}:${b}`, `64:ff9b::${hidden}`, `64:ff9b:1::${a}:${b}`],
      ...[`2002:${a}:${b}::1`, `2001:0:${a}:${b}::1`],
    ])
      assert.equal(isPublicAddress(address), false, address);
  }
});

test('addresses of the public internet are allowed, and other texts are refused', () => {
  const google = ['8.8.8.8', '2a00:1450:4001::200e', '2001:4860:4860::8888'];
  for (const address of [...google, '104.16.0.1', '2600:1406::1'])
    assert.equal(isPublicAddress(address), true, address);
  for (const text of ['', 'localhost', 'fe80::1%eth0', '2001:db8::1%2', '1.2.3', '[::1]'])
    assert.equal(isPublicAddress(text), false, text);
});
