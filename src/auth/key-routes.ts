import { changeKey, createKey, getKey, listKeys, revokeKey, rotateKey } from '../contract/management-keys.ts'
import { DONE } from '../contract/management-shared.ts'
import { type ApiRoute, route } from '../http/context.ts'
import type { KeyService } from './key-service.ts'

export const keyRoutes = (keys: KeyService): ApiRoute[] => [
  route(listKeys, async (c) => ({ data: await keys.list(c.get('principal')) })),

  route(createKey, async (c) => ({ data: await keys.create(c.get('principal'), c.get('body')) })),

  route(getKey, async (c) => ({ data: await keys.find(c.get('principal'), c.get('params').id) })),

  route(rotateKey, async (c) => ({
    data: await keys.rotate(c.get('principal'), c.get('params').id, c.get('body').overlap_days),
  })),

  route(changeKey, async (c) => ({
    data: await keys.change(c.get('principal'), c.get('params').id, c.get('body')),
  })),

  route(revokeKey, async (c) => {
    await keys.revoke(c.get('principal'), c.get('params').id)
    return { data: DONE }
  }),
]
