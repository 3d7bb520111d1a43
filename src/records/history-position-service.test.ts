import { expect, test } from 'bun:test'
import { type HistoryCursor, historyPositions } from './history-position-service.ts'

const idOf = (n: number) => `id_${String(n).padStart(7, '0')}`

/** A history as the store walks it, oldest first. */
function historyOf(count: number, settled = 'id_9999999') {
  const ids = Array.from({ length: count }, (_, at) => idOf(at + 1))
  let walked = 0
  let longest = 0
  const note = (skip: number) => {
    walked++
    longest = Math.max(longest, skip)
  }
  const positions = historyPositions()
  const walk: HistoryCursor = {
    async ascending(after, skip) {
      note(skip)
      const from = ids.findIndex((id) => id > after)
      return from < 0 ? undefined : ids[from + skip]
    },
    async descending(before, skip) {
      note(skip)
      const from = before === undefined ? ids.length - 1 : ids.indexOf(before) - 1
      return ids[from - skip]
    },
    oldest: async () => ids[0],
    async count(after, most) {
      note(most)
      return Math.min(most, ids.filter((id) => id > after).length)
    },
  }
  const list = { name: 'list', walk }
  async function rowAt(offset: number) {
    const from = await positions.from(list, { offset, total: ids.length }, settled)
    if (from) note(from.skip)
    return from && ids[ids.indexOf(from.id) - from.skip]
  }
  const counted = () => positions.count(list, settled)
  return { ids, rowAt, counted, walked: () => walked, longest: () => longest }
}

const OFFSETS = [2_001, 3_999, 4_000, 4_001, 10_000, 19_998, 19_999]

test('every row is found, and no step on the way is long', async () => {
  const { ids, rowAt, longest } = historyOf(20_000)
  for (const offset of OFFSETS) expect(await rowAt(offset)).toBe(ids.at(-1 - offset) as string)
  expect(longest()).toBeLessThan(2_000)
})

test('so it is where nothing may be remembered yet', async () => {
  const { ids, rowAt, longest } = historyOf(20_000, idOf(100))
  for (const offset of OFFSETS) expect(await rowAt(offset)).toBe(ids.at(-1 - offset) as string)
  expect(longest()).toBeLessThan(2_000)
})

test('what was walked once is not walked again, and what came since is', async () => {
  const { ids, rowAt, walked } = historyOf(20_000)
  await rowAt(15_000)
  const before = walked()
  await rowAt(19_000)
  expect(walked() - before).toBe(2)
  for (let n = 20_001; n <= 24_000; n++) ids.push(idOf(n))
  expect(await rowAt(2_500)).toBe(idOf(21_500))
})

test('after old lookups were deleted everything is counted anew', async () => {
  const { ids, rowAt } = historyOf(20_000)
  await rowAt(15_000)
  ids.splice(0, 777)
  expect(await rowAt(15_000)).toBe(ids.at(-1 - 15_000) as string)
})

for (const many of [0, 1, 1_999, 2_000, 2_001, 19_999, 20_000, 20_001]) {
  test(`${many} records are counted as so many, in short steps, and again after more came`, async () => {
    const { ids, counted, longest } = historyOf(many, idOf(15_000))
    expect(await counted()).toBe(many)
    for (let n = 1; n <= 3; n++) ids.push(idOf(many + n))
    expect(await counted()).toBe(many + 3)
    expect(longest()).toBeLessThanOrEqual(2_000)
  })
}
