import { getOrganizationUsage } from '../contract/management-organization.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { readUsage, type UsageDependencies } from '../usage/routes.ts'
import { authorize, type ManagementDependencies } from './management-api.ts'

export const organizationUsageRoute = (dependencies: ManagementDependencies & UsageDependencies): ApiRoute =>
  route(getOrganizationUsage, async (c) => {
    const { id } = (await authorize(dependencies, c)).get('organization')
    return { data: await readUsage(dependencies, id, c.get('query'), c.get('facts').now) }
  })
