import { describe, expect, test } from 'bun:test'
import { bundledDevices, bundledTacs } from '../../src/catalog/bundled-catalogue-service.ts'
import { seedCatalogue } from '../../src/import/catalogue/seed-catalogue-service.ts'
import { onBothDatabases } from '../support/databases.ts'
import { startService } from '../support/service.ts'

/** The whole catalogue; catalogue.test.ts loads new versions of a part of it. */
onBothDatabases((store) => {
  describe('the bundled catalogue', () => {
    test('is served identically by the first start, which builds the index, and by later ones, which open it', async () => {
      const opening = await store.openEmpty()
      await using first = await startService(opening)
      await using later = await startService(opening)
      const [held, read] = [first, later].map(({ app }) => app.catalogue.registry())
      expect([...(held?.listDevices() ?? [])]).toEqual([...(read?.listDevices() ?? [])])
      expect(held?.deviceCount()).toBe(bundledDevices().length)
    })

    test('is complete after the first start, and loading it again changes nothing', async () => {
      await using service = await startService(await store.openFull())
      const { db, catalogue } = service.app
      expect([...catalogue.registry().listDevices()]).toHaveLength(bundledDevices().length)
      const tacs = await db.query.selectFrom('tac').select('tac').where('source', 'like', 'bundled%').execute()
      expect(tacs).toHaveLength(bundledTacs().length)
      expect(await seedCatalogue(db, { version: 'the same under another version', devices: bundledDevices })).toBe(0)
    })
  })
})
