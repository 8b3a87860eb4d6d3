/** Parses networks of clients and proxies: `203.0.113.0/24`, `2001:db8::/32`, or a single address. */

import { BlockList, isIP, isIPv6 } from 'node:net';

type Network = { address: string; bits: number; family: 'ipv4' | 'ipv6' };

export function parseNetwork(text: string): Network | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const most = family === 'ipv6' ? 128 : 32;
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
  const isNetwork = isIP(address) !== 0 && rest.length === 0 && prefix >= 1 && prefix <= most;
  return isNetwork ? { address, bits: prefix, family } : undefined;
}

/** Returns a function that tests whether an address is in a network. Returns `false` for other texts. */
export function openNetworkTest(networks: readonly Network[]): (address: string) => boolean {
  if (networks.length === 0) return () => false;
  const list = new BlockList();
  for (const { address, bits, family } of networks) list.addSubnet(address, bits, family);
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Returns whether a host, which may be an IPv6 address in brackets, is only of this machine. */
export function isLoopback(host: string): boolean {
  return /^(localhost|\[?::1\]?|127\.\d+\.\d+\.\d+)$/i.test(host);
}
