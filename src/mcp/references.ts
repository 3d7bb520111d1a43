import { CONDITION_GRADES } from '../contract/conditions.ts'
import { DEFECTS } from '../contract/defects.ts'
import { FACTORS } from '../risk/risk-factors.ts'

/** Explains the codes in arguments and results to models. */
export const REFERENCES = [
  {
    name: 'grades',
    title: 'Condition grades',
    description: 'The four condition grades of prices, best first, with their definitions.',
    content: CONDITION_GRADES,
  },
  {
    name: 'defects',
    title: 'Defects',
    description:
      'Codes for defects in appraise_device, with description, the repairs that fix them, and the remaining grade.',
    content: DEFECTS,
  },
  {
    name: 'factors',
    title: 'Risk factors',
    description: 'All factors of the risk score with their points, worst first.',
    content: FACTORS,
  },
] as const

export const referenceUri = (name: string) => `device-intelligence://${name}`
