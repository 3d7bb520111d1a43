import { z } from 'zod'
import { type EventWire, listEvents } from '../contract/events.ts'
import type { CursorMeta } from '../contract/paging.ts'
import {
  createWatch,
  deleteWatch,
  listWatches,
  type WatchWire,
  watchRequestSchema,
  watchSchema,
} from '../contract/watches.ts'
import { count, defineTool, type Tool } from './tool-definition.ts'

const MAX_RESULTS = 50
const TAKE_WATCH_ID = 'Take the id from list_watches.'
const watchOutput = z.object(watchSchema.shape)
const next = {
  has_next: z.boolean(),
  next_after: z.string().nullable().describe('Pass it as after to continue.'),
}

const createWatchTool = defineTool({
  name: 'create_watch',
  title: 'Watch an identifier or a price',
  description:
    'Reports later changes as events: of the status of an identifier, or of the resale price of a variant by threshold_percent. Give identifier or variant_id. The same subject and reference again updates the watch. Ask the person before you create one.',
  tier: createWatch.tier,
  input: z.object(watchRequestSchema.shape).omit({ identifier_type: true }),
  output: watchOutput,
  createsRecord: true,
  isIdempotent: true,
  toApiCall: (body) => ({ endpoint: createWatch, body }),
  summarize: (watch: WatchWire) => watch,
})

const listWatchesTool = defineTool({
  name: 'list_watches',
  title: 'List watches',
  description: 'Watches, oldest first. Continue with after = next_after.',
  tier: listWatches.tier,
  input: z.object({
    reference: listWatches.query.shape.reference,
    after: z.string().optional().describe('Only watches after this id.'),
    limit: count(`Default ${MAX_RESULTS}.`, MAX_RESULTS),
  }),
  output: z.object({ watches: z.array(watchOutput), ...next }),
  createsRecord: false,
  toApiCall: (query) => ({ endpoint: listWatches, query }),
  summarize: (watches: WatchWire[], meta: CursorMeta) => ({ watches, ...meta }),
})

const endWatchTool = defineTool({
  name: 'end_watch',
  title: 'End a watch',
  description: 'Ends a watch; its events remain. Ask the person before you end one.',
  tier: deleteWatch.tier,
  input: z.object({
    watch_id: z
      .string({ error: 'the id of a watch, as returned by list_watches' })
      .regex(/^[\w-]+$/, 'the id of a watch, as returned by list_watches')
      .describe('The watch.'),
  }),
  output: watchOutput,
  createsRecord: true,
  isDestructive: true,
  isIdempotent: true,
  notFoundAdvice: TAKE_WATCH_ID,
  toApiCall: ({ watch_id: id }) => ({ endpoint: deleteWatch, params: { id } }),
  summarize: (watch: WatchWire) => watch,
})

const listEventsTool = defineTool({
  name: 'list_events',
  title: 'List events',
  description:
    'Events of the last 30 days, oldest first. Continue with after = next_after; store it to get only new events next time.',
  tier: listEvents.tier,
  input: z.object({
    type: listEvents.query.shape.type,
    after: z.string().optional().describe('next_after of the previous page.'),
    limit: count(`Default ${MAX_RESULTS}.`, MAX_RESULTS),
  }),
  output: z.object({
    events: z.array(
      z.object({ id: z.string(), type: z.string(), timestamp: z.string(), data: z.record(z.string(), z.unknown()) }),
    ),
    ...next,
  }),
  createsRecord: false,
  toApiCall: (query) => ({ endpoint: listEvents, query }),
  summarize: (events: EventWire[], meta: CursorMeta) => ({ events, ...meta }),
})

export const watchTools: readonly Tool[] = [createWatchTool, listWatchesTool, endWatchTool, listEventsTool]
