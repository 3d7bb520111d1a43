import { expect, test } from 'bun:test'
import { admission } from './admission.ts'

test('as many as fit are let in, the next is refused at once, and room is given back however the work ends', async () => {
  const door = admission(2)
  let finish = () => {}
  const held = new Promise<void>((resolve) => {
    finish = resolve
  })
  const first = door.run(() => held)
  const second = door.run(async () => {
    await held
    throw new Error('failed')
  })
  expect(door.inProgress()).toBe(2)
  let refused: unknown
  try {
    door.run(async () => 'late')
  } catch (error) {
    refused = error
  }
  expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } })
  expect(() => door.check()).toThrow('More requests')
  finish()
  await first
  expect(await second.catch((error) => error.message)).toBe('failed')
  expect(door.inProgress()).toBe(0)
  expect(() => door.check()).not.toThrow()
  expect(await door.run(async () => 'again')).toBe('again')
})
