import { X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { ReloadOnChange } from '../db/reload-on-change.ts'
import { readSetting, writeSetting } from '../db/setting-store.ts'
import type { RunningServer } from '../http/server.ts'
import { createAuthority, isLocalAddress, issueCertificate, type KeyedCertificate } from '../lib/certificate.ts'
import type { Encryption } from '../lib/encryption.ts'
import { conflict } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { reason } from '../lib/reasons.ts'
import { DAY_MS } from '../lib/time.ts'
import { isLoopback, lanAddresses } from './lan-addresses.ts'

/** Where devices of the network connect. */
export type NetworkEndpoint = {
  readonly host: string
  readonly port: number
  readonly tls: { cert: string; key: string }
}
type NetworkState = { readonly isOn: boolean; readonly port: number | null }

export type NetworkAccess = Awaited<ReturnType<typeof openNetworkAccess>>

const SETTING = 'network_access'
const ALL_ADDRESSES = '0.0.0.0'
/** Ports after that of the service that are tried. */
const MAX_PORTS = 20
const RENEW_BEFORE_MS = 30 * DAY_MS
/** Owner of the encrypted key. */
const AUTHORITY_KEY = 'network authority'

type NetworkOptions = {
  readonly db: Database
  readonly config: Pick<Config, 'dataDir' | 'port' | 'tls' | 'baseUrl'>
  readonly reloadOnChange: ReloadOnChange
  readonly encryption: Pick<Encryption, 'encrypt' | 'decrypt'>
  readonly log: Log
  readonly now: () => number
}

/**
 * Serves devices of the local network over TLS beside the usual port, with a certificate of an authority that belongs to
 * this service. Off until an owner of the operator turns it on; `TLS_CERT` and `BASE_URL` replace it.
 */
export async function openNetworkAccess({ db, config, reloadOnChange, encryption, log, now }: NetworkOptions) {
  const folder = join(config.dataDir, 'network')
  const path = (name: string) => join(folder, name)
  const fixedBy = [
    config.tls ? 'TLS_CERT' : null,
    config.baseUrl && !isLoopback(new URL(config.baseUrl).hostname) ? 'BASE_URL' : null,
  ].filter((name) => name !== null)
  let state: NetworkState = { isOn: false, port: null }
  let listenOn: ((endpoint: NetworkEndpoint) => RunningServer) | undefined
  let listening: RunningServer | undefined

  const read = async (): Promise<NetworkState> =>
    JSON.parse((await readSetting(db.query, SETTING)) ?? '{"isOn":false,"port":null}')
  const write = (next: NetworkState) =>
    db.transaction(async (tx) => {
      await writeSetting(tx, SETTING, JSON.stringify(next))
      await db.announceChange(tx, 'settings')
    })

  /** Opens or closes the port, in the process that listens. */
  async function apply(): Promise<void> {
    state = await read()
    if (!listenOn) return
    const shouldListen = state.isOn && fixedBy.length === 0
    if (!shouldListen && listening) {
      const closing = listening
      listening = undefined
      await closing.stop()
      log.info('network access is off')
    }
    if (!shouldListen || listening) return
    listening = openPort(listenOn, prepareCertificate())
    const port = Number(new URL(listening.url).port)
    log.info('network access is on', { port })
    if (port !== state.port) {
      state = { isOn: true, port }
      await write(state)
    }
  }

  function openPort(listen: NonNullable<typeof listenOn>, tls: { cert: string; key: string }): RunningServer {
    const first = state.port ?? config.port + 1
    for (let port = first; ; port++) {
      try {
        return listen({ host: ALL_ADDRESSES, port, tls })
      } catch (error) {
        if (port >= first + MAX_PORTS) throw error
      }
    }
  }

  /** Files of a certificate for the current addresses of this machine. */
  function prepareCertificate(): { cert: string; key: string } {
    const names = {
      addresses: [...lanAddresses().filter(isLocalAddress), '127.0.0.1'],
      hosts: ['localhost', `${hostname().split('.')[0]}.local`],
    }
    const files = { cert: path('server.pem'), key: path('server-key.pem') }
    const stored = readPair('server')
    const isValid =
      stored &&
      names.addresses.every((address) => new X509Certificate(stored.cert).checkIP(address)) &&
      isCurrent(stored.cert)
    if (!isValid) writePair('server', issueCertificate(authority(), names, now()))
    return files
  }

  const isCurrent = (cert: string) => Date.parse(new X509Certificate(cert).validTo) > now() + RENEW_BEFORE_MS

  function authority(): KeyedCertificate {
    const stored = readPair('authority')
    if (stored && isCurrent(stored.cert)) return { ...stored, key: encryption.decrypt(stored.key, AUTHORITY_KEY) }
    const created = createAuthority(`Device Intelligence ${hostname()}`, now())
    // Devices trust what this key signs: it is worth more than the files beside it.
    writePair('authority', { ...created, key: encryption.encrypt(created.key, AUTHORITY_KEY) })
    return created
  }
  function readPair(name: string): KeyedCertificate | undefined {
    try {
      return { cert: readFileSync(path(`${name}.pem`), 'utf8'), key: readFileSync(path(`${name}-key.pem`), 'utf8') }
    } catch {
      return undefined
    }
  }
  function writePair(name: string, { cert, key }: KeyedCertificate): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(path(`${name}-key.pem`), key, { mode: 0o600 })
    writeFileSync(path(`${name}.pem`), cert, { mode: 0o600 })
  }

  state = await read()
  const reloader = reloadOnChange(apply)
  return {
    fixedBy,
    state: () => state,
    /** Addresses of this machine in its networks while the access is on. */
    urls: () => (state.isOn && state.port ? lanAddresses().map((address) => `https://${address}:${state.port}`) : []),
    /** The certificate that devices have to trust; null before the first use. */
    authorityCertificate: () => readPair('authority')?.cert ?? null,

    async turn(isOn: boolean): Promise<void> {
      if (fixedBy.length > 0) {
        throw conflict(
          'network',
          `The environment decides how devices reach the service (${fixedBy.join(', ')}).`,
          reason('set_by_environment', { name: fixedBy.join(', ') }),
        )
      }
      await write({ isOn, port: state.port })
      await apply()
    },

    /** Opens the port if the access is on, and follows later changes. */
    async start(listen: (endpoint: NetworkEndpoint) => RunningServer): Promise<void> {
      listenOn = listen
      await apply().catch((error) => log.error('cannot open the port for network access', { cause: String(error) }))
    },

    async close(): Promise<void> {
      reloader.close()
      listenOn = undefined
      await listening?.stop()
    },
  }
}
