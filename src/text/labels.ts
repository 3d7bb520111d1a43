/** What a clause or a text can state, in the order of the network's outputs. */
import { DEFECT_CODES, type DefectCode } from '../contract/defect-catalogue.ts'

/** Why a clause that names a part or a fault states no fault of the device, in the terms of clinical text mining. */
export const REASONS = ['absent', 'past', 'if', 'other', 'praise'] as const
export type Reason = (typeof REASONS)[number]

export const WEAR = ['none', 'light', 'visible', 'heavy'] as const
export const WEAR_PLACES = ['screen', 'back', 'frame', 'corner', 'lid'] as const
const LOCK_STATES = ['none', 'unlocked', 'carrier', 'account'] as const
export const GRADE_CLAIMS = ['new', 'like_new', 'good', 'fair', 'poor'] as const
export const REPLACED_PARTS = ['screen', 'battery', 'housing', 'other'] as const
export const MISSING_ITEMS = ['charger', 'cable', 'box', 'stylus', 'other'] as const
/** A text that offers something else than one device. */
export const OTHER_OFFERS = ['parts', 'wanted', 'several', 'accessory', 'service', 'box', 'dummy'] as const

const DETAILS = [
  ...REASONS.map((reason) => `reason:${reason}` as const),
  ...WEAR.map((wear) => `worn:${wear}` as const),
  ...WEAR_PLACES.map((place) => `worn_at:${place}` as const),
  ...LOCK_STATES.map((lock) => `lock:${lock}` as const),
  ...GRADE_CLAIMS.map((grade) => `grade:${grade}` as const),
  ...REPLACED_PARTS.map((part) => `replaced:${part}` as const),
  ...(['replaced_original', 'replaced_copy'] as const),
  ...MISSING_ITEMS.map((item) => `gone:${item}` as const),
  ...(['warranty:left', 'warranty:over', 'swap'] as const),
  // Stolen, reported or not paid off; and faults that no defect covers.
  ...(['barred', 'other_fault'] as const),
  ...OTHER_OFFERS.map((offer) => `offer:${offer}` as const),
]
export type Detail = (typeof DETAILS)[number]
/** A defect that the device has, one that is named without being stated, or a detail. */
export type Label = DefectCode | `~${DefectCode}` | Detail

export const LABELS: readonly Label[] = [
  ...DEFECT_CODES,
  ...DEFECT_CODES.map((code) => `~${code}` as const),
  ...DETAILS,
]
export const DEFECT_COUNT = DEFECT_CODES.length
export const LABEL_INDEX: ReadonlyMap<Label, number> = new Map(LABELS.map((label, index) => [label, index]))
/** The kinds of offer come last: they are properties of the whole text, the others of a clause. */
export const FIRST_OFFER = LABELS.length - OTHER_OFFERS.length
