/** Whether the silence of a list clears what is not on it, where and for how long: only its operator can know. */
import type { IdentifierListTable } from '../../db/schema.ts'
import { conflict, invalid } from '../../errors.ts'
import { isSampleList } from '../../risk/sources/registry-source.ts'
import type { ListForm } from './identifier-lists.ts'

export type ClearingTerms = Pick<IdentifierListTable, 'area' | 'max_age_days'>

const ACCUSES_ONLY: ClearingTerms = { area: null, max_age_days: null }
const LONGEST_AREA = 40
const LONGEST_DAYS = 365

/**
 * What the operator says with this import. A whole list says it anew every time; changes to a list keep what was said of
 * the list, and may not begin to clear: the silence of a few changes means nothing.
 */
export function readClearingTerms(
  options: Readonly<Record<string, string>>,
  list: string,
  form: ListForm,
  known: IdentifierListTable | undefined,
): ClearingTerms {
  const before = known?.area == null || known.max_age_days === null ? null : known
  if (options.clears === undefined) {
    for (const belonging of ['area', 'max-age-days']) {
      if (options[belonging] === undefined) continue
      throw invalid(belonging, options[belonging], 'nothing unless the list is said to clear')
    }
    return form.delta && before ? { area: before.area, max_age_days: before.max_age_days } : ACCUSES_ONLY
  }
  if (form.kind !== 'stolen')
    throw conflict('clears', `Only a stolen list can clear; "${list}" is a ${form.kind} list.`)
  if (isSampleList(list)) throw conflict('clears', `"${list}" is a sample by its name, and a sample clears nothing.`)
  if (form.delta && !before) {
    throw conflict('clears', `These are changes, and "${list}" does not clear so far: import the whole list first.`)
  }
  return { area: readArea(options.area), max_age_days: readDays(options['max-age-days']) }
}

function readArea(text: string | undefined): string {
  const area = text?.trim() ?? ''
  if (area !== '' && area.length <= LONGEST_AREA && /^[\p{L}\p{N} ,.&()-]+$/u.test(area)) return area
  throw invalid(
    'area',
    text,
    `where the list counts: a country such as DE, or a name of at most ${LONGEST_AREA} letters`,
  )
}

function readDays(text: string | undefined): number {
  const days = /^\d{1,3}$/.test(text ?? '') ? Number(text) : 0
  if (days >= 1 && days <= LONGEST_DAYS) return days
  throw invalid('max-age-days', text, `for how long after its import the list counts: 1 to ${LONGEST_DAYS} days`)
}
