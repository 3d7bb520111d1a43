import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { MEMBER_ROLES } from '../../src/contract/account-limits.ts'
import { endpoints, examplePath } from '../../src/contract/endpoints.ts'
import { findDenial, type Powers } from '../../src/contract/permissions.ts'
import { KEY_RIGHTS, type KeyRight, TIERS, type Tier } from '../../src/contract/tiers.ts'
import { dayOf } from '../../src/lib/time.ts'
import { browserSession, member } from '../support/browser-session.ts'
import { ecbXml, serveEcbRates } from '../support/ecb.ts'
import { OPERATOR, startOnSqlite, type TestService } from '../support/service.ts'

/** Requests that carry the cookie but were not sent by a page of ours. */
const FORGED_HEADERS: readonly Record<string, string>[] = [
  { 'X-Requested-With': '' },
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://other.example' },
  { 'Sec-Fetch-Site': 'same-site', Origin: 'https://other.example' },
  { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://other.example' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'none' },
]

type Sender = {
  readonly name: string
  readonly powers: Powers
  send(method: string, path: string): Promise<{ readonly status: number; readonly text: string }>
}

describe('every endpoint × principal', () => {
  let service: TestService
  const senders: Sender[] = []
  let ownerCookie: string
  const ecb = serveEcbRates(() => new Response(ecbXml(dayOf(Date.now()), { USD: 1.25 })))

  beforeAll(async () => {
    service = await startOnSqlite({}, 'small', { ecbRatesUrl: ecb.url })
    const { organizationId } = await service.newOrganization('Tenant')
    for (const rights of [[], ...KEY_RIGHTS.map((right) => [right])] satisfies KeyRight[][]) {
      for (const tier of TIERS) senders.push(await keySender(organizationId, tier, rights))
    }
    const operatorId = (await service.newOrganization('Operator')).organizationId
    await service.app.auth.setOperatorOrganization(operatorId, OPERATOR, Date.now())
    for (const role of MEMBER_ROLES) {
      senders.push(await personSender(`${role} of a tenant`, organizationId, role, false))
      senders.push(await personSender(`${role} of the operator`, operatorId, role, role === 'owner'))
    }
  })
  afterAll(async () => {
    await service.stop()
    await ecb.stop()
  })

  async function keySender(organizationId: string, tier: Tier, rights: readonly KeyRight[]): Promise<Sender> {
    const newKey = { tier, name: 'Matrix', expiresAt: null, rights }
    const { secret } = await service.app.auth.createKey(organizationId, newKey, OPERATOR, Date.now())
    return {
      name: `${tier} key${rights.map((right) => ` with the right to ${right}`).join('')}`,
      powers: { tier, rights, role: null, operates: rights.includes('operate') },
      send: (method, path) =>
        service.ask(path, { key: secret, method, ...(method === 'GET' || method === 'DELETE' ? {} : { json: {} }) }),
    }
  }

  async function personSender(
    name: string,
    organizationId: string,
    role: (typeof MEMBER_ROLES)[number],
    operates: boolean,
  ): Promise<Sender> {
    const session = await member(service, organizationId, role)
    if (role === 'owner') {
      ownerCookie = session.cookie()
      // Otherwise clerks get no report, whatever their role allows.
      await session.send('PATCH', '/api/manage/settings', { policy: { clerks_see_margins: true } })
    }
    return {
      name,
      powers: { tier: 'enterprise', rights: [], role, operates },
      send: (method, path) => session.send(method, path, method === 'GET' || method === 'DELETE' ? undefined : {}),
    }
  }

  for (const endpoint of endpoints) {
    test(`${endpoint.route}: exactly the principals with ${endpoint.permission} get in`, async () => {
      // An id that does not exist, so that no request changes anything.
      const path = examplePath(endpoint).replace(/_0f246810c52148df\d/g, '_00000000000000000')
      const wrong: string[] = []
      for (const { name, powers, send } of senders) {
        const { status, text } = await send(endpoint.method, path)
        const isDenied = findDenial(powers, endpoint.permission) !== undefined
        if (isDenied !== (status === 403)) wrong.push(`${name}: ${status} ${text.slice(0, 200)}`)
        if (status === 401 || status >= 500) wrong.push(`${name}: ${status}`)
      }
      expect(wrong).toEqual([])
    })

    const { csvPermission } = endpoint
    if (csvPermission) {
      test(`${endpoint.route}?format=csv: exactly the principals with ${csvPermission} may have the file`, async () => {
        const wrong: string[] = []
        for (const { name, powers, send } of senders) {
          const { status } = await send(endpoint.method, `${examplePath(endpoint)}?format=csv`)
          const isDenied = [endpoint.permission, csvPermission].some((each) => findDenial(powers, each) !== undefined)
          // The id of the example is nobody's.
          const whenAllowed = endpoint.params ? 404 : 200
          if (status !== (isDenied ? 403 : whenAllowed)) wrong.push(`${name}: ${status}`)
        }
        expect(wrong).toEqual([])
      })
    }

    test(`${endpoint.route}: a session cookie alone is not enough`, async () => {
      const forged = browserSession(service)
      forged.useCookie(ownerCookie)
      for (const headers of FORGED_HEADERS) {
        const { status } = await forged.send(endpoint.method, examplePath(endpoint), undefined, headers)
        expect({ headers, status }).toEqual({ headers, status: 401 })
      }
    })
  }
})
