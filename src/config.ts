import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { parseRedisAddress } from './auth/rate-limit/redis-address.ts'
import { type OidcSettings, parseOidcRoles, parsePairs } from './auth/sso/oidc-mapping.ts'
import { ECB_RATES_URL } from './contract/currency.ts'
import type { StoredSettingName } from './contract/service-settings.ts'
import { STORAGE } from './contract/storage.ts'
import { parseTrustedProxies } from './http/client-address.ts'
import { editDistance } from './lib/edit-distance.ts'
import { describeHosts, splitHosts } from './lib/host-list.ts'
import { LOG_LEVELS } from './lib/log.ts'
import { DEFAULT_MARKET } from './pricing/country-market.ts'
import {
  address,
  databaseAddress,
  dollars,
  headers,
  InvalidSetting,
  market,
  oneOf,
  origins,
  pairs,
  parseOnOff,
  redisAddress,
  secret,
  text,
  wholeNumber,
} from './setting-parsers.ts'

type Setting<T> = {
  readonly defaultText: string
  /** Shown in errors and by `config`. */
  readonly description: string
  readonly parse: (text: string) => T
  readonly isSecret: boolean
}

const setting = <T>(
  defaultText: string,
  description: string,
  parse: Setting<T>['parse'],
  isSecret = false,
): Setting<T> => ({
  defaultText,
  description,
  parse,
  isSecret,
})
/** Masked in errors and by `config`. */
const secretSetting = <T>(defaultText: string, description: string, parse: Setting<T>['parse']) =>
  setting(defaultText, description, parse, true)

/** All settings. The environment overrides `.env`, which overrides the default; the defaults start without any. */
const SETTINGS = {
  HOST: setting('127.0.0.1', 'address to listen on', text),
  PORT: setting('3000', 'port to listen on', wholeNumber(0, 65_535)),
  BASE_URL: setting(
    '',
    'public URL of the service, used in links; set it behind a proxy',
    address(['http:', 'https:'], 'https://devices.example'),
  ),
  DATA_DIR: setting('./data-store', 'data folder with the embedded database', (value) => resolve(value)),
  DATABASE_URL: secretSetting(
    '',
    'PostgreSQL to use instead of the embedded database; several hosts are separated by commas',
    databaseAddress,
  ),
  REDIS_URL: secretSetting('', 'Redis that shares rate limits between machines', redisAddress),
  WORKERS: setting('1', 'serving processes', wholeNumber(1, 64)),
  RATE_LIMIT_PUBLIC: setting('300', 'requests per minute of a public key', wholeNumber(1, 10_000_000)),
  RATE_LIMIT_PAID: setting('1200', 'requests per minute of a paid key', wholeNumber(1, 10_000_000)),
  RATE_LIMIT_ENTERPRISE: setting('6000', 'requests per minute of an enterprise key', wholeNumber(1, 10_000_000)),
  RATE_LIMIT_ADDRESS: setting(
    '300',
    'requests per minute of one address without a valid key',
    wholeNumber(1, 10_000_000),
  ),
  TRUST_PROXY: setting(
    'off',
    'trusted proxies for X-Forwarded-For: a number or networks, counted from the right',
    (value: string) => {
      const trusted = parseTrustedProxies(value)
      if (trusted === undefined)
        throw new InvalidSetting('off, a number of proxies such as 1, or networks such as 10.0.0.0/8')
      return trusted
    },
  ),
  TLS_CERT: setting('', 'file with the certificate chain, to serve TLS without a proxy', text),
  TLS_KEY: setting('', 'file with the private key of TLS_CERT', text),
  CORS_ORIGINS: setting('', 'web origins that may call the API from a browser', origins),
  SAMPLE_DATA: setting('on', 'sample market, and an organization with one key per tier at the first start', parseOnOff),
  MARKET: setting(DEFAULT_MARKET, 'country whose prices are served to organizations that set none', market),
  LABOUR_RATE: setting('', 'US dollars per hour of repair work; by MARKET unless set, 60 in the US', (value: string) =>
    value === '' ? null : dollars(1000)(value),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    '',
    'URL of an OpenTelemetry collector (OTLP over HTTP) that gets traces; none if empty',
    address(['http:', 'https:'], 'http://collector:4318'),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: secretSetting(
    '',
    'headers for the collector, such as Authorization=Bearer%20TOKEN, separated by commas',
    headers,
  ),
  LOG_LEVEL: setting('info', 'minimum log level', oneOf(LOG_LEVELS)),
  LOOKUP_RETENTION_DAYS: setting(
    '0',
    'days after which IMEI checks are deleted, 0 to keep them',
    wholeNumber(0, 36_500),
  ),
  DRAIN_S: setting(
    '2',
    'seconds to keep serving after SIGTERM while /readyz is 503, so that load balancers move on',
    wholeNumber(0, 300),
  ),
  SECRET_KEY: secretSetting('', 'key that encrypts stored secrets; the same on every machine', secret(16)),
  BACKUP_PASSPHRASE: secretSetting(
    '',
    'passphrase that seals the key in backups, and opens it in a restore',
    secret(12),
  ),
  WEBHOOK_ALLOW_PRIVATE: setting(
    'off',
    'webhooks, and feeds by a public name, may call private networks and this machine; webhooks also plain http',
    parseOnOff,
  ),
  OIDC_ISSUER: setting(
    '',
    'OpenID Connect issuer that people can sign in with',
    address(['https:', 'http:'], 'https://login.example'),
  ),
  OIDC_CLIENT_ID: setting('', 'client id at the issuer', text),
  OIDC_CLIENT_SECRET: secretSetting('', 'client secret at the issuer', text),
  OIDC_DOMAINS: setting(
    '',
    'e-mail domains that may sign in with the issuer and the organization of each',
    pairs('domain=ORG_ID pairs such as shop.example=org_01abc', parsePairs),
  ),
  OIDC_ROLES: setting(
    '',
    'claim of the issuer and the role for each of its values; clerk without one',
    pairs('a claim with value=role pairs such as groups:admins=owner,staff=clerk', parseOidcRoles),
  ),
  SMTP_URL: secretSetting(
    '',
    'mail server for invitations, password resets and alerts; links are only shown if it is empty',
    address(['smtp:', 'smtps:'], 'smtps://user:password@mail.example:465?from=noreply@shop.example'),
  ),
  METRICS_PORT: setting('0', 'port of the Prometheus metrics, 0 for none', wholeNumber(0, 65_535)),
}

/** The same for every service: not settings. Tests start a service with others. */
const FIXED_LIMITS = {
  maxWatchesPerOrganization: STORAGE.watches.limit as number,
  /** Share codes of appraisals in use at once. */
  maxSharesPerOrganization: STORAGE.share_codes.limit as number,
  /** Largest list that can be uploaded. */
  uploadLimitBytes: 256 * 1024 * 1024,
  /** Records of imports are deleted after this time, unless their prices can still be removed. */
  importRetentionDays: 400,
  /** How long reads continue while the database is unavailable and revoked keys are not known: longer than a restart of it. */
  revocationGraceMs: 90_000,
  /** A form of the trade-in page that is sent sooner was filled in by a program. */
  quoteMinFillMs: 2_000,
  ecbRatesUrl: ECB_RATES_URL,
}

export type FixedLimits = typeof FIXED_LIMITS

type SettingName = keyof typeof SETTINGS
type SettingValue<N extends SettingName> = ReturnType<(typeof SETTINGS)[N]['parse']>

export type Environment = Readonly<Record<string, string | undefined>>

/** All invalid settings at once, one per line. */
export class ConfigError extends Error {
  constructor(readonly mistakes: readonly string[]) {
    super(`Cannot start:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

/** Shorter names of other programs resemble ours: HOME is no mistyped HOST. */
const MIN_LETTERS_OF_MISTAKE = 7
const MAX_TYPING_ERRORS = 2

/** A name that differs from one of ours by a typing error would be ignored silently. */
function misspeltNames(environment: Environment): string[] {
  const names = Object.keys(SETTINGS)
  return Object.keys(environment).flatMap((name) => {
    if (name in SETTINGS || name.length < MIN_LETTERS_OF_MISTAKE || !name.includes('_')) return []
    const nearest = names.find(
      (each) => each.includes('_') && editDistance(name, each, MAX_TYPING_ERRORS) <= MAX_TYPING_ERRORS,
    )
    return nearest ? [`${name} is no setting; did you mean ${nearest}? Rename or remove it`] : []
  })
}

export function readConfig(environment: Environment): Config {
  const problems = misspeltNames(environment)
  function value<N extends SettingName>(name: N): SettingValue<N> {
    const setting: Setting<unknown> = SETTINGS[name]
    const text = environment[name]?.trim() || setting.defaultText
    try {
      return setting.parse(text) as SettingValue<N>
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error
      const received = setting.isSecret ? 'something else' : `"${text}"`
      problems.push(`${name} (${setting.description}): expected ${error.message}, got ${received}`)
      return setting.parse(setting.defaultText) as SettingValue<N>
    }
  }
  const config = toConfig(value, problems)
  const { port, metricsPort, workers } = config
  if (metricsPort > 0 && port >= metricsPort && port < metricsPort + workers)
    problems.push(
      workers === 1
        ? `METRICS_PORT and PORT are both ${port}; choose another METRICS_PORT`
        : `PORT ${port} is one of the metrics ports ${metricsPort} to ${metricsPort + workers - 1} of ${workers} workers; choose another METRICS_PORT`,
    )
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

type ReadSetting = <N extends SettingName>(name: N) => SettingValue<N>

export type Config = Readonly<ReturnType<typeof toConfig>>

/** The settings by their names in code; problems that concern several settings are added to `problems`. */
function toConfig(value: ReadSetting, problems: string[]) {
  return {
    host: value('HOST'),
    port: value('PORT'),
    /** Empty if not set: links then use the address the server listens on. */
    baseUrl: value('BASE_URL'),
    dataDir: value('DATA_DIR'),
    databaseUrl: value('DATABASE_URL'),
    /** Null without Redis. */
    redis: parseRedisAddress(value('REDIS_URL')) ?? null,
    workers: value('WORKERS'),
    limitsPerMinute: {
      public: value('RATE_LIMIT_PUBLIC'),
      paid: value('RATE_LIMIT_PAID'),
      enterprise: value('RATE_LIMIT_ENTERPRISE'),
      address: value('RATE_LIMIT_ADDRESS'),
    },
    trustProxy: value('TRUST_PROXY'),
    /** Both files, or neither: then plain HTTP is served. */
    tls: parseTls(value('TLS_CERT'), value('TLS_KEY'), problems),
    corsOrigins: value('CORS_ORIGINS'),
    sampleData: value('SAMPLE_DATA'),
    market: value('MARKET'),
    /** US cents; null: by market. */
    labourRateCents: value('LABOUR_RATE'),
    logLevel: value('LOG_LEVEL'),
    otlpEndpoint: value('OTEL_EXPORTER_OTLP_ENDPOINT'),
    otlpHeaders: value('OTEL_EXPORTER_OTLP_HEADERS'),
    lookupRetentionDays: value('LOOKUP_RETENTION_DAYS'),
    drainMs: value('DRAIN_S') * 1000,
    secretKey: value('SECRET_KEY'),
    backupPassphrase: value('BACKUP_PASSPHRASE'),
    webhookAllowPrivate: value('WEBHOOK_ALLOW_PRIVATE'),
    ...parseMail(value('SMTP_URL'), value('BASE_URL'), problems),
    metricsPort: value('METRICS_PORT'),
    /** Undefined without an issuer. */
    oidc: parseOidc(value, problems),
    ...FIXED_LIMITS,
  }
}

/** The mail server and the sender, which is the parameter `from` of SMTP_URL. */
function parseMail(address: string, baseUrl: string, problems: string[]) {
  if (address === '') return { smtpUrl: '', smtpFrom: '' }
  const url = new URL(address)
  const from = url.searchParams.get('from') ?? (baseUrl && `noreply@${new URL(baseUrl).hostname}`)
  url.searchParams.delete('from')
  if (!/^[^\p{Cc}@]*[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(from))
    problems.push('SMTP_URL needs a sender: add ?from=noreply@shop.example (or ?from=Shop%20<noreply@shop.example>)')
  return { smtpUrl: url.href, smtpFrom: from }
}

function parseOidc(value: ReadSetting, problems: string[]): OidcSettings | undefined {
  const issuer = value('OIDC_ISSUER')
  const clientId = value('OIDC_CLIENT_ID')
  const domains = new Map([...value('OIDC_DOMAINS')].map(([domain, id]) => [domain.toLowerCase(), id]))
  const roles = value('OIDC_ROLES')
  if (issuer === '') return undefined
  if (isPlainHttpElsewhere(issuer)) {
    problems.push('OIDC_ISSUER must start with https://; http:// is accepted only for this machine (localhost)')
  }
  if (clientId === '') problems.push('OIDC_CLIENT_ID is missing; OIDC_ISSUER needs it')
  if (domains.size === 0) {
    problems.push('OIDC_DOMAINS is missing; without it nobody can sign in with the issuer (shop.example=ORG_ID)')
  }
  return {
    issuer,
    clientId,
    domains,
    roles,
    clientSecret: value('OIDC_CLIENT_SECRET'),
  }
}

/** Over plain http anybody on the way could sign in as anybody. */
function isPlainHttpElsewhere(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

function parseTls(cert: string, key: string, problems: string[]) {
  if (cert === '' && key === '') return undefined
  if (cert === '' || key === '')
    problems.push(`TLS_CERT and TLS_KEY belong together; ${cert ? 'TLS_KEY' : 'TLS_CERT'} is missing`)
  for (const [name, file] of [
    ['TLS_CERT', cert],
    ['TLS_KEY', key],
  ]) {
    if (file && !existsSync(file)) problems.push(`${name}: "${file}" cannot be read`)
  }
  return { cert, key }
}

/** Expected form of a stored setting if `text` does not have it; null if it is valid. */
export function findSettingError(name: StoredSettingName, text: string): string | null {
  try {
    SETTINGS[name].parse(text)
    return null
  } catch (error) {
    if (!(error instanceof InvalidSetting)) throw error
    return error.message
  }
}

/** The configuration with the settings that were changed in the dashboard; the environment overrides them. */
export function applyStoredSettings(
  config: Config,
  stored: ReadonlyMap<string, string>,
  environment: Environment,
): Config {
  function value<N extends StoredSettingName>(name: N, configured: SettingValue<N>): SettingValue<N> {
    const text = stored.get(name)
    if (text === undefined || environment[name]?.trim() || findSettingError(name, text) !== null) return configured
    return SETTINGS[name].parse(text) as SettingValue<N>
  }
  return {
    ...config,
    market: value('MARKET', config.market),
    sampleData: value('SAMPLE_DATA', config.sampleData),
    lookupRetentionDays: value('LOOKUP_RETENTION_DAYS', config.lookupRetentionDays),
  }
}

export type SettingInfo = {
  readonly name: string
  readonly value: string
  readonly source: string
  readonly description: string
}

/** The settings in effect with secrets masked. */
export function listSettings(environment: Environment): SettingInfo[] {
  return Object.entries<Setting<unknown>>(SETTINGS).map(([name, setting]) => {
    const configured = environment[name]?.trim()
    const value = configured || setting.defaultText
    return {
      name,
      value: setting.isSecret && value ? maskUrlPassword(value) : value,
      source: configured ? 'environment' : 'default',
      description: setting.description,
    }
  })
}

function maskUrlPassword(value: string): string {
  const [first] = splitHosts(value) ?? []
  if (first === undefined) return '…'
  const { protocol, pathname } = new URL(first)
  return `${protocol}//…@${describeHosts(value)}${pathname}`
}

/** The environment plus the variables of `.env` in the working folder. */
export function loadEnvironment(environment: Environment, file = '.env'): Environment {
  if (!existsSync(file)) return environment
  return { ...parseEnv(readFileSync(file, 'utf8')), ...environment }
}

/** The URL in links: BASE_URL, or the address the server listens on. */
export function baseUrlOf({ baseUrl, host, port, tls }: Pick<Config, 'baseUrl' | 'host' | 'port' | 'tls'>): string {
  if (baseUrl) return baseUrl
  const linkHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `${tls ? 'https' : 'http'}://${linkHost.includes(':') ? `[${linkHost}]` : linkHost}:${port}`
}
