/**
 * Key under which the seller of a purchase is kept until the receipt is printed. What was entered stays in the memory of the
 * page, until it is closed or the person signs out, so that printing it needs no reading of the record.
 */
export const sellerOnPaper = (appraisalId: string) => ['seller on paper', appraisalId] as const
