import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { bundledCatalogueVersion, bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'
import { catalogueStore } from '../../src/catalog/catalogue-store.ts'
import { type Device, deviceIdFor } from '../../src/catalog/device.ts'
import { openDatabase } from '../../src/db/database.ts'
import { seedCatalogue } from '../../src/import/catalogue/seed-catalogue-service.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { sampleDevice } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

type Listed = { readonly id: string }

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open())
  })
  afterAll(() => service.stop())

  const get = (query = '') => service.ask(`/api/devices${query}`, { tier: 'public' })
  const idsOf = async (query: string): Promise<string[]> => (await get(query)).body.data.map((each: Listed) => each.id)

  describe('a change in the database', () => {
    const fresh = sampleDevice('Testmake', 'Freshly Written', { releasedOn: '2031-01-01' })
    const waitFor = async (query: string, isExpected: (ids: string[]) => boolean) => {
      await waitUntil(async () => isExpected(await idsOf(query)), { describe: `the change in ${query}` })
    }
    /** As another process would write it: rows and an announcement in one transaction. */
    async function write(device: Device): Promise<void> {
      const { db } = service.app
      await db.transaction(async (tx) => {
        const revision = await db.announceChange(tx, 'catalogue')
        const { modelNumbers, modelIdentifiers, specifications } = device
        const row = {
          id: device.id,
          make: device.make,
          category: device.category,
          name: device.name,
          released_on: device.releasedOn,
          release_precision: device.releasePrecision,
          status: device.status,
          document: JSON.stringify({ modelNumbers, modelIdentifiers, specifications }),
          source: 'own',
          provenance: '{}',
          revision,
        }
        await db.insertMany(tx, 'device', [row], { conflictColumns: ['id'] })
      })
    }

    test('is served: a new device, a changed one and a removed one', async () => {
      expect(deviceIdFor(fresh.make, fresh.name)).toBe(fresh.id)
      await write(fresh)
      await waitFor('?limit=1', (ids) => ids[0] === fresh.id)
      await write({ ...fresh, name: 'Renamed Zyzzyva' })
      await waitFor('?search=zyzzyva', (ids) => ids[0] === fresh.id)
      const { db } = service.app
      await db.transaction(async (tx) => {
        await db.announceChange(tx, 'catalogue')
        await tx.deleteFrom('device').where('id', '=', fresh.id).execute()
      })
      await waitFor('?search=zyzzyva', (ids) => ids.length === 0)
    })

    test('that cannot be read is skipped and logged, and the rest is served', async () => {
      const { db, catalogue } = service.app
      await write(fresh)
      await catalogue.refresh()
      for (const document of ['{"modelNumbers":', '{"modelNumbers":5}']) {
        await db.transaction(async (tx) => {
          const revision = await db.announceChange(tx, 'catalogue')
          await tx.updateTable('device').set({ document, revision }).where('id', '=', fresh.id).execute()
        })
        await catalogue.refresh()
        expect((await get()).status).toBe(200)
        expect(service.logged()).toContain(fresh.id)
      }
      await db.transaction(async (tx) => {
        await db.announceChange(tx, 'catalogue')
        await tx.deleteFrom('device').where('id', '=', fresh.id).execute()
      })
      await catalogue.refresh()
      expect(catalogue.registry().findDevice(fresh.id)).toBeUndefined()
    })

    test('before a start: changes are served, and unreadable rows are skipped and logged', async () => {
      const opening = await store.open()
      const db = await openDatabase(opening)
      await seedCatalogue(db, { version: bundledCatalogueVersion(), devices: bundledDevices })
      const total = await catalogueStore(db).count()
      const [spoilt, renamed] = ['apple-iphone-13', 'apple-iphone-14']
      await db.transaction(async (tx) => {
        const revision = await db.announceChange(tx, 'catalogue')
        const set = (id: string, change: object) =>
          tx
            .updateTable('device')
            .set({ revision, ...change })
            .where('id', '=', id)
            .execute()
        await set(spoilt, { document: '{"modelNumbers":' })
        await set(renamed, { name: 'Renamed Zyzzyva' })
      })
      await db.close()
      await using later = await startService(opening)
      const get = (path: string) => later.ask(path, { tier: 'public' })
      expect((await get('/api/devices?search=zyzzyva')).body.data.map(({ id }: Listed) => id)).toEqual([renamed])
      expect((await get(`/api/devices/${spoilt}`)).status).toBe(404)
      expect((await get(`/api/devices/${renamed}`)).body.data.name).toBe('Renamed Zyzzyva')
      await later.app.catalogue.refresh()
      expect(later.logged()).toContain(spoilt)
      expect((await get('/api/devices?limit=1')).body.meta.total).toBe(total - 1)
    })

    test('without new content leaves the registry and cached responses unchanged', async () => {
      const before = service.app.catalogue.registry()
      const { db } = service.app
      await db.transaction((tx) => db.announceChange(tx, 'catalogue'))
      await service.app.catalogue.refresh()
      expect(service.app.catalogue.registry()).toBe(before)
    })
  })
})
