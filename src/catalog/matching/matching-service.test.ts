import { expect, test } from 'bun:test'
import { sampleDevice } from '../../../test/support/device.ts'
import { createMatchingService } from './matching-service.ts'

test('all who wait for the names to be learnt are answered, and not in one turn of the event loop', async () => {
  const matching = createMatchingService({
    devices: () => [sampleDevice('Apple', 'iPhone 13')],
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
  // From now on nobody waits.
  expect(matching.match({ text: 'a box of nothing' })).not.toBeInstanceOf(Promise)
  matching.close()
})
