import { CONDITION_GRADES } from '../contract/conditions.ts'
import { DEFECTS } from '../contract/defects.ts'
import { FACTORS } from '../risk/risk-factors.ts'

/** Explains the codes in arguments and results to models. */
export const REFERENCES = [
  {
    name: 'grades',
    title: 'Condition grades',
    description: 'The four grades that prices are given for, best first, and what a device must be like to have each.',
    content: CONDITION_GRADES,
  },
  {
    name: 'defects',
    title: 'Defects',
    description:
      'The words of defects in appraise_device: what to look for, which repair fixes it, which grade remains.',
    content: DEFECTS,
  },
  {
    name: 'factors',
    title: 'Risk factors',
    description: 'Every reason that can stand in a risk score, with its points, worst first.',
    content: FACTORS,
  },
] as const

export const referenceUri = (name: string) => `device-intelligence://${name}`
