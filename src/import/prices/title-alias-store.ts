import type { Database } from '../../db/database.ts'

/** The models that an organization assigned to titles, by title key. */
export async function readTitleAliases(db: Database, organizationId: string): Promise<Map<string, string>> {
  const rows = await db.query
    .selectFrom('title_alias')
    .select(['title', 'model'])
    .where('organization_id', '=', organizationId)
    .execute()
  return new Map(rows.map(({ title, model }) => [title, model]))
}

export async function saveTitleAliases(
  db: Database,
  organizationId: string,
  aliases: ReadonlyMap<string, string>,
  now: number,
): Promise<void> {
  const owner = { organization_id: organizationId, created_at: now }
  const rows = Array.from(aliases, ([title, model]) => ({ ...owner, title, model }))
  if (rows.length === 0) return
  await db.transaction((tx) =>
    db.insertMany(tx, 'title_alias', rows, { conflictColumns: ['organization_id', 'title'] }),
  )
}
