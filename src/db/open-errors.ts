import { DomainError, unavailable } from '../lib/errors.ts'
import { describeHosts } from '../lib/host-list.ts'
import { firstHost } from '../lib/postgres-hosts.ts'
import { errorCode } from './database-errors.ts'

export type DatabaseLocation = { readonly url: string; readonly dataDir: string; readonly file: string }

/**
 * One sentence on why the database does not open and what to do about it. Undefined for a temporary outage and for
 * unexpected errors, which may be bugs.
 */
export function explainOpenError(error: unknown, { url, dataDir, file }: DatabaseLocation): DomainError | undefined {
  if (error instanceof DomainError) return error
  const message = url === '' ? explainSqliteError(error, dataDir, file) : explainPostgresError(error, url)
  return message === undefined ? undefined : unavailable(message, 0, error)
}

function explainSqliteError(error: unknown, dataDir: string, file: string): string | undefined {
  const code = errorCode(error)
  if (code === 'EEXIST' || code === 'ENOTDIR') return `DATA_DIR must be a folder, and ${dataDir} is not one.`
  if (code === 'EACCES' || code === 'EPERM')
    return `This user may not write in ${dataDir}. Check who owns it, or DATA_DIR.`
  if (code === 'EROFS' || code.startsWith('SQLITE_READONLY')) {
    return `Cannot write to the database ${file}: the file, its folder or its disk is read-only.`
  }
  if (code === 'SQLITE_CANTOPEN') {
    return `Cannot open the database ${file}. Check who owns it and its folder, and that its disk is not read-only.`
  }
  if (code === 'SQLITE_NOTADB') return `${file} is not a SQLite database. Check DATA_DIR, or restore a backup.`
  if (code.startsWith('SQLITE_CORRUPT')) {
    return `The database ${file} is damaged. "status --check" lists what can still be read; "restore" restores a backup.`
  }
  return undefined
}

/** By SQLSTATE. Never repeats the password or the whole URL. */
function explainPostgresError(error: unknown, address: string): string | undefined {
  const url = firstHost(address)
  const server = `PostgreSQL at ${describeHosts(address)}`
  const database = decodeURIComponent(url.pathname.slice(1))
  const user = decodeURIComponent(url.username)
  const code = errorCode(error)
  const message = error instanceof Error ? error.message : ''
  if (code === '3D000') return `${server} has no database "${database}". Create it, or correct DATABASE_URL.`
  if (code === '28P01') return `${server} rejected the password of "${user}". Correct DATABASE_URL.`
  if (code === '28000') {
    return /no encryption|SSL off/i.test(message)
      ? `${server} accepts only TLS connections. Add ?sslmode=verify-full to DATABASE_URL.`
      : `${server} denies "${user}" access to "${database}": the role is missing or has no permission. Correct DATABASE_URL.`
  }
  if (/does not support SSL/i.test(message)) return `${server} does not support TLS, which DATABASE_URL requires.`
  if (/self-signed certificate|unable to verify|certificate/i.test(message) && !/^\d/.test(code)) {
    return `The certificate of ${server} is not trusted: ${message}.`
  }
  if (code === '42501') return `${server} does not allow "${user}" to create tables in "${database}".`
  if (code === '25006')
    return `${server} is read-only, for example a standby. Set DATABASE_URL to the primary, or to all hosts separated by commas.`
  return undefined
}
