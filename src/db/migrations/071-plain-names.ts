import { sql } from 'kysely'
import type { Migration } from './index.ts'

/** Renames `on-board` to `bundled`, the `rung` of a price to `grade`, and `figures` of an import to `counts`. */
export const migration: Migration = {
  name: '071-plain-names',
  async up(db) {
    for (const table of ['device', 'variant']) {
      await sql`update ${sql.table(table)} set source = 'bundled' where source = 'on-board'`.execute(db)
      await sql`update ${sql.table(table)} set provenance = replace(provenance, ':"on-board"', ':"bundled"')
        where provenance like '%:"on-board"%'`.execute(db)
    }
    await sql`update tac set source = replace(source, 'on-board', 'bundled') where source like 'on-board%'`.execute(db)
    await db.schema.alterTable('observation_terms').renameColumn('rung', 'grade').execute()
    await sql`update market_fit set document = replace(document, '"rung:', '"grade:')`.execute(db)
    await sql`update upload set preview = replace(preview, '"figures":', '"counts":')`.execute(db)
    await sql`update event set data = replace(data, '"figures":', '"counts":')
      where type = 'import.finished'`.execute(db)
  },
}
