import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { readTrustedProxies } from './http/client-address.ts'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

type Setting<T> = {
  readonly fallback: string
  /** What it is for, as a person reads it in an error and in `config`. */
  readonly about: string
  readonly read: (text: string) => T
  readonly secret?: true
}

class Unfit extends Error {}

const text = (value: string) => value
const wholeNumber =
  (least: number, most: number) =>
  (value: string): number => {
    const number = Number(value)
    if (!/^\d{1,15}$/.test(value) || number < least || number > most) {
      throw new Unfit(`a whole number${most < Number.MAX_SAFE_INTEGER ? ` from ${least} to ${most}` : ''}`)
    }
    return number
  }
const oneOf =
  <T extends string>(words: readonly T[]) =>
  (value: string): T => {
    const word = words.find((known) => known === value)
    if (!word) throw new Unfit(`one of ${words.join(', ')}`)
    return word
  }
const onOrOff = (value: string): boolean =>
  oneOf(['on', 'off', 'true', 'false', '1', '0'])(value).match(/^(on|true|1)$/) !== null
const address = (schemes: readonly string[], example: string) => (value: string) => {
  if (value === '') return ''
  if (!URL.canParse(value) || !schemes.includes(new URL(value).protocol))
    throw new Unfit(`an address such as ${example}`)
  return value.replace(/\/+$/, '')
}
/** An amount as people write it, kept in cents. */
const dollars =
  (most: number) =>
  (value: string): number => {
    if (!/^\d{1,9}(\.\d{1,2})?$/.test(value) || Number(value) > most) {
      throw new Unfit(`an amount in US dollars from 0 to ${most}, such as 60 or 47.50`)
    }
    return Math.round(Number(value) * 100)
  }
const origins = (value: string): readonly string[] =>
  value
    .split(',')
    .map((origin) => origin.trim())
    .filter(Boolean)
    .map((origin) => {
      if (origin === '*') return origin
      if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
        throw new Unfit('origins such as https://shop.example, separated by commas, or *')
      }
      return origin
    })

/** Every setting there is. Environment beats `.env` beats the default; defaults start with no environment at all. */
const SETTINGS = {
  HOST: { fallback: '127.0.0.1', about: 'address to listen on', read: text },
  PORT: { fallback: '3000', about: 'port to listen on', read: wholeNumber(0, 65_535) },
  BASE_URL: {
    fallback: '',
    about: 'address callers reach the service at, for absolute links',
    read: address(['http:', 'https:'], 'https://devices.example'),
  },
  DATA_DIR: {
    fallback: './data-store',
    about: 'folder of the embedded store',
    read: (value: string) => resolve(value),
  },
  DATABASE_URL: {
    fallback: '',
    about: 'PostgreSQL to use instead of the embedded store',
    read: address(['postgres:', 'postgresql:'], 'postgres://user:password@host/database'),
    secret: true,
  },
  DATABASE_REPLICA_URL: {
    fallback: '',
    about: 'PostgreSQL replica that histories, exports and usage are read from',
    read: address(['postgres:', 'postgresql:'], 'postgres://user:password@host/database'),
    secret: true,
  },
  DATABASE_POOL: { fallback: '10', about: 'connections to PostgreSQL per process', read: wholeNumber(1, 1_000) },
  REDIS_URL: {
    fallback: '',
    about: 'Redis that shares rate limits between machines',
    read: address(['redis:', 'rediss:'], 'redis://host:6379'),
    secret: true,
  },
  WORKERS: { fallback: '1', about: 'serving processes', read: wholeNumber(1, 64) },
  RATE_LIMIT_PUBLIC: {
    fallback: '300',
    about: 'requests per minute of a public key',
    read: wholeNumber(1, 10_000_000),
  },
  RATE_LIMIT_PAID: { fallback: '1200', about: 'requests per minute of a paid key', read: wholeNumber(1, 10_000_000) },
  RATE_LIMIT_ENTERPRISE: {
    fallback: '6000',
    about: 'requests per minute of an enterprise key',
    read: wholeNumber(1, 10_000_000),
  },
  RATE_LIMIT_ADDRESS: {
    fallback: '300',
    about: 'requests per minute of one address without a valid key',
    read: wholeNumber(1, 10_000_000),
  },
  TRUST_PROXY: {
    fallback: 'off',
    about: 'proxies whose X-Forwarded-For is believed, as a number or as networks, counted from the right',
    read: (value: string) => {
      const trusted = readTrustedProxies(value)
      if (trusted === undefined) throw new Unfit('off, a number of proxies such as 1, or networks such as 10.0.0.0/8')
      return trusted
    },
  },
  TLS_CERT: { fallback: '', about: 'file with the certificate chain, to serve TLS without a proxy', read: text },
  TLS_KEY: { fallback: '', about: 'file with the private key of TLS_CERT', read: text },
  CORS_ORIGINS: { fallback: '', about: 'web origins that may call the API from a browser', read: origins },
  SAMPLE_DATA: { fallback: 'on', about: 'sample market and Demo organization at the first start', read: onOrOff },
  LABOUR_RATE: { fallback: '60', about: 'US dollars that an hour of repair work costs', read: dollars(1000) },
  LOG_LEVEL: { fallback: 'info', about: 'least severe line to print', read: oneOf(LOG_LEVELS) },
  LOOKUP_RETENTION_DAYS: {
    fallback: '0',
    about: 'days after which identifier lookups are deleted, 0 to keep them',
    read: wholeNumber(0, 36_500),
  },
  REVOCATION_GRACE_S: {
    fallback: '60',
    about: 'seconds for which reads with a key go on while the store that tells of revoked keys does not answer',
    read: wholeNumber(0, 86_400),
  },
  SECRET_KEY: {
    fallback: '',
    about: 'what the secrets of authenticator apps are kept with; the same on every machine',
    read: text,
    secret: true,
  },
  SOURCES_FILE: { fallback: '', about: 'JSON file that describes outside identifier sources', read: text },
  FEEDS_FILE: { fallback: '', about: 'JSON file that describes lists to fetch and import by themselves', read: text },
  UPLOAD_LIMIT_MB: {
    fallback: '256',
    about: 'megabytes of the largest list that can be uploaded in the dashboard, 0 to take none',
    read: wholeNumber(0, 16_384),
  },
  WEBHOOK_ALLOW_PRIVATE: {
    fallback: 'off',
    about: 'webhooks may call addresses of private networks and of this machine, and plain http',
    read: onOrOff,
  },
  METRICS_PORT: { fallback: '0', about: 'port of the Prometheus metrics, 0 for none', read: wholeNumber(0, 65_535) },
} as const satisfies Record<string, Setting<unknown>>

type Name = keyof typeof SETTINGS
type Value<N extends Name> = ReturnType<(typeof SETTINGS)[N]['read']>

export type Config = {
  readonly host: Value<'HOST'>
  readonly port: Value<'PORT'>
  /** Empty when not set: links then use the address the server listens on. */
  readonly baseUrl: Value<'BASE_URL'>
  readonly dataDir: Value<'DATA_DIR'>
  readonly databaseUrl: Value<'DATABASE_URL'>
  readonly databaseReplicaUrl: Value<'DATABASE_REPLICA_URL'>
  readonly databasePool: Value<'DATABASE_POOL'>
  readonly redisUrl: Value<'REDIS_URL'>
  readonly workers: Value<'WORKERS'>
  readonly limitsPerMinute: {
    readonly public: number
    readonly paid: number
    readonly enterprise: number
    readonly address: number
  }
  readonly trustProxy: Value<'TRUST_PROXY'>
  /** Both files, or neither: then plain HTTP is served. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  readonly corsOrigins: Value<'CORS_ORIGINS'>
  readonly sampleData: Value<'SAMPLE_DATA'>
  readonly labourCentsPerHour: Value<'LABOUR_RATE'>
  readonly logLevel: Value<'LOG_LEVEL'>
  readonly lookupRetentionDays: Value<'LOOKUP_RETENTION_DAYS'>
  readonly revocationGraceMs: number
  readonly secretKey: Value<'SECRET_KEY'>
  readonly sourcesFile: Value<'SOURCES_FILE'>
  readonly feedsFile: Value<'FEEDS_FILE'>
  readonly uploadLimitBytes: number
  readonly webhookAllowPrivate: Value<'WEBHOOK_ALLOW_PRIVATE'>
  readonly metricsPort: Value<'METRICS_PORT'>
}

export type Environment = Readonly<Record<string, string | undefined>>

/** All mistakes of the settings at once, each in a line of its own. */
export class ConfigError extends Error {
  constructor(readonly mistakes: readonly string[]) {
    super(`Cannot start:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

export function readConfig(environment: Environment): Config {
  const mistakes: string[] = []
  function value<N extends Name>(name: N): Value<N> {
    const setting: Setting<unknown> = SETTINGS[name]
    const given = environment[name]?.trim() || setting.fallback
    try {
      return setting.read(given) as Value<N>
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      const shown = setting.secret ? 'something else' : `"${given}"`
      mistakes.push(`${name} (${setting.about}): expected ${error.message}, got ${shown}`)
      return setting.read(setting.fallback) as Value<N>
    }
  }
  const config: Config = {
    host: value('HOST'),
    port: value('PORT'),
    baseUrl: value('BASE_URL'),
    dataDir: value('DATA_DIR'),
    databaseUrl: value('DATABASE_URL'),
    databaseReplicaUrl: value('DATABASE_REPLICA_URL'),
    databasePool: value('DATABASE_POOL'),
    redisUrl: value('REDIS_URL'),
    workers: value('WORKERS'),
    limitsPerMinute: {
      public: value('RATE_LIMIT_PUBLIC'),
      paid: value('RATE_LIMIT_PAID'),
      enterprise: value('RATE_LIMIT_ENTERPRISE'),
      address: value('RATE_LIMIT_ADDRESS'),
    },
    trustProxy: value('TRUST_PROXY'),
    tls: tlsOf(value('TLS_CERT'), value('TLS_KEY'), mistakes),
    corsOrigins: value('CORS_ORIGINS'),
    sampleData: value('SAMPLE_DATA'),
    labourCentsPerHour: value('LABOUR_RATE'),
    logLevel: value('LOG_LEVEL'),
    lookupRetentionDays: value('LOOKUP_RETENTION_DAYS'),
    revocationGraceMs: value('REVOCATION_GRACE_S') * 1000,
    secretKey: value('SECRET_KEY'),
    sourcesFile: value('SOURCES_FILE'),
    feedsFile: value('FEEDS_FILE'),
    uploadLimitBytes: value('UPLOAD_LIMIT_MB') * 1024 * 1024,
    webhookAllowPrivate: value('WEBHOOK_ALLOW_PRIVATE'),
    metricsPort: value('METRICS_PORT'),
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return config
}

function tlsOf(cert: string, key: string, mistakes: string[]): Config['tls'] {
  if (cert === '' && key === '') return undefined
  if (cert === '' || key === '')
    mistakes.push(`TLS_CERT and TLS_KEY belong together; ${cert ? 'TLS_KEY' : 'TLS_CERT'} is missing`)
  for (const [name, file] of [
    ['TLS_CERT', cert],
    ['TLS_KEY', key],
  ]) {
    if (file && !existsSync(file)) mistakes.push(`${name}: "${file}" cannot be read`)
  }
  return { cert, key }
}

export type ShownSetting = {
  readonly name: string
  readonly value: string
  readonly from: string
  readonly about: string
}

/** The settings in force as a person may see them: secrets masked. */
export function shownSettings(environment: Environment): ShownSetting[] {
  return Object.entries<Setting<unknown>>(SETTINGS).map(([name, setting]) => {
    const given = environment[name]?.trim()
    const value = given || setting.fallback
    return {
      name,
      value: setting.secret && value ? maskedAddress(value) : value,
      from: given ? 'environment' : 'default',
      about: setting.about,
    }
  })
}

function maskedAddress(value: string): string {
  if (!URL.canParse(value)) return '…'
  const { protocol, host, pathname } = new URL(value)
  return `${protocol}//…@${host}${pathname}`
}

/** The environment with what `.env` in the working folder adds to it. */
export function environmentWithFile(environment: Environment, file = '.env'): Environment {
  if (!existsSync(file)) return environment
  return { ...parseEnv(readFileSync(file, 'utf8')), ...environment }
}

/** The address in links: the one that was set, or the one the server listens on. */
export function baseUrlOf({ baseUrl, host, port, tls }: Config): string {
  if (baseUrl) return baseUrl
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `${tls ? 'https' : 'http'}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
