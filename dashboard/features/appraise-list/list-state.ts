import type { ListState } from '../../../src/contract/device-lists.ts'
import type { Tone } from '../../ui/badge.tsx'

export const STATE_TONES: Readonly<Record<ListState, Tone>> = {
  open: 'blue',
  offered: 'warn',
  bought: 'good',
  declined: 'plain',
}
