import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Made at a first start whose stderr is no terminal. */
export const DEMO_KEYS_FILE = 'first-keys.txt'
export const SETUP_CODE_FILE = 'setup-code.txt'

/**
 * A secret for whoever runs the service, in a file that nobody else can read. Returns where it is, or undefined where
 * nothing can be written: a service on PostgreSQL may have no folder of its own.
 */
export function writeSecretFile(folder: string, name: string, text: string): string | undefined {
  const path = join(folder, name)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(path, text, { mode: 0o600 })
    // The mode above counts for a new file alone.
    chmodSync(path, 0o600)
    return path
  } catch {
    return undefined
  }
}

export function removeSecretFile(folder: string, name: string): void {
  try {
    rmSync(join(folder, name), { force: true })
  } catch {
    // What it says is worth nothing any more; a folder that became read-only must not fail whoever made it so.
  }
}
