import { openDatabase } from '../../src/db/database.ts'
import { seedCatalogue } from '../../src/import/catalogue/seed-catalogue-service.ts'
import { syntheticDevice } from './synthetic-market.ts'

const DEVICES = 5_000
const devices = Array.from({ length: DEVICES }, (_, number) => syntheticDevice(number))

/** The 20,000 variants of that catalogue. */
export const MARKET_VARIANTS = devices.flatMap((device) => device.variants)

/** Stores 5,000 synthetic devices as imported ones: bundled devices would be restored at the next start. */
export async function fillCatalogue(database: { url: string; dataDir: string }): Promise<void> {
  const db = await openDatabase(database)
  await seedCatalogue(db, { version: `bench ${DEVICES}`, devices: () => devices })
  await db.transaction(async (tx) => {
    await tx.updateTable('device').set({ source: 'own' }).execute()
    await tx.updateTable('variant').set({ source: 'own' }).execute()
  })
  await db.close()
}
