import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest()

/** The subset of CBOR that a passkey needs: byte strings, texts and numbers below 2^16. */
const cbor = {
  head(kind: number, value: number): Buffer {
    if (value < 24) return Buffer.from([kind + value])
    return value < 256 ? Buffer.from([kind + 24, value]) : Buffer.from([kind + 25, value >> 8, value & 255])
  },
  number: (value: number) => (value < 0 ? cbor.head(0x20, -1 - value) : cbor.head(0, value)),
  bytes: (value: Uint8Array) => Buffer.concat([cbor.head(0x40, value.length), value]),
  text: (value: string) => Buffer.concat([cbor.head(0x60, value.length), Buffer.from(value)]),
  map: (...pairs: Buffer[]) => Buffer.concat([cbor.head(0xa0, pairs.length / 2), ...pairs]),
}

type PasskeyChallenge = { readonly challenge: string }

/** Flags of the authenticator data. */
const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** A software authenticator: creates one passkey and signs with it, in the format a browser sends. */
export function authenticator(hostName: string, origin: string, { verifies = true } = {}) {
  const id = randomBytes(32)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const userFlags = verifies ? USER_PRESENT | USER_VERIFIED : USER_PRESENT
  let counter = 0

  function authenticatorData(flags: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(++counter)
    return Buffer.concat([sha256(hostName), Buffer.from([flags]), count])
  }
  const clientData = (type: string, { challenge }: PasskeyChallenge, from = origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))

  return {
    id: base64url(id),
    register(options: PasskeyChallenge) {
      const length = Buffer.from([id.length >> 8, id.length & 255])
      const authData = Buffer.concat([
        authenticatorData(userFlags | HAS_CREDENTIAL),
        Buffer.alloc(16),
        length,
        id,
        coseKey(publicKey),
      ])
      const attestation = cbor.map(
        cbor.text('fmt'),
        cbor.text('none'),
        cbor.text('attStmt'),
        cbor.map(),
        cbor.text('authData'),
        cbor.bytes(authData),
      )
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options)),
          attestationObject: base64url(attestation),
          transports: ['internal'],
        },
      }
    },
    /** `from`: origin of the requesting page; a phishing page has another one. */
    authenticate(options: PasskeyChallenge, from = origin) {
      const data = clientData('webauthn.get', options, from)
      const authData = authenticatorData(userFlags)
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authData),
          signature: base64url(sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey)),
        },
      }
    },
  }
}

function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const coordinate = (text: string) => cbor.bytes(Buffer.from(text, 'base64url'))
  const number = cbor.number
  return cbor.map(
    number(1),
    number(2),
    number(3),
    number(-7),
    number(-1),
    number(1),
    number(-2),
    coordinate(x),
    number(-3),
    coordinate(y),
  )
}
