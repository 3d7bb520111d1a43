import { expect, test } from 'bun:test'
import { isReachable } from './reachable-address.ts'

test('a phone opens addresses of the network and of the internet, not those of this computer', () => {
  for (const address of ['https://shop.example/verify/x', 'http://192.168.1.20:3000/verify/x', 'https://127.example'])
    expect(isReachable(address)).toBe(true)
  for (const address of [
    'http://localhost:3000/verify/x',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'http://a.localhost',
  ])
    expect(isReachable(address)).toBe(false)
})
