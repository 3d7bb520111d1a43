import { expect, spyOn, test } from 'bun:test'
import { browserSession, invitationToken, member } from '../support/browser-session.ts'
import { startOnSqlite } from '../support/service.ts'

// If an address without an account were rejected without hashing, the response time would reveal who has an account.
test('a wrong password costs the same work whether the address has one account, several, an invitation or none', async () => {
  await using service = await startOnSqlite({ SAMPLE_DATA: 'off' })
  const { organizationId } = service
  const { email: known } = await member(service, organizationId, 'manager')
  const invited = { email: 'invited@example.test', role: 'manager' } as const
  await invitationToken(service, organizationId, invited)
  const several = 'several@example.test'
  await member(service, organizationId, 'manager', several)
  await member(service, (await service.newOrganization('Second')).organizationId, 'manager', several)
  const signIn = async (email: string) => {
    const { status } = await browserSession(service).post('/account/sign-in', { email, password: 'not the password' })
    expect(status).toBe(401)
  }
  await signIn('first-of-all@example.test')
  const hash = spyOn(Bun.password, 'hash')
  const verify = spyOn(Bun.password, 'verify')
  try {
    const costs: string[][] = []
    for (const email of [known, several, invited.email, 'unknown@example.test']) {
      hash.mockClear()
      verify.mockClear()
      await signIn(email)
      expect(hash).not.toHaveBeenCalled()
      costs.push(verify.mock.calls.map(([, stored]) => stored.toString().split('$').slice(1, 4).join('$')))
    }
    // As many checks as the address with the most accounts needs, with the same algorithm and cost.
    const [cost] = costs.flat()
    expect(cost).toStartWith('argon2id$v=19$m=')
    expect(costs).toEqual(Array(4).fill([cost ?? '', cost ?? '']))
  } finally {
    hash.mockRestore()
    verify.mockRestore()
  }
})
