/** Stored instead of the decision of a row of a device list, which is no offer before it has an outcome. */
export const LIST_ROW = 'list'
