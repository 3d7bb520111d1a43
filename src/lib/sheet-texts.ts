import type { TFunction } from 'i18next'

export type SheetCell = string | number | null

/** Texts of the files that people download: titles of columns and words for codes, in one language. */
export type SheetTexts = TFunction<['sheet', 'codes', 'outcomes', 'appraise-list', 'errors']>

export const SHEET_NAMESPACES = ['sheet', 'codes', 'outcomes', 'appraise-list', 'errors'] as const
