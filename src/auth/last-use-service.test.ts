import { expect, test } from 'bun:test'
import { openLastUseRecorder } from './last-use-service.ts'

function kept(failTimes = 0, everyMs = 1_000_000) {
  const written: Record<string, number>[] = []
  const failed = Promise.withResolvers<void>()
  let failing = failTimes
  const lastUse = openLastUseRecorder({
    async write(notes) {
      if (failing-- > 0) throw new Error('away')
      written.push(Object.fromEntries(notes))
    },
    onFailure: () => failed.resolve(),
    everyMs,
  })
  return { lastUse, written, failed: failed.promise }
}

test('of many uses the last is written, once', async () => {
  const { lastUse, written } = kept()
  for (let at = 1; at <= 100; at++) lastUse.record('a', at)
  lastUse.record('b', 7)
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
  lastUse.record('a', 1)
  lastUse.record('b', 1)
  await failed
  expect(written).toEqual([])
  lastUse.record('a', 2)
  await lastUse.close()
  expect(written).toEqual([{ a: 2, b: 1 }])
})
