import { listEvents } from '../contract/events.ts'
import { CURSOR_LIMIT, type CursorMeta } from '../contract/paging.ts'
import { createWatch, deleteWatch, listWatches } from '../contract/watches.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { prepareResponse } from '../http/prepared-response.ts'
import { excerpt, notFound } from '../lib/errors.ts'
import { BEFORE_FIRST_EVENT, eventId, eventJson } from './event.ts'
import type { EventStore } from './event-store.ts'
import { parseWatchRequest, presentWatch } from './watch.ts'
import type { NewWatch, WatchStore } from './watch-store.ts'

export type EventRouteOptions = {
  readonly watches: Pick<WatchStore, 'watch' | 'watches' | 'end'>
  readonly events: Pick<EventStore, 'after' | 'findPosition'>
  /** The price that a move is measured from; undefined where there is no such variant. */
  readonly priceOf: (variantId: string, organizationId: string) => Promise<number | null | undefined>
  readonly suggestVariants: (variantId: string) => readonly string[]
  readonly maxWatches: number
  /** Days that lookups are kept; 0: forever. */
  readonly retentionDays: () => number
}

export function eventRoutes({
  watches,
  events,
  priceOf,
  suggestVariants,
  maxWatches,
  retentionDays,
}: EventRouteOptions): ApiRoute[] {
  return [
    route(createWatch, async (c) => {
      const { now } = c.get('facts')
      const { organizationId, actor } = c.get('caller')
      const request = parseWatchRequest(c.get('body'), now, retentionDays())
      const save = async (watch: NewWatch) => ({
        data: presentWatch(await watches.watch(organizationId, watch, now, maxWatches, actor)),
      })
      if (request.kind === 'identifier') return save(request)
      const lastCents = await priceOf(request.subject, c.get('caller').organizationId)
      if (lastCents === undefined) {
        throw notFound(`Variant ${excerpt(request.subject)}`, suggestVariants(request.subject))
      }
      return save({ ...request, lastCents })
    }),
    route(listWatches, async (c) => {
      const { after = '', reference, limit = CURSOR_LIMIT } = c.get('query')
      const asked = { after, reference, limit: limit + 1, now: c.get('facts').now }
      const found = (await watches.watches(c.get('caller').organizationId, asked)).map(presentWatch)
      return toCursorPage(
        found.map((watch) => ({ id: watch.id, json: JSON.stringify(watch) })),
        limit,
        after || null,
      )
    }),
    route(deleteWatch, async (c) => {
      const { id } = c.get('params')
      // Another organization's watch is not found either: that it exists is none of the caller's business.
      const ended = await watches.end(c.get('caller').organizationId, id)
      if (!ended) throw notFound(`Watch ${excerpt(id)}`)
      return { data: presentWatch(ended) }
    }),
    route(listEvents, async (c) => {
      const { after, type, limit = CURSOR_LIMIT } = c.get('query')
      const { organizationId } = c.get('caller')
      // An event that is no longer stored is older than all that are.
      const position = (after && (await events.findPosition(organizationId, after))) || BEFORE_FIRST_EVENT
      const found = await events.after(organizationId, position, { type, limit: limit + 1 })
      return toCursorPage(
        found.map((event) => ({ id: eventId(event), json: eventJson(event) })),
        limit,
        after ?? null,
      )
    }),
  ]
}

/** `found` holds one row more than the limit if there is a next page. */
function toCursorPage(found: readonly { id: string; json: string }[], limit: number, sent: string | null) {
  const shown = found.slice(0, limit)
  const meta: CursorMeta = { limit, has_next: found.length > limit, next_after: shown.at(-1)?.id ?? sent }
  return prepareResponse(`[${shown.map(({ json }) => json).join(',')}]`, JSON.stringify(meta))
}
