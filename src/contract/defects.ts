import { z } from 'zod'
import { conditionSchema } from './conditions.ts'
import { DEFECT_CODES, type DefectCode } from './defect-catalogue.ts'
import { DEFECTS, DEVICE_KINDS } from './device-kinds.ts'
import { component } from './values.ts'

export { DEFECT_CODES, DEFECTS, type DefectCode }

export const defectSchema = component('Defect', 'A defect beyond normal wear.', {
  code: z.enum(DEFECT_CODES).describe('Code for `defects[]` of an appraisal.'),
  name: z.string().min(1).describe('Label.'),
  description: z.string().min(1).describe('What to look for.'),
  repairs: z
    .array(z.string())
    .describe('Repairs that fix it, by category; if several are possible, the most expensive one is assumed.'),
  gradable: z.boolean().describe('Whether a device with this defect still has one of the four grades.'),
  best_grade: conditionSchema.nullable().describe('Best grade possible with this defect; null if none.'),
  categories: z
    .array(z.enum(DEVICE_KINDS))
    .describe('Kinds of devices that can have it; an appraisal of another kind is rejected with 400.'),
  sellable: z.boolean().describe('Whether a device with this defect can be bought and sold.'),
})
