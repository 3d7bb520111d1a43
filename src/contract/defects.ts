import { z } from 'zod'
import { conditionSchema } from './conditions.ts'
import { DEFECT_CODES, type DefectCode } from './defect-catalogue.ts'
import { DEFECTS, DEVICE_KINDS } from './device-kinds.ts'

export { DEFECT_CODES, DEFECTS, type DefectCode }

export const defectSchema = z
  .strictObject({
    code: z.enum(DEFECT_CODES).describe('The word used in `defects[]` of an appraisal.'),
    name: z.string().min(1).describe('What a person ticks.'),
    description: z.string().min(1).describe('What to look for.'),
    repairs: z
      .array(z.string())
      .describe('Repairs that fix it, by category; if several are possible, the most expensive one is assumed.'),
    gradable: z.boolean().describe('Whether a device with it still has one of the four grades.'),
    best_grade: conditionSchema.nullable().describe('The best grade it leaves; null where it leaves none.'),
    categories: z
      .array(z.enum(DEVICE_KINDS))
      .describe('Kinds of devices that can have it; an appraisal of another kind is rejected with 400.'),
    sellable: z.boolean().describe('Whether the device can be bought and sold at all while it has it.'),
  })
  .describe('Something that can be wrong with a device beside its wear.')
  .meta({ id: 'Defect' })
