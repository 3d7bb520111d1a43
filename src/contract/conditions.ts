import { z } from 'zod'
import { component } from './component.ts'

export const CONDITIONS = ['Excellent', 'Good', 'Fair', 'Poor'] as const
export type Condition = (typeof CONDITIONS)[number]

export const conditionSchema = z.enum(CONDITIONS)

export const conditionGradeSchema = component(
  'ConditionGrade',
  z
    .strictObject({
      name: conditionSchema.describe('The word used in prices.'),
      rank: z.int().min(1).max(4).describe('1 is the best grade, 4 the worst.'),
      definition: z.string().min(1).describe('What a device must be like to have this grade.'),
      fully_working: z.boolean().describe('Whether every function must work.'),
      screen: z.string().min(1).describe('State of the screen.'),
      body: z.string().min(1).describe('State of the body.'),
      battery_min_percent: z
        .int()
        .min(0)
        .max(100)
        .nullable()
        .describe('Least battery health for this grade; null where the grade asks for none.'),
    })
    .describe('One grade of condition and what it means.'),
)

export type ConditionGradeWire = z.infer<typeof conditionGradeSchema>

/** The grades in force, best first: the words that every price, quote and observation is graded with. */
export const CONDITION_GRADES: readonly ConditionGradeWire[] = [
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
