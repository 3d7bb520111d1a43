import { expect, test } from 'bun:test'
import { sampleDevice } from '../../../test/support/device.ts'
import { createMatchingService } from './matching-service.ts'

test('all requests that wait for the index get a response, spread over several event-loop iterations', async () => {
  const matching = createMatchingService({
    devices: async () => [sampleDevice('Apple', 'iPhone 13')],
    onChange: () => () => {},
  })
  let turn = 0
  const count = setInterval(() => turn++, 0)
  const turns = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const { decision } = await matching.match({ text: 'a box of nothing' })
      expect(decision).toBe('unknown')
      return turn
    }),
  )
  clearInterval(count)
  expect(new Set(turns).size).toBeGreaterThan(3)
  // Once the index is built, results are synchronous.
  expect(matching.match({ text: 'a box of nothing' })).not.toBeInstanceOf(Promise)
  matching.close()
})

test('an index that no title used for a while is released, and built again for the next title', async () => {
  let builds = 0
  let passTime = () => {}
  const matching = createMatchingService(
    {
      devices: async () => {
        builds++
        return [sampleDevice('Apple', 'iPhone 13')]
      },
      onChange: () => () => {},
    },
    (tick) => {
      passTime = tick
      return () => {}
    },
  )
  const nameOf = async (text: string) => (await matching.match({ text })).device?.name
  expect(await nameOf('Apple iPhone 13')).toBe('iPhone 13')
  passTime()
  expect(matching.match({ text: 'Apple iPhone 13' })).not.toBeInstanceOf(Promise)
  expect(builds).toBe(1)
  passTime()
  passTime()
  expect(await nameOf('Apple iPhone 13')).toBe('iPhone 13')
  expect(builds).toBe(2)
  matching.close()
})
