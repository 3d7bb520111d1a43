/** Facts of an appraisal that the organization can show on its verification page. */
export const SHARED_FACTS = ['device', 'identifier', 'grade', 'check', 'offer', 'reference'] as const
export type SharedFact = (typeof SHARED_FACTS)[number]
