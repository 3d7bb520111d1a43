import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const servingFile = (dataDir: string) => join(dataDir, 'serving.json')

/**
 * Records where the database of this folder is served, for `status` on another PORT. Returns a function that removes the
 * record. Best effort: a folder that cannot be written does not keep the service from starting.
 */
export function recordServing(dataDir: string, url: string): () => void {
  const file = servingFile(dataDir)
  try {
    writeFileSync(file, `${JSON.stringify({ url, pid: process.pid })}\n`, { mode: 0o600 })
  } catch {
    return () => {}
  }
  return () => rmSync(file, { force: true })
}

/** The recorded URL; stale after a kill, so check that it responds. */
export function readServing(dataDir: string): string | undefined {
  try {
    const { url } = JSON.parse(readFileSync(servingFile(dataDir), 'utf8')) as { url?: unknown }
    return typeof url === 'string' ? url : undefined
  } catch {
    return undefined
  }
}
