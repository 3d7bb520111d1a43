/** Processes with folders of their own share a PostgreSQL database, so they need the same key; SQLite has a key file. */
export const secretKeyFor = (databaseUrl: string | undefined) => (databaseUrl ? 'key of the tests' : '')
