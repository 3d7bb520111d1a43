/** Classifies driver errors by SQLSTATE or SQLite code; error classes differ between drivers and versions. */

export function errorCode(error: unknown): string {
  for (let current = error; typeof current === 'object' && current !== null; current = (current as Error).cause) {
    const { code } = current as { code?: unknown }
    if (typeof code === 'string') return code
  }
  return ''
}

/** Another process holds the write lock right now. */
export function isLocked(error: unknown): boolean {
  return errorCode(error).startsWith('SQLITE_BUSY') || errorCode(error).startsWith('SQLITE_LOCKED')
}

/**
 * The disk did not accept a write. After a failed fsync the state of the file is unknown, so the process must stop and
 * leave recovery to the next start.
 */
export function isWriteLost(error: unknown): boolean {
  return /^SQLITE_(IOERR_FSYNC|IOERR_DIR_FSYNC|IOERR_WRITE|IOERR_COMMIT_ATOMIC|CORRUPT)/.test(errorCode(error))
}

/** The file of the embedded database has an unreadable page. */
export const isDamaged = (error: unknown) => /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error))

export function isUniqueViolation(error: unknown): boolean {
  const code = errorCode(error)
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}

/** Another process changed the same meanwhile: the work succeeds if it is done again with what is stored now. */
export function isWriteConflict(error: unknown): boolean {
  const code = errorCode(error)
  // Our only check constraints are those of revisions; 40 is a deadlock or a failed serialization.
  return (
    isUniqueViolation(error) || code === '23514' || code === 'SQLITE_CONSTRAINT_CHECK' || /^40[0-9A-Z]{3}$/.test(code)
  )
}

const CONNECTION_LOST_MESSAGE =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed and is not queryable|Cannot use a pool after calling end/

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOENT',
])

/** The database does not respond at all, as opposed to responding with an error. */
export function isConnectionLost(error: unknown): boolean {
  const code = errorCode(error)
  if (CONNECTION_CODES.has(code) || /^(08...|57P0.)$/.test(code)) return true
  return error instanceof Error && CONNECTION_LOST_MESSAGE.test(error.message)
}

/** The disk of the database has no room. */
export function isDiskFull(error: unknown): boolean {
  const message = error instanceof Error ? error.message : ''
  return ['SQLITE_FULL', '53100', 'ENOSPC'].includes(errorCode(error)) || /\bdisk is full/.test(message)
}

/** PostgreSQL rejects writes: it is a standby now, or an operator closed it. */
export const isReadOnlyServer = (error: unknown) => errorCode(error) === '25006'

/** Temporarily unusable: unreachable, starting, full, overloaded or locked. Callers get 503. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = errorCode(error)
  if (isLocked(error) || /^SQLITE_(FULL$|CANTOPEN$|IOERR|READONLY)/.test(code)) return true
  // Our only triggers are those of a database that was moved away: they reject every write.
  if (code === 'SQLITE_CONSTRAINT_TRIGGER') return true
  // 08 connection, 53 resources (disk full, too many connections), 57 operator (shutdown, cancelled), 58 system, 40 retry.
  if (/^(08|53|57|58|40)[0-9A-Z]{3}$/.test(code) || isReadOnlyServer(error)) return true
  const message = error instanceof Error ? error.message : ''
  return isConnectionLost(error) || /disk I\/O error|database or disk is full/.test(message)
}
