import { listEvents } from '../contract/events.ts'
import { CURSOR_LIMIT, type CursorMeta } from '../contract/paging.ts'
import { createWatch, deleteWatch, getWatch, listWatches } from '../contract/watches.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { excerpt, notFound } from '../lib/errors.ts'
import { BEFORE_FIRST_EVENT, presentEvent } from './event.ts'
import type { EventStore } from './event-store.ts'
import { parseWatchRequest, presentWatch } from './watch.ts'
import type { NewWatch, WatchStore } from './watch-store.ts'

export type EventRouteOptions = {
  readonly watches: Pick<WatchStore, 'watch' | 'watches' | 'find' | 'end'>
  readonly events: Pick<EventStore, 'after' | 'findPosition'>
  /** Reference price for changes; undefined if the variant does not exist. */
  readonly findPrice: (variantId: string, organizationId: string) => Promise<number | null | undefined>
  readonly suggestVariants: (variantId: string) => readonly string[]
  readonly maxWatches: number
  /** Days that lookups are kept; 0: forever. */
  readonly retentionDays: () => number
}

export function eventRoutes({
  watches,
  events,
  findPrice,
  suggestVariants,
  maxWatches,
  retentionDays,
}: EventRouteOptions): ApiRoute[] {
  return [
    route(createWatch, async (c) => {
      const { now } = c.get('facts')
      const { organizationId, actor } = c.get('principal')
      const request = parseWatchRequest(c.get('body'), now, retentionDays())
      const save = async (watch: NewWatch) => ({
        data: presentWatch(await watches.watch(organizationId, watch, now, maxWatches, actor)),
      })
      if (request.kind === 'identifier') return save(request)
      const lastCents = await findPrice(request.subject, c.get('principal').organizationId)
      if (lastCents === undefined) {
        throw notFound(`Variant ${excerpt(request.subject)}`, suggestVariants(request.subject))
      }
      return save({ ...request, lastCents })
    }),
    route(listWatches, async (c) => {
      const { after = '', reference, limit = CURSOR_LIMIT } = c.get('query')
      const query = { after, reference, limit: limit + 1, now: c.get('facts').now }
      const foundWatches = await watches.watches(c.get('principal').organizationId, query)
      return toCursorPage(foundWatches.map(presentWatch), limit, after || null)
    }),
    route(getWatch, async (c) => {
      const { id } = c.get('params')
      const watch = await watches.find(c.get('principal').organizationId, id)
      if (!watch) throw notFound(`Watch ${excerpt(id)}`)
      return { data: presentWatch(watch) }
    }),
    route(deleteWatch, async (c) => {
      const { id } = c.get('params')
      // Another organization's watch is NOT_FOUND, so that callers cannot probe for ids.
      const { organizationId, actor } = c.get('principal')
      const ended = await watches.end(organizationId, id, actor, c.get('facts').now)
      if (!ended) throw notFound(`Watch ${excerpt(id)}`)
      return { data: presentWatch(ended) }
    }),
    route(listEvents, async (c) => {
      const { after, type, limit = CURSOR_LIMIT } = c.get('query')
      const { organizationId } = c.get('principal')
      // An event that is no longer stored is older than all that are.
      const position = (after && (await events.findPosition(organizationId, after))) || BEFORE_FIRST_EVENT
      const foundEvents = await events.after(organizationId, position, { type, limit: limit + 1 })
      return toCursorPage(foundEvents.map(presentEvent), limit, after ?? null)
    }),
  ]
}

/** `rows` holds one row more than the limit if there is a next page. */
function toCursorPage(rows: readonly { readonly id: string }[], limit: number, requestedAfter: string | null) {
  const data = rows.slice(0, limit)
  const meta: CursorMeta = { limit, has_next: rows.length > limit, next_after: data.at(-1)?.id ?? requestedAfter }
  return { data, meta }
}
