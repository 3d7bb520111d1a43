import {
  addDeviceList,
  changeDeviceList,
  DEFAULT_LIST_ROWS,
  type DeviceListRowWire,
  getDeviceList,
  listDeviceLists,
  removeDeviceList,
} from '../contract/device-lists.ts'
import type { Language } from '../contract/languages.ts'
import { CURSOR_LIMIT } from '../contract/paging.ts'
import { callerContext } from '../http/caller-context.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { csvLines, csvResponse, csvTexts, xlsxResponse } from '../http/csv-response.ts'
import { can } from '../http/principal.ts'
import { timeSlice, yieldToEventLoop } from '../lib/event-loop.ts'
import type { SheetCell } from '../lib/sheet-texts.ts'
import type { DeviceLists } from './device-list-service.ts'
import type { DeviceList } from './device-list-store.ts'
import { createListSheet } from './list-sheet.ts'

type FileFormat = { readonly format: 'csv' | 'xlsx'; readonly language: Language; readonly requestId: string }

async function toFile(
  list: DeviceList,
  batches: AsyncGenerator<DeviceListRowWire[]>,
  { format, language, requestId }: FileFormat,
): Promise<Response> {
  const { t, style } = csvTexts(language)
  // The first file in a language reads its texts.
  await yieldToEventLoop()
  const { header, rowOf } = createListSheet(list, t, language)
  const name = `${list.name.replace(/\.(?:xlsx|csv|tsv|txt)$/i, '')}-appraised`
  if (format === 'csv') {
    const lines = csvLines(header, batches, (row) => rowOf(row).map((cell) => cell ?? ''), style)
    return csvResponse(`${name}.csv`, lines, requestId)
  }
  async function* sheetRows() {
    const pause = timeSlice()
    for await (const rows of batches) {
      const cells: SheetCell[][] = []
      for (const row of rows) {
        cells.push(rowOf(row))
        await pause()
      }
      yield cells
    }
  }
  return xlsxResponse(name, header, sheetRows(), requestId)
}

export function deviceListRoutes(lists: DeviceLists): ApiRoute[] {
  return [
    route(listDeviceLists, async (c) => {
      const { after, limit = CURSOR_LIMIT } = c.get('query')
      const found = await lists.list(c.get('principal').organizationId, { after, limit: limit + 1 })
      const data = found.slice(0, limit)
      return { data, meta: { limit, has_next: found.length > limit, next_after: data.at(-1)?.id ?? after ?? null } }
    }),
    route(addDeviceList, async (c) => ({ data: await lists.add(c.get('body'), callerContext(c)) })),
    route(getDeviceList, async (c) => {
      const { after = 0, limit = DEFAULT_LIST_ROWS, format, language, lines, compare } = c.get('query')
      const { organizationId } = c.get('principal')
      const { id } = c.get('params')
      if (format === 'json') return { data: await lists.open(organizationId, id, { after, limit, compare }) }
      const { list, batches } = await lists.export(organizationId, id, lines)
      return { file: await toFile(list, batches, { format, language, requestId: c.get('facts').id }) }
    }),
    route(changeDeviceList, async (c) => {
      const mayCheck = can(c.get('principal'), 'lookups:write')
      const caller = { ...callerContext(c), mayCheck }
      return { data: await lists.change(c.get('params').id, c.get('body'), caller) }
    }),
    route(removeDeviceList, async (c) => ({ data: await lists.remove(c.get('params').id, callerContext(c)) })),
  ]
}
