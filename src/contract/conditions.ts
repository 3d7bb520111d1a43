import { z } from 'zod'
import { CONDITION_GRADES, CONDITIONS } from './condition-grades.ts'
import { component } from './values.ts'

export { CONDITION_GRADES, CONDITIONS }

export const conditionSchema = z.enum(CONDITIONS)

export const conditionGradeSchema = component('ConditionGrade', 'A condition grade and its definition.', {
  name: conditionSchema.describe('Name used in prices.'),
  rank: z.int().min(1).max(4).describe('1 is the best grade, 4 the worst.'),
  definition: z.string().min(1).describe('Definition of the grade.'),
  fully_working: z.boolean().describe('Whether every function must work.'),
  screen: z.string().min(1).nullable().describe('State of the screen; null for devices without one.'),
  body: z.string().min(1).describe('State of the body.'),
  battery_min_percent: z
    .int()
    .min(0)
    .max(100)
    .nullable()
    .describe('Minimum battery health for this grade; null if there is none or it cannot be read.'),
})
