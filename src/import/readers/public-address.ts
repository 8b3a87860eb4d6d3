/**
 * Whether an address is one of the public internet, from the special-purpose registries of IANA
 * (https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry, as of October 2025).
 * What only stands for another address (NAT64, 6to4, Teredo, IPv4 in IPv6) counts as not public: it may lead anywhere.
 */

import { BlockList, isIP } from 'node:net';

const NOT_PUBLIC_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];

/** IANA assigns public addresses out of this block alone: all outside of it is refused without being named. */
const GLOBAL_UNICAST_IPV6 = ['2000::/3'];
const NOT_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const notPublicIpv4 = makeBlockList(NOT_PUBLIC_IPV4, 'ipv4');
const notPublicIpv6 = makeBlockList(NOT_PUBLIC_IPV6, 'ipv6');
const globalUnicast = makeBlockList(GLOBAL_UNICAST_IPV6, 'ipv6');

/** `address` as the system or a URL writes it, without brackets. What is no address is not public. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, ''); // the system names the interface of a link-local address
  const family = isIP(bare);
  if (family === 4) return !notPublicIpv4.check(bare, 'ipv4');
  return family === 6 && globalUnicast.check(bare, 'ipv6') && !notPublicIpv6.check(bare, 'ipv6');
}

function makeBlockList(prefixes: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const prefix of prefixes) {
    const [net = '', bits] = prefix.split('/');
    list.addSubnet(net, Number(bits), family);
  }
  return list;
}
