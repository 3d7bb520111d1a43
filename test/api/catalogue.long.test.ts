import { describe, expect, test } from 'bun:test'
import { bundledDevices, bundledTacs } from '../../src/catalog/bundled-catalogue-service.ts'
import { onBothDatabases } from '../support/databases.ts'
import { startService } from '../support/service.ts'
import { catalogueTests } from './catalogue-tests.ts'

catalogueTests({ devices: bundledDevices, tacs: bundledTacs })

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
  })
})
