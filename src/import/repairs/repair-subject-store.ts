/** Devices and variants that repair lists refer to. */
import type { Database } from '../../db/database.ts'
import type { DeviceName } from './repair-subjects.ts'

export async function readDeviceNames(db: Database): Promise<DeviceName[]> {
  return db.query.selectFrom('device').select(['id', 'make', 'name', 'category']).orderBy('id').execute()
}

/** The ids of existing variants; queried in pages, because a list may name thousands. */
export async function findExistingVariants(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const existing = new Set<string>()
  for (let at = 0; at < ids.length; at += 500) {
    const rows = await db.query
      .selectFrom('variant')
      .select('id')
      .where('id', 'in', ids.slice(at, at + 500))
      .execute()
    for (const { id } of rows) existing.add(id)
  }
  return existing
}
