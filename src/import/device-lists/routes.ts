import {
  addDeviceList,
  changeDeviceList,
  DEFAULT_LIST_ROWS,
  getDeviceList,
  listDeviceLists,
  removeDeviceList,
} from '../../contract/device-lists.ts'
import { CURSOR_LIMIT } from '../../contract/paging.ts'
import { callerContext } from '../../http/caller-context.ts'
import { type ApiRoute, route } from '../../http/context.ts'
import { can } from '../../http/principal.ts'
import type { DeviceLists } from './device-lists.ts'

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
      const { after = 0, limit = DEFAULT_LIST_ROWS } = c.get('query')
      const { organizationId } = c.get('principal')
      return { data: await lists.open(organizationId, c.get('params').id, { after, limit }) }
    }),
    route(changeDeviceList, async (c) => {
      const mayCheck = can(c.get('principal'), 'lookups:write')
      const caller = { ...callerContext(c), mayCheck }
      return { data: await lists.change(c.get('params').id, c.get('body'), caller) }
    }),
    route(removeDeviceList, async (c) => ({ data: await lists.remove(c.get('params').id, callerContext(c)) })),
  ]
}
