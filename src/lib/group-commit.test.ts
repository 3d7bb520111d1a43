import { describe, expect, test } from 'bun:test'
import { waitUntil } from '../../test/support/wait.ts'
import { batchLoader } from './batch-loader.ts'
import { groupCommit } from './group-commit.ts'

class Away extends Error {}

function recorder(commit: (units: readonly number[]) => Promise<void> = async () => {}) {
  const groups: number[][] = []
  const commits = groupCommit(
    async (units: readonly number[]) => {
      groups.push([...units])
      await commit(units)
      return units.map((unit) => unit * 10)
    },
    {
      countRows: (unit) => (unit >= 100 ? unit : 1),
      maxRows: 4,
      isDatabaseUnavailable: (error) => error instanceof Away,
    },
  )
  return { groups, ...commits }
}

describe('concurrent writes', () => {
  test('share a commit, in order, and each gets its own result', async () => {
    const { write, groups } = recorder()
    expect(await Promise.all([1, 2, 3].map(write))).toEqual([10, 20, 30])
    expect(groups).toEqual([[1, 2, 3]])
  })

  test('resolve only after their own group is written', async () => {
    const done = Promise.withResolvers<void>()
    const { write, groups } = recorder(() => done.promise)
    let isWritten = false
    const writing = write(1).then(() => {
      isWritten = true
    })
    await waitUntil(() => groups.length === 1, { describe: 'the commit to begin' })
    expect(isWritten).toBe(false)
    done.resolve()
    await writing
  })

  test('are split into groups of limited size, but a unit is never split', async () => {
    const { write, groups } = recorder()
    await Promise.all([1, 2, 3, 4, 5, 100, 6].map(write))
    expect(groups).toEqual([[1, 2, 3, 4], [5], [100], [6]])
  })

  test('join the next group while one is in progress', async () => {
    const done = Promise.withResolvers<void>()
    const { write, groups } = recorder(() => done.promise)
    const first = write(1)
    await waitUntil(() => groups.length === 1, { describe: 'the first commit to begin' })
    const next = [write(2), write(3)]
    done.resolve()
    await Promise.all([first, ...next])
    expect(groups).toEqual([[1], [2, 3]])
  })

  test('do not fail because of another write in the group', async () => {
    const { write } = recorder(async (units) => {
      if (units.includes(2)) throw new Error('poisoned')
    })
    const outcomes = await Promise.allSettled([1, 2, 3].map(write))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('all fail at once when the database is unavailable, and later ones are tried', async () => {
    let away = true
    const { write, groups } = recorder(async () => {
      if (away) throw new Away()
    })
    const outcomes = await Promise.allSettled([1, 2].map(write))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(groups).toHaveLength(1)
    away = false
    expect(await write(3)).toBe(30)
  })

  test('that wait behind a group fail with it when the database is unavailable', async () => {
    const done = Promise.withResolvers<void>()
    const { write, groups } = recorder(async () => {
      await done.promise
      throw new Away()
    })
    const first = write(1)
    await waitUntil(() => groups.length === 1, { describe: 'the first commit to begin' })
    const settled = Promise.allSettled([first, write(2), write(3)])
    done.resolve()
    const outcomes = await settled
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(groups).toEqual([[1]])
  })

  test('are all finished after drain', async () => {
    const { write, drain: drained, groups } = recorder(() => Bun.sleep(3))
    for (let at = 0; at < 9; at++) void write(at)
    await drained()
    expect(groups.flat()).toHaveLength(9)
  })
})

describe('concurrent reads', () => {
  test('are one query with each key once, and later reads query again', async () => {
    const queries: string[][] = []
    const load = batchLoader(async (keys: readonly string[]) => {
      queries.push([...keys])
      return new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.toUpperCase()]))
    }, 3)
    expect(await Promise.all(['a', 'b', 'a', 'none'].map(load))).toEqual(['A', 'B', 'A', undefined])
    expect(queries).toEqual([['a', 'b', 'none']])
    expect(await load('a')).toBe('A')
    expect(queries).toHaveLength(2)
  })

  test('all fail together', async () => {
    const load = batchLoader(async (): Promise<Map<string, string>> => {
      throw new Error('away')
    }, 10)
    const outcomes = await Promise.allSettled(['a', 'b'].map(load))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})
