import { expect, test } from 'bun:test'
import { isNeverCalled, isPublicAddress, namesPrivateHost } from './public-address.ts'

for (const address of ['93.184.216.34', '8.8.8.8', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '3000::1']) {
  test(`${address} is public`, () => expect(isPublicAddress(address)).toBe(true))
}

for (const address of [
  '127.0.0.1',
  '127.8.8.8',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  // Outside 2000::/3: not allocated, though no reserved range lists them.
  '4000::1',
  '5f00::1',
  '8000::1',
  'fec0::1',
  '100::1',
  // Inside 2000::/3, but not public.
  '2001:db8::1',
  '2001::1',
  '2001:10::1',
  '2001:20::1',
  '3fff::1',
  // Metadata and platform services of cloud providers: Azure, Alibaba, Oracle, AWS, DigitalOcean over IPv6.
  '168.63.129.16',
  '::ffff:168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fe80::a9fe:a9fe',
  '198.18.0.1',
  '203.0.113.1',
  'localhost',
  '',
]) {
  test(`"${address}" is not public`, () => expect(isPublicAddress(address)).toBe(false))
}

for (const host of [
  '127.0.0.1',
  '10.0.0.5',
  '::1',
  'localhost',
  'erp',
  'erp.lan',
  'nas.local',
  'db.internal',
  'pi.home.arpa',
]) {
  test(`${host} is written as a private host`, () => expect(namesPrivateHost(host)).toBe(true))
}

for (const host of ['8.8.8.8', 'api.example.com', 'local.example', 'internal.shop.example', 'xn--lan-1a.example']) {
  test(`${host} is not`, () => expect(namesPrivateHost(host)).toBe(false))
}

for (const address of [
  '169.254.169.254',
  '169.254.0.1',
  '168.63.129.16',
  'fe80::1',
  'febf::1',
  'fd00:ec2::254',
  '::ffff:169.254.169.254',
])
  test(`${address} is never called`, () => expect(isNeverCalled(address)).toBe(true))

for (const address of ['10.0.0.1', '192.168.1.1', '127.0.0.1', '::1', 'fd00::1', '8.8.8.8', 'metadata.example'])
  test(`${address} may be called if a person entered it`, () => expect(isNeverCalled(address)).toBe(false))
