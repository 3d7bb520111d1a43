/** Column types that SQLite and PostgreSQL call differently. */
export type DialectTypes = {
  /** A row number that the database assigns. */
  readonly serial: string
  /** Text compared by bytes: comparing by the rules of a language takes longer and is not needed for ids. */
  readonly byteOrderedText: string
}
