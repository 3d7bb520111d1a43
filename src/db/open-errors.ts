import { DomainError, unavailable } from '../lib/errors.ts'
import { errorCode } from './database-errors.ts'

export type DatabaseLocation = { readonly url: string; readonly dataDir: string; readonly file: string }

/**
 * What an operator can do about a store that does not open, in one sentence. Undefined for a store that is only away for
 * now, and for whatever nobody has thought of: that may well be a bug of ours.
 */
export function explainOpenError(error: unknown, { url, dataDir, file }: DatabaseLocation): DomainError | undefined {
  if (error instanceof DomainError) return error
  const sentence = url === '' ? explainSqliteError(error, dataDir, file) : explainPostgresError(error, new URL(url))
  return sentence === undefined ? undefined : unavailable(sentence, 0, error)
}

function explainSqliteError(error: unknown, dataDir: string, file: string): string | undefined {
  const code = errorCode(error)
  if (code === 'EEXIST' || code === 'ENOTDIR') return `DATA_DIR must be a folder, and ${dataDir} is not one.`
  if (code === 'EACCES' || code === 'EPERM')
    return `This user may not write in ${dataDir}. Check who owns it, or DATA_DIR.`
  if (code === 'EROFS' || code.startsWith('SQLITE_READONLY')) {
    return `The store ${file} cannot be written: the file, its folder or its disk is read-only.`
  }
  if (code === 'SQLITE_CANTOPEN') {
    return `The store ${file} cannot be opened. Check who owns it and its folder, and that its disk is not read-only.`
  }
  if (code === 'SQLITE_NOTADB')
    return `${file} is no store: it is not a SQLite database. Check DATA_DIR, or restore a backup.`
  if (code.startsWith('SQLITE_CORRUPT')) {
    return `The store ${file} is damaged. "store check" says what of it can still be read; "restore" brings a backup back.`
  }
  return undefined
}

/** By SQLSTATE. Neither the password nor the whole address is repeated. */
function explainPostgresError(error: unknown, url: URL): string | undefined {
  const where = `PostgreSQL at ${url.host}`
  const database = decodeURIComponent(url.pathname.slice(1))
  const user = decodeURIComponent(url.username)
  const code = errorCode(error)
  const said = error instanceof Error ? error.message : ''
  if (code === '3D000') return `${where} has no database "${database}". Create it, or correct DATABASE_URL.`
  if (code === '28P01') return `${where} refused the password of "${user}". Correct DATABASE_URL.`
  if (code === '28000') {
    return /no encryption|SSL off/i.test(said)
      ? `${where} takes connections with TLS only. Add ?sslmode=verify-full to DATABASE_URL.`
      : `${where} does not let "${user}" into "${database}": there is no such role, or it may not. Correct DATABASE_URL.`
  }
  if (/does not support SSL/i.test(said)) return `${where} speaks no TLS, which DATABASE_URL asks for.`
  if (/self-signed certificate|unable to verify|certificate/i.test(said) && !/^\d/.test(code)) {
    return `The certificate of ${where} cannot be trusted: ${said}.`
  }
  if (code === '42501') return `${where} does not let "${user}" make tables in "${database}".`
  if (code === '25006')
    return `${where} is read-only, such as a standby is. Name the one that takes writes in DATABASE_URL.`
  return undefined
}
