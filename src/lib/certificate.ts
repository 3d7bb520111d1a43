/** Certificates for devices in the local network: an authority of this service, and server certificates that it signs. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'

/** A certificate and its private key in PEM. */
export type KeyedCertificate = { readonly cert: string; readonly key: string }

type Names = { readonly addresses: readonly string[]; readonly hosts: readonly string[] }
type Tbs = {
  readonly issuer: string
  readonly subject: string
  readonly publicKey: KeyObject
  readonly from: number
  readonly to: number
  readonly extensions: readonly Buffer[]
}

// DER: a tag, a length and the content.
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const octets = (content: Uint8Array) => der(0x04, content)
const TRUE = der(0x01, Buffer.from([0xff]))
/** 128 random bits, positive and without leading zeros. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return der(0x02, bytes)
}

function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const base128 = (value: number): number[] => {
    const digits = [value & 127]
    for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 127) | 128)
    return digits
  }
  return der(0x06, Buffer.from([40 * first + second, ...rest.flatMap(base128)]))
}

/** UTCTime until 2049. */
const time = (at: number) => der(0x17, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))
const name = (common: string) => sequence(der(0x31, sequence(objectId('2.5.4.3'), der(0x0c, Buffer.from(common)))))
const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'))

const extension = (id: string, content: Uint8Array, isCritical = false) =>
  sequence(objectId(id), ...(isCritical ? [TRUE] : []), octets(content))
const basicConstraints = (isAuthority: boolean) =>
  extension('2.5.29.19', sequence(...(isAuthority ? [TRUE] : [])), true)
/** Bits from the left; the first byte says how many are unused. */
const keyUsage = (unused: number, bits: number) => extension('2.5.29.15', der(0x03, Buffer.from([unused, bits])), true)
const ipBytes = (address: string) => Buffer.from(address.split('.').map(Number))

/** Address and mask of the networks that are not of the internet. */
const LOCAL_NETWORKS = [
  ['10.0.0.0', '255.0.0.0'],
  ['100.64.0.0', '255.192.0.0'],
  ['127.0.0.0', '255.0.0.0'],
  ['169.254.0.0', '255.255.0.0'],
  ['172.16.0.0', '255.240.0.0'],
  ['192.168.0.0', '255.255.0.0'],
] as const

/** Whether the authority may sign a certificate for an IPv4 address. */
export const isLocalAddress = (address: string): boolean =>
  LOCAL_NETWORKS.some(([network, mask]) => {
    const [bytes, base, bits] = [ipBytes(address), ipBytes(network), ipBytes(mask)]
    return bytes.every((byte, at) => (byte & (bits[at] ?? 0)) === base[at])
  })

/** The authority may only sign names and addresses of local networks, so that its key is worth little elsewhere. */
const nameConstraints = extension(
  '2.5.29.30',
  sequence(
    der(
      0xa0,
      ...['local', 'localhost'].map((host) => sequence(der(0x82, Buffer.from(host)))),
      ...LOCAL_NETWORKS.map(([network, mask]) => sequence(der(0x87, Buffer.concat([ipBytes(network), ipBytes(mask)])))),
    ),
  ),
  true,
)

function certificate({ issuer, subject, publicKey, from, to, extensions }: Tbs, signingKey: KeyObject): string {
  const tbs = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    serialNumber(),
    ECDSA_WITH_SHA256,
    name(issuer),
    sequence(time(from), time(to)),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', tbs, signingKey)
  const bytes = sequence(tbs, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature))
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const toPem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

const DAY_MS = 86_400_000
const AUTHORITY_DAYS = 730
/** Phones accept at most 398 days. */
const SERVER_DAYS = 390

/** A new authority for the local network, valid for two years. */
export function createAuthority(subject: string, now: number): KeyedCertificate {
  const { publicKey, privateKey } = newKeys()
  const extensions = [basicConstraints(true), keyUsage(1, 0b0000_0110), nameConstraints]
  const validity = { from: now - DAY_MS, to: now + AUTHORITY_DAYS * DAY_MS }
  return {
    cert: certificate({ issuer: subject, subject, publicKey, ...validity, extensions }, privateKey),
    key: toPem(privateKey),
  }
}

/** A server certificate with the authority appended, as TLS servers send it. */
export function issueCertificate(
  authority: KeyedCertificate,
  { addresses, hosts }: Names,
  now: number,
): KeyedCertificate {
  const { publicKey, privateKey } = newKeys()
  const issuer = new X509Certificate(authority.cert).subject.replace(/^CN=/, '')
  const alternatives = sequence(
    ...hosts.map((host) => der(0x82, Buffer.from(host))),
    ...addresses.map((address) => der(0x87, ipBytes(address))),
  )
  const extensions = [
    basicConstraints(false),
    keyUsage(7, 0b1000_0000),
    extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.17', alternatives),
  ]
  const validity = { from: now - DAY_MS, to: now + SERVER_DAYS * DAY_MS }
  const subject = addresses[0] ?? hosts[0] ?? issuer
  const cert = certificate(
    {
      issuer,
      subject,
      publicKey: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
      ...validity,
      extensions,
    },
    createPrivateKey(authority.key),
  )
  return { cert: cert + authority.cert, key: toPem(privateKey) }
}
