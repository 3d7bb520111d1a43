/** What of an appraisal may be shown to whoever holds the code of its sheet; the organization chooses. */
export const SHARED_FACTS = ['device', 'identifier', 'grade', 'check', 'offer', 'reference'] as const
export type SharedFact = (typeof SHARED_FACTS)[number]
