import { expect, test } from 'bun:test'
import { openTaughtWords } from './taught-word-service.ts'

test('the words of the organizations that used them last stay in memory, until words change', async () => {
  const reads: string[] = []
  let reload = async () => {}
  const words = openTaughtWords({
    store: {
      words: async (organizationId) => {
        reads.push(organizationId)
        return [{ word: 'kratzer', condition: 'Fair', defect: null }]
      },
    },
    reloadOnChange: (load) => {
      reload = load
      return { refresh: load, close: () => {}, invalidate: () => {}, isClosed: () => false }
    },
    maxOrganizations: 2,
  })
  const use = async (...organizations: string[]) => {
    for (const id of organizations) expect([...(await words.phrasesOf(id)).keys()]).toEqual(['kratzer'])
    return reads.splice(0)
  }
  expect(await use('a', 'b', 'a')).toEqual(['a', 'b'])
  expect(await use('c', 'a', 'b')).toEqual(['c', 'b'])
  await reload()
  expect(await use('a')).toEqual(['a'])
})

test('a failed read of the words is repeated', async () => {
  let isDown = true
  const words = openTaughtWords({
    store: { words: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve([])) },
    reloadOnChange: (load) => ({ refresh: load, close: () => {}, invalidate: () => {}, isClosed: () => false }),
  })
  await expect(words.phrasesOf('a')).rejects.toThrow('down')
  isDown = false
  expect((await words.phrasesOf('a')).size).toBe(0)
})
