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
