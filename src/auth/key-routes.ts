import { changeKey, createKey, listKeys, revokeKey } from '../contract/management-keys.ts'
import { DONE } from '../contract/management-shared.ts'
import { type ApiRoute, route } from '../http/context.ts'
import type { KeyService } from './key-service.ts'

export const keyRoutes = (keys: KeyService): ApiRoute[] => [
  route(listKeys, async (c) => ({ data: await keys.list(c.get('principal')) })),

  route(createKey, async (c) => {
    const body = c.get('body')
    const principal = c.get('principal')
    if ('replaces' in body) return { data: await keys.rotate(principal, body.replaces, body.overlap_days) }
    return { data: await keys.create(principal, body) }
  }),

  route(changeKey, async (c) => ({
    data: await keys.change(c.get('principal'), c.get('params').id, c.get('body')),
  })),

  route(revokeKey, async (c) => {
    await keys.revoke(c.get('principal'), c.get('params').id)
    return { data: DONE }
  }),
]
