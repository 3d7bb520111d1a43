import type { Tx } from './database.ts'

/** The table `setting` holds single facts about the service by name. */
export async function readSetting(tx: Tx, name: string): Promise<string | undefined> {
  const row = await tx.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

export async function writeSetting(tx: Tx, name: string, value: string): Promise<void> {
  await tx
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
