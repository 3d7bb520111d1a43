import { expect, test } from 'bun:test'
import { openDatabase } from '../../src/db/database.ts'
import { assertEncryptionKey } from '../../src/db/encryption-check-store.ts'
import { webhookEndpointStore } from '../../src/events/webhook-endpoint-store.ts'
import { openEncryption } from '../../src/lib/encryption.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'

const key = (secretKey: string) => openEncryption({ secretKey, dataDir: '' })

onDatabaseOfSuite((store) => {
  test('the service does not start with another SECRET_KEY once the database holds an encrypted secret', async () => {
    const db = await openDatabase(await store.openEmpty())
    try {
      await assertEncryptionKey(db, key('one'))
      await assertEncryptionKey(db, key('two'))
      await db.transaction((tx) =>
        tx.insertInto('organization').values({ id: 'org_1', name: 'Shop', created_at: 1 }).execute(),
      )
      const endpoint = { url: 'https://hooks.example/', types: [] }
      await webhookEndpointStore(db, key('two')).createEndpoint('org_1', endpoint, { personId: null, who: 'test' }, 1)
      await assertEncryptionKey(db, key('two'))
      expect(assertEncryptionKey(db, key('one'))).rejects.toThrow('SECRET_KEY differs')
    } finally {
      await db.close()
    }
  })
})
