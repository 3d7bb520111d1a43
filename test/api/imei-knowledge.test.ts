import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { exampleLookup } from '../../src/contract/examples.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { neverReload, reloadOnTopic } from '../../src/db/reload-on-change.ts'
import { type Identifier, isInvalidIdentifier } from '../../src/identifier/identifier.ts'
import { parseIdentifier } from '../../src/identifier/identifier-parser.ts'
import { type RecordUnit, recordStore } from '../../src/records/record-store.ts'
import { lookupStore } from '../../src/risk/lookup-store.ts'
import { openReferenceData, type ReferenceData } from '../../src/risk/reference-data-service.ts'
import { referenceDataStore } from '../../src/risk/reference-data-store.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { waitUntil } from '../support/wait.ts'

const NOW = Date.UTC(2026, 10, 15)
const DAY_MS = 86_400_000

function read(text: string, type?: Identifier['type']): Identifier {
  const identifier = parseIdentifier(text, type)
  if (isInvalidIdentifier(identifier)) throw new Error(identifier.expected)
  return identifier
}

onDatabaseOfSuite((store) => {
  let db: Database
  beforeAll(async () => {
    db = await openDatabase(await store.openEmpty())
  })
  afterAll(() => db.close())

  describe('reference data in the database', () => {
    let knowledge: ReferenceData
    beforeAll(async () => {
      const listed = { status: 'x', listed_at: 1, cleared_at: null, run_id: 'r', reported_on: null }
      await db.transaction(async (tx) => {
        await db.insertMany(tx, 'identifier_list', [
          { name: 'esns', kind: 'stolen', entries: 1, imported_at: 1 },
          { name: 'tacs', kind: 'barred_tac', entries: 1, imported_at: 1 },
        ])
        await db.insertMany(tx, 'listed_identifier', [
          { ...listed, list: 'esns', kind: 'stolen', key14: '35693803' },
          { ...listed, list: 'tacs', kind: 'barred_tac', key14: '82138000' },
        ])
        await db.insertMany(tx, 'tac', [
          { tac: '49015420', device_id: null, make: 'Maker', model: 'Model', source: 'gsma', confidence: 90 },
          { tac: '350077', device_id: null, make: 'Old', model: 'Phone', source: 'own', confidence: 50 },
          { tac: '35417803', device_id: 'gone', make: 'Left', model: 'Registry', source: 'own', confidence: 50 },
        ])
      })
      knowledge = await openReferenceData(referenceDataStore(db), { reloadLists: neverReload, reloadTacs: neverReload })
    })
    afterAll(() => knowledge.close())

    test('a listed ESN is not mistaken for a barred TAC with the same eight digits, nor vice versa', async () => {
      expect((await knowledge.lookUp(read('356938035643809'), NOW)).importedLists?.facts.findings).toEqual([])
      expect((await knowledge.lookUp(read('35693803', 'esn'), NOW)).importedLists?.facts.blacklist).toBe('blacklisted')
      expect((await knowledge.lookUp(read('82138000', 'esn'), NOW)).importedLists?.facts.findings).toEqual([])
      expect((await knowledge.lookUp(read('82138000123456'), NOW)).importedLists?.facts.findings).toMatchObject([
        { code: 'barred_tac' },
      ])
    })

    test('a TAC outside the registry returns the text of its list, and an old one is found by six digits', async () => {
      expect((await knowledge.lookUp(read('490154203237518'), NOW)).match).toEqual({
        confidence: 90,
        deviceId: null,
        deviceName: 'Maker Model',
      })
      expect((await knowledge.lookUp(read('350077523237513'), NOW)).match).toMatchObject({
        confidence: 30,
        deviceName: 'Old Phone',
      })
      expect((await knowledge.lookUp(read('354178036859789'), NOW)).match.deviceId).toBeNull()
    })

    test('the day of the first lookup of an unknown TAC is stored', async () => {
      const about = (now: number) => knowledge.lookUp(read('356868000041418'), now)
      expect((await about(NOW)).tac).toEqual({ isListed: false, isListComplete: true, firstSeenAt: NOW })
      expect((await about(NOW + 30 * DAY_MS)).tac.firstSeenAt).toBe(NOW)
    })

    test('a swapped pair of digits that gives a known TAC is suggested first', async () => {
      const { suggestions } = await knowledge.lookUp(read('490145203237518'), NOW)
      expect(suggestions[0]).toEqual({ text: '490154203237518', typo: 'swap' })
    })
  })

  describe('a list that is imported while the database cannot be read', () => {
    const rename = (from: string, to: string) =>
      db.transaction(async (tx) => {
        await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(tx)
      })

    test('is loaded as soon as the database can be read, and failure and recovery are logged once', async () => {
      const lines: string[] = []
      const follow = reloadOnTopic(db, { warn: (line) => lines.push(line), info: (line) => lines.push(line) })
      const stolen = read('353918057706299')
      let reads = 0
      const source = referenceDataStore(db)
      const lists = () => {
        reads++
        return source.lists()
      }
      const knowledge = await openReferenceData(
        { ...source, lists },
        { reloadLists: follow('lists', 'lists'), reloadTacs: neverReload },
      )
      const listed = { status: 'x', listed_at: 1, cleared_at: null, run_id: 'r', reported_on: null }
      await db.transaction(async (tx) => {
        await db.insertMany(tx, 'identifier_list', [{ name: 'new', kind: 'stolen', entries: 1, imported_at: 1 }])
        await db.insertMany(tx, 'listed_identifier', [
          { ...listed, list: 'new', kind: 'stolen', key14: stolen.key.slice(0, 14) },
        ])
        await db.announceChange(tx, 'lists')
        // Seen together with the change, as if the database had gone down right after announcing it.
        await sql`alter table identifier_list rename to identifier_list_elsewhere`.execute(tx)
      })
      // The first attempt and at least two failed ones.
      await waitUntil(() => lines.length > 0 && reads >= 4, { describe: 'several reads that fail' })
      expect(lines).toEqual(['reload failed; retrying'])
      await rename('identifier_list_elsewhere', 'identifier_list')
      await waitUntil(() => lines.length >= 2, { describe: 'the list to be read again' })
      expect(lines[1]).toBe('reload succeeded after retries')
      expect((await knowledge.lookUp(stolen, NOW)).importedLists?.facts.blacklist).toBe('blacklisted')
      knowledge.close()
    })
  })

  describe('an idempotency key', () => {
    const unit = (id: string, bodyHash: string, now = NOW): RecordUnit => ({
      organizationId: 'org_a',
      writes: lookupStore(db).writes('org_a', [
        {
          id,
          organizationId: 'org_a',
          identifierKey: 'k',
          createdAt: now,
          result: { ...exampleLookup, lookup_id: id },
        },
      ]),
      idempotency: { key: 'same', bodyHash, responseJson: `{"id":"${id}"}` },
      now,
    })

    test('belongs to the first write, within one commit or across two', async () => {
      const records = recordStore(db)
      const [first, second] = await records.save([unit('lkp_1', 'h'), unit('lkp_2', 'h')])
      expect(first?.existing).toBeNull()
      expect(second?.existing).toMatchObject({ responseJson: '{"id":"lkp_1"}', bodyHash: 'h' })
      const [third] = await records.save([unit('lkp_3', 'other')])
      expect(third?.existing).toMatchObject({ responseJson: '{"id":"lkp_1"}' })
      const { records: responses, meta } = await lookupStore(db).history('org_a', { page: 1, limit: 10 })
      expect({ answers: responses, total: meta.total }).toEqual({
        answers: [{ ...exampleLookup, lookup_id: 'lkp_1' }],
        total: 1,
      })
    })

    test('can be used again after a day', async () => {
      const records = recordStore(db)
      const later = NOW + DAY_MS + 1
      expect(await records.findClaim('org_a', 'same', NOW + DAY_MS - 1)).not.toBeNull()
      expect(await records.findClaim('org_a', 'same', later)).toBeNull()
      const [saved] = await records.save([unit('lkp_4', 'h2', later)])
      expect(saved?.existing).toBeNull()
      await records.deleteExpiredClaims(later + DAY_MS + 1)
      expect(await records.findClaim('org_a', 'same', later)).toBeNull()
    })
  })
})
