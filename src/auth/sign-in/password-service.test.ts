import { expect, spyOn, test } from 'bun:test'
import { hashPassword } from './password-service.ts'

test("passwords are hashed with OWASP's parameters for Argon2id: 19 MiB and two passes", async () => {
  const hash = spyOn(Bun.password, 'hash')
  try {
    await hashPassword('correct horse battery staple')
    expect(hash.mock.calls.map(([, parameters]) => parameters)).toEqual([
      { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 },
    ])
  } finally {
    hash.mockRestore()
  }
})
