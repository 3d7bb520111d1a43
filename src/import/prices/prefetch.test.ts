import { expect, test } from 'bun:test'
import { prefetch } from './prefetch.ts'

async function* numbers(count: number) {
  for (let number = 0; number < count; number++) yield number
}

test('blocks arrive prepared and in order, with at most `ahead` in preparation', async () => {
  const prepared = new Set<number>()
  let started = 0
  let consumed = 0
  let most = 0
  const prepare = async (number: number) => {
    started++
    most = Math.max(most, started - consumed)
    await Bun.sleep((number * 7) % 3)
    prepared.add(number)
    return number * 2
  }
  const got: number[] = []
  for await (const [number, doubled] of prefetch(numbers(20), prepare, 4)) {
    expect(prepared.has(number)).toBe(true)
    expect(doubled).toBe(number * 2)
    got.push(number)
    consumed++
  }
  expect(got).toEqual(Array.from({ length: 20 }, (_, number) => number))
  expect(most).toBe(5)
})
