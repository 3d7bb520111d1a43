/** A file that exceeds these limits is not a list; reading stops there so that memory stays bounded. */
export const MAX_LINE_CHARS = 1024 * 1024
export const MAX_COLUMNS = 2000
/** Rows of a sheet; no spreadsheet program writes more. */
export const MAX_SHEET_ROWS = 1_048_576
/** Different texts of a spreadsheet, which are all in memory while its rows are read. */
export const MAX_SHARED_TEXTS = 1_000_000
/** Of values in JSON: reading deeper ones could exceed the stack. */
export const MAX_NESTING = 64
/** For JSON that must be read whole; lists of records are read item by item instead. */
export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024
