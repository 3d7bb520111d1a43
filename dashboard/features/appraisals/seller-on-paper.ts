/**
 * Key under which the seller of a purchase is kept until the receipt is printed. Clerks enter sellers and cannot read them
 * again, so what was entered stays in the memory of the page, until it is closed or the person signs out.
 */
export const sellerOnPaper = (appraisalId: string) => ['seller on paper', appraisalId] as const
