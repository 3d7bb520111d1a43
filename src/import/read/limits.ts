/** A file that exceeds these limits is not a list; reading stops there so that memory stays bounded. */
export const MAX_LINE_CHARS = 1024 * 1024
export const MAX_COLUMNS = 2000
/** For JSON that must be read whole; lists of records are read item by item instead. */
export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024
