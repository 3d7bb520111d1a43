import { expect, test } from 'bun:test'
import { isSameOrigin } from './same-origin.ts'

const ours = ['https://devices.example']
const from = (headers: Record<string, string>) => isSameOrigin(new Headers(headers), ours)

test('changes from our own pages are accepted', () => {
  expect(from({ Origin: 'https://devices.example', 'Sec-Fetch-Site': 'same-origin' })).toBe(true)
  expect(from({ Origin: 'https://devices.example' })).toBe(true)
})

test('changes from other origins are rejected', () => {
  expect(from({})).toBe(false)
  expect(from({ Origin: 'null' })).toBe(false)
  expect(from({ Origin: 'https://devices.example.evil.test' })).toBe(false)
  expect(from({ Origin: 'http://devices.example' })).toBe(false)
  expect(from({ Origin: 'https://devices.example', 'Sec-Fetch-Site': 'same-site' })).toBe(false)
  expect(from({ 'Sec-Fetch-Site': 'cross-site' })).toBe(false)
})
