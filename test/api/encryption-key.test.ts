import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/db/database.ts'
import { assertEncryptionKey } from '../../src/db/encryption-check-store.ts'
import { openEncryption } from '../../src/lib/encryption.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'

const key = (secretKey: string) => openEncryption({ secretKey, dataDir: '' })

onDatabaseOfSuite((store) => {
  test('the service does not start with another SECRET_KEY than the first process had', async () => {
    const db = await openDatabase(await store.openEmpty())
    try {
      await assertEncryptionKey(db, key('one'))
      expect(assertEncryptionKey(db, key('two'))).rejects.toThrow('SECRET_KEY differs')
      await assertEncryptionKey(db, key('one'))
    } finally {
      await db.close()
    }
  })

  test('of processes that start at once with different keys on a new database exactly one key is accepted', async () => {
    const opening = await store.openEmpty()
    const databases = await Promise.all([openDatabase(opening), openDatabase(opening), openDatabase(opening)])
    const starts = () =>
      Promise.allSettled(databases.map((db, at) => assertEncryptionKey(db, key(`key ${at}`)))).then((results) =>
        results.map(({ status }) => status),
      )
    try {
      const first = await starts()
      expect(first.filter((status) => status === 'fulfilled')).toHaveLength(1)
      expect(await starts()).toEqual(first)
    } finally {
      for (const db of databases) await db.close()
    }
  })

  test('a lost key file is not replaced', async () => {
    const opening = await store.openEmpty()
    const db = await openDatabase(opening)
    const dataDir = mkdtempSync(join(tmpdir(), 'di-key-'))
    const encryption = () => openEncryption({ secretKey: '', dataDir })
    try {
      await assertEncryptionKey(db, encryption())
      rmSync(join(dataDir, 'secret.key'))
      expect(assertEncryptionKey(db, encryption())).rejects.toThrow('restore DATA_DIR/secret.key')
      expect(existsSync(join(dataDir, 'secret.key'))).toBe(false)
    } finally {
      await db.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
})
