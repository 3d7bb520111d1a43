/** Headers that the connection sets itself: another value would end the request early or send it elsewhere. */
const RESERVED = /^(?:host|content-length|transfer-encoding|connection|upgrade|te|trailer|expect|keep-alive)$/i
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/

/** Whether a header that a person entered may be sent. */
export const isRequestHeader = ([name, value]: readonly [string, string]): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that a value must not have.
  NAME.test(name) && !RESERVED.test(name) && !/[\u0000-\u001f\u007f]/.test(value)

export const areRequestHeaders = (headers: Readonly<Record<string, string>>): boolean =>
  Object.entries(headers).every(isRequestHeader)

export const REQUEST_HEADERS_EXPECTED =
  'names of headers without Host, Content-Length, Transfer-Encoding and Connection, and values in one line'
