/** What a list may look like. Beyond these a file is no list, and reading on would only cost memory. */
export const MAX_LINE_CHARS = 1024 * 1024
export const MAX_COLUMNS = 2000
/** No make, model or model number is longer; whatever is was not meant to be one. */
export const MAX_NAME_CHARS = 300
/** For JSON that must be read whole; lists of records are read item by item instead. */
export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024
