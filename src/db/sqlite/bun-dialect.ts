import type { Database as BunDatabase, SQLQueryBindings } from 'bun:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

/** A Kysely dialect for one `bun:sqlite` connection. Bun caches prepared statements. */
export function bunSqliteDialect(connection: BunDatabase): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => bunDriver(connection),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

function bunDriver(connection: BunDatabase): Driver {
  const databaseConnection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const statement = connection.query(sql)
      const bindings = parameters as SQLQueryBindings[]
      if (statement.columnNames.length > 0) return { rows: statement.all(...bindings) as Row[] }
      const { changes, lastInsertRowid } = statement.run(...bindings)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    },
    async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
      const rows = connection.query(sql).iterate(...(parameters as SQLQueryBindings[]))
      for (const row of rows) yield { rows: [row as Row] }
    },
  }
  const execute = async (sql: string) => {
    await databaseConnection.executeQuery(CompiledQuery.raw(sql))
  }
  return {
    init: async () => {},
    acquireConnection: async () => databaseConnection,
    releaseConnection: async () => {},
    beginTransaction: () => execute('begin immediate'),
    commitTransaction: () => execute('commit'),
    rollbackTransaction: () => execute('rollback'),
    destroy: async () => connection.close(),
  }
}
