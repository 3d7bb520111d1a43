import { expect, test } from 'bun:test'
import { keepLastUse } from './last-use.ts'

function kept(failTimes = 0, everyMs = 1_000_000) {
  const written: Record<string, number>[] = []
  const failed = Promise.withResolvers<void>()
  let failing = failTimes
  const lastUse = keepLastUse({
    async write(notes) {
      if (failing-- > 0) throw new Error('away')
      written.push(Object.fromEntries(notes))
    },
    failed: () => failed.resolve(),
    everyMs,
  })
  return { lastUse, written, failed: failed.promise }
}

test('of many uses the last is written, once', async () => {
  const { lastUse, written } = kept()
  for (let at = 1; at <= 100; at++) lastUse.note('a', at)
  lastUse.note('b', 7)
  expect(written).toEqual([])
  await lastUse.close()
  expect(written).toEqual([{ a: 100, b: 7 }])
})

test('nothing is written where nothing was used', async () => {
  const { lastUse, written } = kept()
  await lastUse.close()
  expect(written).toEqual([])
})

test('what could not be written is written the next time, unless there is something newer', async () => {
  const { lastUse, written, failed } = kept(1, 20)
  lastUse.note('a', 1)
  lastUse.note('b', 1)
  await failed
  expect(written).toEqual([])
  lastUse.note('a', 2)
  await lastUse.close()
  expect(written).toEqual([{ a: 2, b: 1 }])
})
