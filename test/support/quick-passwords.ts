/**
 * bunfig.toml loads this file before the tests: hashing a password takes 50 ms on purpose, and the tests of this process sign in
 * a thousand times. Verifying takes the cost from the hash. src/auth/sign-in/password-service.test.ts checks the real cost.
 */
const hash = Bun.password.hash

Bun.password.hash = (password) => hash(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })
