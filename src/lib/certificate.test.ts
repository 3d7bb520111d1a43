import { expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { createAuthority, issueCertificate } from './certificate.ts'

const NOW = Date.UTC(2026, 2, 2)
const authority = createAuthority('Corner shop network', NOW)
const issued = issueCertificate(authority, { addresses: ['192.168.1.20', '127.0.0.1'], hosts: ['shop.local'] }, NOW)

test('a certificate is signed by its authority and names the addresses of the machine', () => {
  const root = new X509Certificate(authority.cert)
  const server = new X509Certificate(issued.cert)
  expect(root.ca).toBe(true)
  expect(root.verify(root.publicKey)).toBe(true)
  expect(server.ca).toBe(false)
  expect(server.verify(root.publicKey)).toBe(true)
  expect(server.checkIssued(root)).toBe(true)
  expect(server.checkIP('192.168.1.20')).toBe('192.168.1.20')
  expect(server.checkHost('shop.local')).toBe('shop.local')
  expect(server.checkIP('192.168.1.21')).toBeUndefined()
  expect(Date.parse(server.validTo) - Date.parse(server.validFrom)).toBeLessThan(398 * 86_400_000)
})

test('another authority did not sign it', () => {
  const other = new X509Certificate(createAuthority('Other', NOW).cert)
  expect(new X509Certificate(issued.cert).verify(other.publicKey)).toBe(false)
})

test('TLS with the authority is trusted, and rejected without it', async () => {
  const now = Date.now()
  const current = createAuthority('Test network', now)
  const tls = issueCertificate(current, { addresses: ['127.0.0.1'], hosts: ['localhost'] }, now)
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', tls, fetch: () => new Response('private') })
  const ask = (options: object) => fetch(`https://127.0.0.1:${server.port}/`, { tls: options } as RequestInit)
  expect(await (await ask({ ca: current.cert })).text()).toBe('private')
  await expect(ask({})).rejects.toThrow()
  await server.stop(true)
})
