import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { bundledCatalogueVersion } from '../../src/catalog/bundled-catalogue-service.ts'
import { catalogueStore } from '../../src/catalog/catalogue-store.ts'
import type { Device } from '../../src/catalog/device.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { type BundledCatalogue, seedCatalogue } from '../../src/import/catalogue/seed-catalogue-service.ts'
import { onBothDatabases } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

/** How the bundled catalogue, or a part of it, is loaded into a database. */
export function catalogueTests({ devices, tacs }: Required<Pick<BundledCatalogue, 'devices' | 'tacs'>>): void {
  onBothDatabases((store) => {
    describe('the bundled catalogue', () => {
      const all = devices()
      const allTacs = tacs(all)
      let service: TestService
      beforeAll(async () => {
        const opening = await store.openEmpty()
        const db = await openDatabase(opening)
        // With this version the start adds nothing.
        await seedCatalogue(db, { version: bundledCatalogueVersion(), devices, tacs })
        await db.close()
        service = await startService(opening)
      })
      afterAll(() => service.stop())

      test('is complete when two servers start on one empty database at once', async () => {
        const opening = await store.openEmpty()
        const both = await Promise.all([openDatabase(opening), openDatabase(opening)])
        await Promise.all(both.map((db) => seedCatalogue(db, { version: 'first', devices, tacs })))
        const [db] = both as [Database, Database]
        expect(await catalogueStore(db).count()).toBe(all.length)
        const storedTacs = await db.query.selectFrom('tac').select('tac').where('source', 'like', 'bundled%').execute()
        expect(storedTacs.length).toBe(allTacs.length)
        await Promise.all(both.map((each) => each.close()))
      })

      test('loaded again changes nothing; a new version updates changed devices and removes missing ones', async () => {
        const { db, catalogue } = service.app
        expect(await seedCatalogue(db, { version: 'the same under another version', devices })).toBe(0)
        const [first, second, ...rest] = all as [Device, Device, ...Device[]]
        const changed = { ...second, status: second.status === 'active' ? 'discontinued' : 'active' } as const
        expect(
          await seedCatalogue(db, { version: 'one changed and one dropped', devices: () => [changed, ...rest] }),
        ).toBe(1)
        await catalogue.refresh()
        expect(catalogue.registry().findDevice(first.id)).toBeUndefined()
        expect(catalogue.registry().findDevice(second.id)?.status).toBe(changed.status)
        expect(await seedCatalogue(db, { version: 'as before', devices })).toBe(2)
        await catalogue.refresh()
        expect(catalogue.registry().findDevice(first.id)).toEqual(first)
        expect(catalogue.registry().findDevice(second.id)).toEqual(second)
      })

      test('includes TACs, and a new version replaces the old ones', async () => {
        const { db } = service.app
        const storedTacs = () => db.query.selectFrom('tac').select('tac').where('source', 'like', 'bundled%').execute()
        expect(await storedTacs()).toHaveLength(allTacs.length)
        await seedCatalogue(db, { version: 'fewer TACs', devices, tacs: () => allTacs.slice(0, 3) })
        expect(await storedTacs()).toHaveLength(3)
        await seedCatalogue(db, { version: 'all TACs', devices, tacs })
        expect(await storedTacs()).toHaveLength(allTacs.length)
      })
    })
  })
}
