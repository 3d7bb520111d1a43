/** Rejected rows of imports that the leader ran: every machine can serve them. */
import { open, rm } from 'node:fs/promises'
import type { Database } from '../db/database.ts'

const PIECE_BYTES = 512 * 1024
/** The rest of a longer report is left out; the counts by reason are complete. */
const MAX_BYTES = 64 * 1024 * 1024

/** Moves the report file of a job to the database. A job that is run again replaces its report. */
export async function storeReport(db: Database, jobId: string, path: string): Promise<void> {
  const file = await open(path).catch(() => undefined)
  if (!file) return
  await db.transaction((tx) => tx.deleteFrom('job_report').where('job_id', '=', jobId).execute())
  const decoder = new TextDecoder()
  try {
    for (let at = 0; at < MAX_BYTES; ) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, at)
      if (bytesRead === 0) break
      const content = decoder.decode(buffer.subarray(0, bytesRead), { stream: true })
      await db.transaction((tx) => tx.insertInto('job_report').values({ job_id: jobId, at, content }).execute())
      at += bytesRead
    }
  } finally {
    await file.close()
  }
  await rm(path, { force: true })
}

export async function hasReport(db: Database, jobId: string): Promise<boolean> {
  const first = await db.query.selectFrom('job_report').select('at').where('job_id', '=', jobId).limit(1).execute()
  return first.length > 0
}

export async function* readReport(db: Database, jobId: string): AsyncGenerator<string> {
  for (let after = -1; ; ) {
    const [piece] = await db.query
      .selectFrom('job_report')
      .select(['at', 'content'])
      .where('job_id', '=', jobId)
      .where('at', '>', after)
      .orderBy('at')
      .limit(1)
      .execute()
    if (!piece) return
    yield piece.content
    after = piece.at
  }
}
