import { sql } from 'kysely'
import type { Migration } from './index.ts'

/**
 * Only the first undelivered event of each subject is `pending`; later ones are `waiting`. Due deliveries are then at the head
 * of an index, however long the queue is.
 */
export const migration: Migration = {
  name: '032-webhook-queue',
  async up(db) {
    await sql`update webhook_delivery set state = 'waiting' where state = 'pending' and exists (
      select 1 from webhook_delivery as earlier
      where earlier.endpoint_id = webhook_delivery.endpoint_id and earlier.subject = webhook_delivery.subject
        and earlier.state in ('pending', 'waiting')
        and (earlier.revision, earlier.ordinal) < (webhook_delivery.revision, webhook_delivery.ordinal))`.execute(db)
    await db.schema.dropIndex('webhook_delivery_due').execute()
    await db.schema
      .createIndex('webhook_delivery_queue')
      .on('webhook_delivery')
      .columns(['state', 'endpoint_id', 'next_at', 'revision', 'ordinal'])
      .execute()
  },
}
