import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Created at the first start if stderr is not a terminal. */
export const FIRST_KEYS_FILE = 'first-keys.txt'
export const SETUP_CODE_FILE = 'setup-code.txt'

/** Writes a secret to a file that only the operator can read. Returns its path, or undefined if no folder is writable. */
export function writeSecretFile(folder: string, name: string, text: string): string | undefined {
  const path = join(folder, name)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(path, text, { mode: 0o600 })
    // The mode above applies only to a new file.
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
    // The secret is no longer valid; a read-only folder must not fail the caller.
  }
}
