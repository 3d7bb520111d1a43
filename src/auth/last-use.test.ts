import { expect, test } from 'bun:test'
import { openLastUseRecorder } from './last-use.ts'

function recorder(failures = 0) {
  const written: Record<string, number>[] = []
  let failing = failures
  const lastUse = openLastUseRecorder(async (lastUsedAt) => {
    if (failing-- > 0) throw new Error('away')
    written.push(Object.fromEntries(lastUsedAt))
  })
  return { lastUse, written }
}

test('only the last of many uses is written, once', async () => {
  const { lastUse, written } = recorder()
  for (let at = 1; at <= 100; at++) lastUse.record('a', at)
  lastUse.record('b', 7)
  expect(written).toEqual([])
  await lastUse.flush()
  await lastUse.flush()
  expect(written).toEqual([{ a: 100, b: 7 }])
})

test('nothing is written if no key was used', async () => {
  const { lastUse, written } = recorder()
  await lastUse.flush()
  expect(written).toEqual([])
})

test('a failed write is retried the next time, unless there is a newer use', async () => {
  const { lastUse, written } = recorder(1)
  lastUse.record('a', 1)
  lastUse.record('b', 1)
  expect(lastUse.flush()).rejects.toThrow('away')
  await Promise.resolve()
  expect(written).toEqual([])
  lastUse.record('a', 2)
  await lastUse.flush()
  expect(written).toEqual([{ a: 2, b: 1 }])
})
