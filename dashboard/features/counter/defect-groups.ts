import type { Defect } from '../../../src/contract/device-kinds.ts'
import { foldText } from '../../../src/lib/fold-text.ts'

/** What can be seen, what must be tried, and what ends most deals. */
export const DEFECT_GROUPS = ['looks', 'functions', 'serious'] as const
type DefectGroup = (typeof DEFECT_GROUPS)[number]

const LOOKS: ReadonlySet<string> = new Set([
  'cracked_screen',
  'cracked_back',
  'hinge',
  'lens',
  'viewfinder',
  'ear_cushions',
  'missing_earbud',
  'missing_accessories',
])
const SERIOUS: ReadonlySet<string> = new Set(['no_power', 'water_damage', 'activation_locked', 'carrier_locked'])

export const groupOf = (code: string): DefectGroup =>
  SERIOUS.has(code) ? 'serious' : LOOKS.has(code) ? 'looks' : 'functions'

/** Whether a text contains the beginnings of all typed words. */
export function isFound(typed: string, text: string): boolean {
  const words = foldText(text).split(/[^\p{L}\p{N}]+/u)
  return foldText(typed)
    .split(/\s+/)
    .filter(Boolean)
    .every((part) => words.some((word) => word.startsWith(part)))
}

/** Whether a device with these defects has no grade: it does not work. */
export const isUngradable = (rules: readonly Pick<Defect, 'code' | 'gradable'>[], ticked: readonly string[]): boolean =>
  rules.some(({ code, gradable }) => !gradable && ticked.includes(code))
