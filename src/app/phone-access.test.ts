import { expect, test } from 'bun:test'
import { phoneAccess } from './phone-access.ts'

const LAN = ['192.168.1.20']
const settings = { baseUrl: '', host: '127.0.0.1', port: 3000, tls: undefined }
const LOCAL = 'http://localhost:3000'

test('a service that listens on loopback has no address for a phone', () => {
  const access = phoneAccess(settings, LOCAL, LAN)
  expect(access).toMatchObject({ urls: [], is_loopback_only: true, is_secure: false })
})

test('a service that listens on all interfaces is reached at its LAN address, without HTTPS', () => {
  const access = phoneAccess({ ...settings, host: '0.0.0.0' }, LOCAL, LAN)
  expect(access).toMatchObject({ urls: ['http://192.168.1.20:3000'], is_loopback_only: false, is_secure: false })
})

test('with a certificate the LAN address is https', () => {
  const tls = { cert: 'shop.pem', key: 'shop.key' }
  const access = phoneAccess({ ...settings, host: '::', tls }, LOCAL, LAN)
  expect(access).toMatchObject({ urls: ['https://192.168.1.20:3000'], is_secure: true, has_base_url: false })
})

test('BASE_URL is the address, unless it is a loopback address', () => {
  expect(phoneAccess({ ...settings, baseUrl: 'https://shop.example' }, LOCAL, LAN)).toMatchObject({
    urls: ['https://shop.example'],
    is_secure: true,
    has_base_url: true,
  })
  expect(phoneAccess({ ...settings, baseUrl: LOCAL }, LOCAL, LAN)).toMatchObject({ urls: [], has_base_url: false })
})

test('an address by which a browser reached the service works for a phone too', () => {
  const access = phoneAccess(settings, 'http://counter.lan:3000', LAN)
  expect(access.urls).toEqual(['http://counter.lan:3000'])
})
