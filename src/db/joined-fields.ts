/** The unit separator: a control character that stands in no name, and is escaped in JSON. */
export const BETWEEN_FIELDS = '\x1f'
