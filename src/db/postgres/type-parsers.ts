import pg from 'pg'

const BIGINT = 20
const NUMERIC = 1700

/** Counts and sums arrive as text by default; ours all fit a double, as they do in SQLite. */
export const postgresTypeParsers = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === BIGINT || oid === NUMERIC
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
}
