import { expect, test } from 'bun:test'
import { waitUntil } from '../../test/support/wait.ts'
import { reloadOnChange } from '../db/reload-on-change.ts'
import { type Identifier, isInvalidIdentifier } from '../identifier/identifier.ts'
import { parseIdentifier } from '../identifier/identifier-parser.ts'
import type { TacEntry } from './device-match.ts'
import { openReferenceData, type ReferenceDataReader } from './reference-data-service.ts'
import type { ImportedList, ListedIdentifier } from './sources/imported-lists-source.ts'

const NOW = Date.UTC(2026, 10, 15)
const IMEI = identifier('356938035643809')
const TAC = '35693803'

function identifier(text: string): Identifier {
  const read = parseIdentifier(text)
  if (isInvalidIdentifier(read)) throw new Error(read.expected)
  return read
}

const entry = (model: string): TacEntry => ({
  tac: TAC,
  deviceId: null,
  deviceName: null,
  make: 'Acme',
  model,
  source: 'gsma',
  confidence: 90,
})

/** An in-memory store whose reads can fail or wait on request. */
function source() {
  const announce = { lists: () => {}, catalogue: () => {} }
  const state = {
    lists: [] as ImportedList[],
    listings: new Map<string, ListedIdentifier[]>(),
    tacs: new Map<string, TacEntry[]>(),
    failLists: 0,
    beforeTacsArrive: async () => {},
    /** Number of TAC reads, and of reads of whether the TAC list is complete. */
    tacReads: 0,
    completeReads: 0,
  }
  const store: ReferenceDataReader = {
    async lists() {
      if (state.failLists-- > 0) throw new Error('the store is away')
      return state.lists
    },
    listings: async () => state.listings,
    async tacs() {
      const read = new Map(state.tacs)
      state.tacReads++
      await state.beforeTacsArrive()
      return read
    },
    async hasCompleteTacList() {
      state.completeReads++
      return false
    },
    firstSeen: async () => NOW,
    devices: async () => [],
  }
  const following = (topic: 'lists' | 'catalogue') =>
    reloadOnChange({
      subscribe(react) {
        announce[topic] = react
        return () => {}
      },
      onFailure: () => {},
      onRecovery: () => {},
    })
  return {
    state,
    open: () => openReferenceData(store, { reloadLists: following('lists'), reloadTacs: following('catalogue') }),
    change(topic: 'lists' | 'catalogue') {
      announce[topic]()
    },
  }
}

// Otherwise the service would keep returning "unknown" although a list of stolen devices was imported.
test('a list is loaded although the first read after its import failed', async () => {
  const { state, open, change } = source()
  const knowledge = await open()
  expect((await knowledge.lookUp(IMEI, NOW)).importedLists).toBeNull()
  state.lists = [{ name: 'stolen', kind: 'stolen', entries: 1, importedAt: NOW, clearance: null }]
  state.listings.set(IMEI.key.slice(0, 14), [
    { list: 'stolen', kind: 'stolen', status: 'stolen', reportedOn: '2026-11-01', listedAt: NOW },
  ])
  state.failLists = 1
  change('lists')
  const status = async () => (await knowledge.lookUp(IMEI, NOW)).importedLists?.facts.blacklist
  await waitUntil(async () => (await status()) === 'blacklisted', { describe: 'the list' })
  expect(state.failLists).toBeLessThan(0)
  knowledge.close()
})

test('the result of a read that began before a change is not cached after it', async () => {
  const { state, open, change } = source()
  const knowledge = await open()
  state.tacs.set(TAC, [entry('Old')])
  const arrives = Promise.withResolvers<void>()
  state.beforeTacsArrive = () => arrives.promise
  const before = knowledge.lookUp(IMEI, NOW)
  await waitUntil(() => state.tacReads > 0, { describe: 'the read before the change' })
  const completeReads = state.completeReads
  state.tacs.set(TAC, [entry('New')])
  state.beforeTacsArrive = async () => {}
  change('catalogue')
  await waitUntil(() => state.completeReads > completeReads, { describe: 'the change to be noticed' })
  arrives.resolve()
  await before
  expect((await knowledge.lookUp(IMEI, NOW)).match.deviceName).toBe('Acme New')
  knowledge.close()
})
