import { addDays, dayOf } from '../../../src/lib/time.ts'
import { useOperation } from '../../queries.ts'

/** Days that usage is kept for. */
const KEPT_DAYS = 90

/** All usage that is kept, by key. */
export const useUsageByKey = () =>
  useOperation('GET /api/usage', { query: { from: addDays(dayOf(Date.now()), 1 - KEPT_DAYS), include: 'keys' } })
