import {
  changeOrganization,
  createOrganization,
  getOrganization,
  listOrganizations,
  removeOrganization,
} from '../contract/management-organization.ts'
import { DONE } from '../contract/management-shared.ts'
import { CURSOR_LIMIT } from '../contract/paging.ts'
import { type ApiRoute, route } from '../http/context.ts'
import type { Actor } from './actor.ts'
import { type OrganizationServiceOptions, organizationService } from './organization-service.ts'

export type OrganizationDependencies = OrganizationServiceOptions & {
  /** Ends access now and deletes the data later. */
  readonly removeOrganization: (id: string, confirmedName: string, actor: Actor, now: number) => Promise<void>
}

/** Organizations of the service, for principals that operate it. */
export function organizationRoutes(dependencies: OrganizationDependencies): ApiRoute[] {
  const organizations = organizationService(dependencies)
  return [
    route(listOrganizations, async (c) => {
      const { after = '', limit = CURSOR_LIMIT } = c.get('query')
      const found = await organizations.list(after, limit + 1)
      const data = found.slice(0, limit)
      return {
        data,
        meta: { limit, has_next: found.length > limit, next_after: data.at(-1)?.id ?? (after || null) },
      }
    }),

    route(createOrganization, async (c) => ({
      data: await organizations.create(c.get('body'), c.get('principal').actor),
    })),

    route(getOrganization, async (c) => ({ data: await organizations.find(c.get('params').id) })),

    route(changeOrganization, async (c) => ({
      data: await organizations.change(c.get('params').id, c.get('body'), c.get('principal').actor),
    })),

    route(removeOrganization, async (c) => {
      const { actor } = c.get('principal')
      await dependencies.removeOrganization(c.get('params').id, c.get('query').confirm, actor, c.get('facts').now)
      return { data: DONE }
    }),
  ]
}
