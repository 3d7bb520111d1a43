import { expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { createAuthority, isLocalAddress, issueCertificate } from './certificate.ts'

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

/** What a TLS client says that knows the authority. Bun's own does not know constraints on addresses, as browsers and Node do. */
async function connectWith(authorityPem: string, tls: { cert: string; key: string }): Promise<string> {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', tls, fetch: () => new Response('private') })
  const script = `require('node:https')
    .get({ host: '127.0.0.1', port: ${server.port}, ca: process.env.CA || undefined }, (r) => r.on('data', (d) => console.log(String(d))))
    .on('error', (e) => console.log(e.code))`
  const client = Bun.spawn(['node', '-e', script], { env: { ...process.env, CA: authorityPem }, stdout: 'pipe' })
  try {
    return (await new Response(client.stdout).text()).trim()
  } finally {
    await server.stop(true)
  }
}

test('TLS with the authority is trusted, and rejected without it', async () => {
  const now = Date.now()
  const current = createAuthority('Test network', now)
  const tls = issueCertificate(current, { addresses: ['127.0.0.1'], hosts: ['localhost'] }, now)
  expect(await connectWith(current.cert, tls)).toBe('private')
  expect(await connectWith('', tls)).toBe('SELF_SIGNED_CERT_IN_CHAIN')
})

test('the authority is valid for two years, and for addresses of local networks only', async () => {
  const root = new X509Certificate(authority.cert)
  expect(Date.parse(root.validTo) - Date.parse(root.validFrom)).toBeLessThan(732 * 86_400_000)
  for (const address of ['10.1.2.3', '172.31.0.1', '192.168.1.20', '127.0.0.1', '100.100.0.1'])
    expect([address, isLocalAddress(address)]).toEqual([address, true])
  for (const address of ['8.8.8.8', '172.32.0.1', '192.169.0.1'])
    expect([address, isLocalAddress(address)]).toEqual([address, false])
  const now = Date.now()
  const current = createAuthority('Test network', now)
  const outside = issueCertificate(current, { addresses: ['127.0.0.1', '8.8.8.8'], hosts: ['localhost'] }, now)
  expect(await connectWith(current.cert, outside)).not.toBe('private')
})
