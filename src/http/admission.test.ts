import { expect, test } from 'bun:test'
import { admission } from './admission.ts'

test('as many as fit are let in, the next is refused at once, and room is given back however the work ends', async () => {
  const admitted = admission(2)
  let finish = () => {}
  const held = new Promise<void>((resolve) => {
    finish = resolve
  })
  const first = admitted.run(() => held)
  const second = admitted.run(async () => {
    await held
    throw new Error('failed')
  })
  expect(admitted.inProgress()).toBe(2)
  let refused: unknown
  try {
    admitted.run(async () => 'late')
  } catch (error) {
    refused = error
  }
  expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } })
  expect(() => admitted.check()).toThrow('More requests')
  finish()
  await first
  expect(await second.catch((error) => error.message)).toBe('failed')
  expect(admitted.inProgress()).toBe(0)
  expect(() => admitted.check()).not.toThrow()
  expect(await admitted.run(async () => 'again')).toBe('again')
})
