import { describe, expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError, listSettings, loadEnvironment, readConfig } from './config.ts'
import { labourRate } from './repairs/repair-market.ts'

describe('settings', () => {
  test('have defaults: the program starts without any environment', () => {
    const config = readConfig({})
    expect(config).toMatchObject({ host: '127.0.0.1', port: 3000, workers: 1, sampleData: true, databaseUrl: '' })
    expect(config.limitsPerMinute).toEqual({ public: 300, paid: 1200, enterprise: 6000, address: 300 })
  })

  test('report all errors together, with the expected and the actual value', () => {
    const wrong = { PORT: 'abc', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://me:secret@host/db' }
    expect(() => readConfig(wrong)).toThrow(ConfigError)
    try {
      readConfig(wrong)
    } catch (error) {
      expect((error as Error).message).toBe(
        [
          'Cannot start:',
          '  PORT (port to listen on): expected a whole number from 0 to 65535, got "abc"',
          '  DATABASE_URL (PostgreSQL to use instead of the embedded database; several hosts are separated by commas): expected an address such as postgres://user:password@host/database, or postgres://user:password@host1,host2/database for a primary and its standbys, got something else',
          '  LOG_LEVEL (minimum log level): expected one of debug, info, warn, error, silent, got "loud"',
        ].join('\n'),
      )
    }
  })

  test('that contradict each other, are too short, malformed or misspelt are errors', () => {
    for (const [environment, message] of [
      [{ PORT: '9090', METRICS_PORT: '9090' }, 'METRICS_PORT and PORT are both 9090'],
      [{ PORT: '9091', METRICS_PORT: '9090', WORKERS: '2' }, 'metrics ports 9090 to 9091 of 2 workers'],
      [
        { SECRET_KEY: 'short' },
        'SECRET_KEY (key that encrypts stored secrets; the same on every machine): expected at least 16',
      ],
      [{ BACKUP_PASSPHRASE: 'short' }, 'expected at least 12 characters'],
      [{ OTEL_EXPORTER_OTLP_HEADERS: 'Bearer token' }, 'expected headers as name=value'],
      [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=%0d%0aHost:x' }, 'expected headers as name=value'],
      [{ DATABSE_URL: 'postgres://host/db' }, 'DATABSE_URL is no setting; did you mean DATABASE_URL?'],
    ] as const)
      expect(() => readConfig(environment)).toThrow(message)
    // Names of other programs, and of Bun's own.
    expect(() => readConfig({ HOME: '/', HOSTNAME: 'x', LOGNAME: 'y', PATH: '/', LC_ALL: 'C' })).not.toThrow()
    expect(readConfig({ OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20a=b, x-team=shop' }).otlpHeaders).toEqual({
      Authorization: 'Bearer a=b',
      'x-team': 'shop',
    })
    expect(() => readConfig({ PORT: '0', METRICS_PORT: '0' })).not.toThrow()
  })

  test('accept an amount in dollars and store cents', () => {
    const rate = (text: string) => labourRate(readConfig({ LABOUR_RATE: text }))
    expect(labourRate(readConfig({}))).toBe(6000)
    expect(labourRate(readConfig({ MARKET: 'de' }))).toBe(4000)
    expect(labourRate(readConfig({ MARKET: 'vn' }))).toBe(1000)
    expect(labourRate(readConfig({ MARKET: 'vn', LABOUR_RATE: '25' }))).toBe(2500)
    expect(labourRate(readConfig({}), 'in')).toBe(1000)
    expect([rate('47.5'), rate('47.55'), rate('0')]).toEqual([4750, 4755, 0])
    for (const wrong of ['-1', '1e3', '60 USD', '1.234', '1001']) expect(() => rate(wrong)).toThrow('LABOUR_RATE')
  })

  test('the sender of mail is in SMTP_URL, else noreply at the host of BASE_URL', () => {
    const server = 'smtps://user:password@mail.example:465'
    expect(readConfig({})).toMatchObject({ smtpUrl: '', smtpFrom: '' })
    expect(readConfig({ SMTP_URL: `${server}?from=Shop%20<noreply@shop.example>&pool=true` })).toMatchObject({
      smtpUrl: `${server}/?pool=true`,
      smtpFrom: 'Shop <noreply@shop.example>',
    })
    expect(readConfig({ SMTP_URL: server, BASE_URL: 'https://devices.example:8443' })).toMatchObject({
      smtpUrl: server,
      smtpFrom: 'noreply@devices.example',
    })
    for (const wrong of [
      server,
      `${server}?from=`,
      `${server}?from=nobody`,
      `${server}?from=a@b.example%0d%0aBcc:c@d.e`,
    ])
      expect(() => readConfig({ SMTP_URL: wrong })).toThrow('SMTP_URL needs a sender')
  })

  test('are shown without their secrets', () => {
    const shown = listSettings({ DATABASE_URL: 'postgres://me:hunter2@db.example/devices', PORT: '4000' })
    expect(shown.find(({ name }) => name === 'DATABASE_URL')?.value).toBe('postgres://…@db.example/devices')
    expect(shown.find(({ name }) => name === 'PORT')).toMatchObject({ value: '4000', source: 'environment' })
    expect(JSON.stringify(shown)).not.toContain('hunter2')
  })

  test('come from .env unless the environment sets them', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'di-env-')), '.env')
    writeFileSync(file, '# ours\nPORT=4001\nexport LOG_LEVEL="warn"\nHOST=0.0.0.0\n')
    const config = readConfig(loadEnvironment({ HOST: '127.0.0.2' }, file))
    expect(config).toMatchObject({ port: 4001, logLevel: 'warn', host: '127.0.0.2' })
  })

  test('in .env follow the usual syntax: comments, quotes, Windows line ends', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'di-env-')), '.env')
    writeFileSync(file, "PORT = 4002 # behind the proxy\r\nBASE_URL='https://devices.example'\r\nCORS_ORIGINS=\r\n")
    const config = readConfig(loadEnvironment({}, file))
    expect(config).toMatchObject({ port: 4002, baseUrl: 'https://devices.example', corsOrigins: [] })
  })
})
