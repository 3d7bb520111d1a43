import { expect, test } from 'bun:test'
import { loggedId, newRequestId, requestIdFrom } from './request-id.ts'

test('a sane id is taken over, anything else gets a new one', () => {
  for (const sane of ['a', 'order-4711/7', '4bf92f3577b34da6a3ce929d0e0e4736', 'x'.repeat(128)]) {
    expect(requestIdFrom(sane)).toBe(sane)
  }
  for (const odd of ['', 'a b', 'a"b', 'ä', 'x'.repeat(129), 'a\nb']) {
    expect(requestIdFrom(odd)).toMatch(/^req_[0-9a-z]+$/)
  }
  expect(newRequestId()).not.toBe(newRequestId())
})

test('a key or an IMEI sent as an id is not repeated in the log', () => {
  expect(loggedId('pk_ent_abcdefghijklmnop')).toBe('pk_***')
  expect(loggedId('call-pk_pub_abc')).toBe('call-pk_***')
  expect(loggedId('490154203237518')).toBe('49015420*****18')
  expect(loggedId('imei:490154203237518')).toBe('imei:49015420*****18')
})

test('ids that callers really use are logged as they are', () => {
  for (const id of ['4bf92f3577b34da6a3ce929d0e0e4736', '7301842915610283746', 'order-4711', newRequestId()]) {
    expect(loggedId(id)).toBe(id)
  }
})
