/** Whether devices that are not on a list count as clean, in which area and for how long. Set by the operator. */

import type { IdentifierListTable } from '../../db/schema.ts'
import { conflict, invalid } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import { isSampleList } from '../../risk/sources/imported-lists-source.ts'
import type { ListFormat } from './list-format.ts'

export type ListCoverage = Pick<IdentifierListTable, 'area' | 'max_age_days'>

const NO_COVERAGE: ListCoverage = { area: null, max_age_days: null }
const MAX_AREA_CHARS = 40
const MAX_COVERAGE_DAYS = 365

/**
 * Coverage from the options of an import. A full list sets it with every import. A delta list keeps the coverage of the
 * list and cannot start to clear, because it contains only changes.
 */
export function parseListCoverage(
  options: Readonly<Record<string, string>>,
  list: string,
  format: ListFormat,
  existing: IdentifierListTable | undefined,
): ListCoverage {
  const existingCoverage = existing?.area == null || existing.max_age_days === null ? null : existing
  if (options.clears === undefined) {
    for (const option of ['area', 'max-age-days']) {
      if (options[option] === undefined) continue
      throw invalid(option, options[option], 'nothing unless the list is said to clear', reason('list_does_not_clear'))
    }
    return format.isDelta && existingCoverage
      ? { area: existingCoverage.area, max_age_days: existingCoverage.max_age_days }
      : NO_COVERAGE
  }
  if (format.kind !== 'stolen')
    throw conflict(
      'clears',
      `Only a stolen list can clear; "${list}" is a ${format.kind} list.`,
      reason('only_stolen_lists_clear', { list }),
    )
  if (isSampleList(list))
    throw conflict(
      'clears',
      `"${list}" is a sample by its name, and a sample clears nothing.`,
      reason('sample_clears_nothing', { list }),
    )
  if (format.isDelta && !existingCoverage) {
    throw conflict(
      'clears',
      `These are changes, and "${list}" does not clear so far: import the whole list first.`,
      reason('whole_list_first', { list }),
    )
  }
  return { area: parseArea(options.area), max_age_days: parseDays(options['max-age-days']) }
}

function parseArea(text: string | undefined): string {
  const area = text?.trim() ?? ''
  if (area !== '' && area.length <= MAX_AREA_CHARS && /^[\p{L}\p{N} ,.&()-]+$/u.test(area)) return area
  throw invalid(
    'area',
    text,
    `where the list counts: a country such as DE, or a name of at most ${MAX_AREA_CHARS} letters`,
    reason('area_of_list', { maximum: MAX_AREA_CHARS }),
  )
}

function parseDays(text: string | undefined): number {
  const days = /^\d{1,3}$/.test(text ?? '') ? Number(text) : 0
  if (days >= 1 && days <= MAX_COVERAGE_DAYS) return days
  throw invalid(
    'max-age-days',
    text,
    `for how long after its import the list counts: 1 to ${MAX_COVERAGE_DAYS} days`,
    reason('days_of_list', { maximum: MAX_COVERAGE_DAYS }),
  )
}
