import pg from 'pg'

/** A client that drops NUL characters of its parameters: PostgreSQL rejects every statement that has one. */
export class NulFreeClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of the overridden method
  override query(statement: any, parameters?: any, callback?: any): any {
    const values = Array.isArray(parameters) ? parameters.map(dropNul) : parameters
    return super.query(statement, values, callback)
  }
}

const dropNul = (value: unknown) =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '') : value
