import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Endpoint, endpoints, examplePath } from '../../src/contract/endpoints.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

const NUL = '\u0000'

/** The body once for each of its texts, with a NUL character in that text. */
function* withNul(body: unknown): Generator<unknown> {
  if (typeof body === 'string') yield `${body}${NUL}`
  else if (Array.isArray(body)) {
    const [first, ...others] = body
    for (const changed of withNul(first)) yield [changed, ...others]
  } else if (typeof body === 'object' && body !== null)
    for (const [name, value] of Object.entries(body))
      for (const changed of withNul(value)) yield { ...body, [name]: changed }
}

const parameterNames = ({ query }: Endpoint) => ('shape' in query ? Object.keys(query.shape as object) : [])

onDatabaseOfSuite((store) => {
  let service: TestService
  let owner: Awaited<ReturnType<typeof member>>
  beforeAll(async () => {
    service = await startService(await store.open())
    const { organizationId } = await service.newOrganization('Operator')
    await service.app.auth.setOperatorOrganization(organizationId, OPERATOR, Date.now())
    owner = await member(service, organizationId, 'owner')
  })
  afterAll(() => service.stop())

  test('a NUL character in any parameter or text of any request is no error of the service', async () => {
    const failures: string[] = []
    for (const endpoint of endpoints) {
      const { id, method } = endpoint
      // Asks the central bank.
      if (id === 'updateRates') continue
      const path = examplePath(endpoint)
      const queries = [...parameterNames(endpoint), 'unknown'].map((name) => `?${name}=a%00b`)
      const bodies = [undefined, ...endpoint.examples.flatMap(({ body }) => [...withNul(body)])]
      const requests = [
        ...queries.map((query) => ({ url: path + query, body: endpoint.examples[0].body })),
        ...bodies.map((body) => ({ url: path, body })),
      ]
      for (const { url, body } of requests) {
        const { status } = await owner.send(method, url, body)
        if (status >= 500) failures.push(`${method} ${url} ${JSON.stringify(body)}: ${status}`)
      }
    }
    expect(failures).toEqual([])
  })
})
