export const CONDITIONS = ['Excellent', 'Good', 'Fair', 'Poor'] as const
export type Condition = (typeof CONDITIONS)[number]

export type ConditionGrade = {
  readonly name: Condition
  readonly rank: number
  readonly definition: string
  readonly fully_working: boolean
  /** Null for devices without a screen. */
  readonly screen: string | null
  readonly body: string
  readonly battery_min_percent: number | null
}

/** Condition grades, best first, of every price, quote and observation. */
export const CONDITION_GRADES: readonly ConditionGrade[] = [
  {
    name: 'Excellent',
    rank: 1,
    definition: 'Fully working, no screen scratch, body marks invisible at 20 cm, battery at 80 % or more.',
    fully_working: true,
    screen: 'No scratch.',
    body: 'Marks invisible at 20 cm.',
    battery_min_percent: 80,
  },
  {
    name: 'Good',
    rank: 2,
    definition: 'Fully working, no screen scratch, light marks invisible at 50 cm, battery at 80 % or more.',
    fully_working: true,
    screen: 'No scratch.',
    body: 'Light marks invisible at 50 cm.',
    battery_min_percent: 80,
  },
  {
    name: 'Fair',
    rank: 3,
    definition: 'Fully working, visible scratches or dents.',
    fully_working: true,
    screen: 'Visible scratches.',
    body: 'Visible scratches or dents.',
    battery_min_percent: null,
  },
  {
    name: 'Poor',
    rank: 4,
    definition:
      'Powers on and can be identified, but heavy wear, cracked glass, battery under 80 % or a faulty function.',
    fully_working: false,
    screen: 'May be cracked.',
    body: 'Heavy wear.',
    battery_min_percent: null,
  },
]
