import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { accountsStore } from '../../src/auth/accounts/accounts-store.ts'
import { commandPrincipal } from '../../src/auth/principals.ts'
import { authenticator } from '../support/authenticator.ts'
import { browserSession, member, PASSWORD } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { freePort } from '../support/postgres.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'

/** The code that the authenticator app shows `later` steps of 30 seconds from now, so that a test need not wait for the next code. */
const codeOf = (secret: string, later = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * 30_000 })

onDatabaseOfSuite((store) => {
  let service: TestService
  let base: string
  beforeAll(async () => {
    const PORT = String(await freePort())
    base = `http://localhost:${PORT}`
    service = await startService(await store.open(), { PORT, BASE_URL: base })
  })
  afterAll(() => service.stop())

  const accounts = () => accountsStore(service.app.db)
  const actions = async (organizationId: string) =>
    (await accounts().auditTrail(organizationId, { limit: 100 })).rows.map(({ action }) => action)
  type Member = Awaited<ReturnType<typeof member>>

  async function withApp(person: Member): Promise<{ secret: string; usedCode: string; codes: string[] }> {
    const { secret } = (await person.post('/account/second-factor', { kind: 'totp', password: PASSWORD })).body.data
      .totp
    const usedCode = codeOf(secret)
    const done = await person.post('/account/second-factor/confirm', { code: usedCode })
    return { secret, usedCode, codes: done.body.data.recovery_codes }
  }
  async function withPasskey(person: Member, key: ReturnType<typeof authenticator>) {
    const { token, options } = (await person.post('/account/second-factor', { kind: 'passkey', password: PASSWORD }))
      .body.data.passkey
    return person.post('/account/second-factor/confirm', { token, name: 'Phone', passkey: key.register(options) })
  }
  const signIn = async (email: string) => {
    const visitor = browserSession(service)
    const { body, status } = await visitor.post('/account/sign-in', { email, password: PASSWORD })
    return { visitor, status, challenge: body.data?.second_factor }
  }
  const securityKey = (more = {}) => authenticator('localhost', base, more)

  describe('an authenticator app', () => {
    test('is required after the password, its code counts once, and there is no session before it', async () => {
      const person = await member(service, service.organizationId, 'manager')
      const { secret, usedCode, codes } = await withApp(person)
      expect(codes).toHaveLength(10)
      const { visitor, challenge } = await signIn(person.email)
      expect(challenge).toMatchObject({ totp: true, passkey: null, recovery_codes: true })
      expect(visitor.cookie()).toBe('')
      expect((await visitor.get('/account/session')).status).toBe(401)
      const wrong = await visitor.post('/account/sign-in/continue', { token: challenge.token, code: '000000' })
      expect([wrong.status, wrong.body.error.message]).toEqual([401, 'The code or passkey is wrong.'])
      const reused = await visitor.post('/account/sign-in/continue', { token: challenge.token, code: usedCode })
      expect(reused.status).toBe(401)
      const next = codeOf(secret, 1)
      expect((await visitor.post('/account/sign-in/continue', { token: challenge.token, code: next })).status).toBe(200)
      expect((await visitor.get('/account/session')).body.data.second_factor).toEqual({ has: true, required: false })
      const again = await signIn(person.email)
      for (const token of [challenge.token, again.challenge.token]) {
        expect((await again.visitor.post('/account/sign-in/continue', { token, code: next })).status).toBe(401)
      }
      expect(await actions(service.organizationId)).toContain('person.totp_added')
    })

    test('the database stores the secret encrypted and recovery codes as hashes', async () => {
      const person = await member(service, service.organizationId, 'manager')
      const { secret, codes } = await withApp(person)
      const { db } = service.app
      const rows = [
        ...(await db.query.selectFrom('totp').selectAll().execute()),
        ...(await db.query.selectFrom('recovery_code').selectAll().execute()),
      ]
      const text = JSON.stringify(rows)
      for (const known of [secret, ...codes, codes[0]?.replaceAll('-', '') ?? '']) expect(text).not.toContain(known)
    })

    test('guessing codes is throttled, but a passkey or a recovery code still works', async () => {
      const person = await member(service, service.organizationId, 'owner')
      const { codes } = await withApp(person)
      const key = securityKey()
      expect((await withPasskey(person, key)).status).toBe(200)
      const { visitor, challenge } = await signIn(person.email)
      const guesses = []
      for (let guess = 0; guess < 7; guess++) {
        const code = String(100_000 + guess)
        guesses.push((await visitor.post('/account/sign-in/continue', { token: challenge.token, code })).status)
      }
      expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429])
      // A correct password does not reset the throttling.
      const anew = await signIn(person.email)
      expect(
        (await anew.visitor.post('/account/sign-in/continue', { token: anew.challenge.token, code: '123456' })).status,
      ).toBe(429)
      const response = { token: anew.challenge.token, passkey: key.authenticate(anew.challenge.passkey) }
      expect((await anew.visitor.post('/account/sign-in/continue', response)).status).toBe(200)
      const rescued = { token: challenge.token, recovery_code: codes[3]?.toLowerCase() }
      expect((await visitor.post('/account/sign-in/continue', rescued)).status).toBe(200)
    })

    test('a recovery code works once, and new codes invalidate the old', async () => {
      const person = await member(service, service.organizationId, 'manager')
      const { codes } = await withApp(person)
      const use = async (recovery_code: string | undefined) => {
        const { visitor, challenge } = await signIn(person.email)
        return (await visitor.post('/account/sign-in/continue', { token: challenge.token, recovery_code })).status
      }
      expect([await use(codes[0]), await use(codes[0])]).toEqual([200, 401])
      expect((await person.get('/account/second-factor')).body.data.recovery_codes_left).toBe(9)
      const fresh = (await person.post('/account/second-factor', { kind: 'recovery_codes', password: PASSWORD })).body
        .data.recovery_codes
      expect([await use(codes[1]), await use(fresh[0])]).toEqual([401, 200])
    })

    test('removing the app needs the password; after that the password is enough', async () => {
      const person = await member(service, service.organizationId, 'manager')
      await withApp(person)
      expect((await person.send('DELETE', '/account/second-factor/totp', { password: 'wrong' })).status).toBe(403)
      expect((await person.post('/account/second-factor', { kind: 'totp', password: PASSWORD })).status).toBe(400)
      expect((await person.send('DELETE', '/account/second-factor/totp', { password: PASSWORD })).status).toBe(200)
      expect((await signIn(person.email)).visitor.cookie()).not.toBe('')
      expect((await person.get('/account/second-factor')).body.data.recovery_codes_left).toBe(0)
    })

    test('a reset link from the operator replaces the password, not the app; the operator can remove the app', async () => {
      const person = await member(service, service.organizationId, 'manager')
      await withApp(person)
      const { organizationId } = service
      const operator = commandPrincipal(OPERATOR, organizationId)
      const account = await accounts().findAccount(organizationId, person.email)
      const id = account?.id ?? ''
      const { token } = await accounts().createResetLink(operator, organizationId, id, Date.now())
      const visitor = browserSession(service)
      const joined = await visitor.post('/account/link/use', { token, password: PASSWORD })
      expect(joined.body.data.second_factor.totp).toBe(true)
      expect(visitor.cookie()).toBe('')
      await accounts().resetSecondFactor(operator, organizationId, id, Date.now())
      expect((await person.get('/account/session')).status).toBe(401)
      expect((await signIn(person.email)).visitor.cookie()).not.toBe('')
      expect(await actions(service.organizationId)).toContain('person.second_factor_removed')
    })
  })

  describe('a passkey', () => {
    test('signs in without a password, even while passwords are throttled', async () => {
      const person = await member(service, service.organizationId, 'owner')
      const key = securityKey()
      expect((await withPasskey(person, key)).body.data.recovery_codes).toHaveLength(10)
      for (let guess = 0; guess < 6; guess++) {
        await browserSession(service).post('/account/sign-in', { email: person.email, password: `wrong ${guess}` })
      }
      expect((await signIn(person.email)).status).toBe(429)
      const visitor = browserSession(service)
      const { token, options } = (await visitor.post('/account/sign-in', { with_passkey: true })).body.data.passkey
      expect(options.userVerification).toBe('required')
      const response = { token, passkey: key.authenticate(options) }
      expect((await visitor.post('/account/sign-in/continue', response)).status).toBe(200)
      expect((await visitor.get('/account/session')).body.data.person.email).toBe(person.email)
      // The same response cannot be used twice.
      expect((await browserSession(service).post('/account/sign-in/continue', response)).status).toBe(401)
    })

    test('with another origin, key or challenge, or without user verification, is rejected', async () => {
      const person = await member(service, service.organizationId, 'manager')
      const key = securityKey()
      const touchOnly = securityKey({ verifies: false })
      await withPasskey(person, key)
      await withPasskey(person, touchOnly)
      const stranger = securityKey()
      const ask = async () =>
        (await browserSession(service).post('/account/sign-in', { with_passkey: true })).body.data.passkey
      const other = await ask()
      const statusOf = async (make: (options: { challenge: string }) => object) => {
        const { token, options } = await ask()
        return (await browserSession(service).post('/account/sign-in/continue', { token, passkey: make(options) }))
          .status
      }
      expect(await statusOf((options) => key.authenticate(options, 'https://evil.example'))).toBe(401)
      expect(await statusOf(() => key.authenticate(other.options))).toBe(401)
      expect(await statusOf((options) => stranger.authenticate(options))).toBe(401)
      expect(await statusOf((options) => ({ ...stranger.authenticate(options), id: key.id, rawId: key.id }))).toBe(401)
      expect(await statusOf((options) => touchOnly.authenticate(options))).toBe(401)
      expect(await statusOf(() => ({ id: key.id, nonsense: true }))).toBe(401)
      // As a second factor after the password, a touch is enough.
      const { visitor, challenge } = await signIn(person.email)
      const response = { token: challenge.token, passkey: touchOnly.authenticate(challenge.passkey) }
      expect((await visitor.post('/account/sign-in/continue', response)).status).toBe(200)
    })

    test('is added with the password, belongs to one person and can be removed', async () => {
      const person = await member(service, service.organizationId, 'manager')
      const key = securityKey()
      expect((await person.post('/account/second-factor', { kind: 'passkey', password: 'wrong' })).status).toBe(403)
      await withPasskey(person, key)
      const other = await member(service, service.organizationId, 'manager')
      const { token, options } = (await other.post('/account/second-factor', { kind: 'passkey', password: PASSWORD }))
        .body.data.passkey
      const stolen = { token, name: 'Mine now', passkey: key.register(options) }
      // Another person's challenge is rejected, and a passkey has one owner.
      expect((await person.post('/account/second-factor/confirm', stolen)).status).toBe(400)
      expect((await other.post('/account/second-factor/confirm', stolen)).status).toBe(400)
      const { passkeys } = (await person.get('/account/second-factor')).body.data
      expect(passkeys).toMatchObject([{ id: key.id, name: 'Phone' }])
      expect((await other.send('DELETE', `/account/second-factor/${key.id}`, { password: PASSWORD })).status).toBe(404)
      expect((await person.send('DELETE', `/account/second-factor/${key.id}`, { password: PASSWORD })).status).toBe(200)
      expect((await signIn(person.email)).visitor.cookie()).not.toBe('')
    })
  })

  test('an organization that requires a second factor shows no data to people without one', async () => {
    const { organizationId } = await service.newOrganization('Careful')
    const owner = await member(service, organizationId, 'owner')
    const someone = await member(service, organizationId, 'manager')
    expect((await someone.send('PATCH', '/api/manage/settings', { second_factor_required: true })).status).toBe(403)
    await withApp(owner)
    expect((await owner.send('PATCH', '/api/manage/settings', { second_factor_required: true })).status).toBe(200)
    expect((await owner.get('/api/manage/keys')).status).toBe(200)
    for (const path of ['/api/manage/keys', '/api/usage', '/api/devices']) {
      const { status, body } = await someone.get(path)
      expect([status, body.error.message]).toEqual([
        403,
        'Your organization requires a second factor. Add one to your account first.',
      ])
    }
    expect((await someone.get('/account/session')).body.data.second_factor).toEqual({ has: false, required: true })
    await withApp(someone)
    expect((await someone.get('/api/manage/keys')).status).toBe(200)
    expect(await actions(organizationId)).toContain('organization.second_factor_changed')
  })

  test('a person changes the name; without mail a new address is left to another owner or the operator', async () => {
    const person = await member(service, service.organizationId, 'manager')
    expect((await person.send('PATCH', '/account/profile', { name: 'Ada' })).status).toBe(200)
    expect((await person.get('/account/session')).body.data.person).toMatchObject({ name: 'Ada', email: person.email })
    const email = `moved-${person.email}`
    const wrong = await person.send('PATCH', '/account/profile', { email, password: 'not the password' })
    expect([wrong.status, wrong.body.error.message]).toEqual([403, 'The current password is wrong.'])
    const refused = await person.send('PATCH', '/account/profile', { email, password: PASSWORD })
    expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('Another owner')])
    expect((await signIn(email)).status).toBe(401)
  })
})
