import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { version } from '../../package.json'
import { endWithFile } from '../support/children.ts'
import { freePort } from '../support/postgres.ts'
import { filledDataDir, type RunningProgram, runProgram, startProgram } from '../support/program.ts'
import { storeFeeds } from '../support/stored-entries.ts'
import { waitUntil } from '../support/wait.ts'

/** Checks the files of deploy/ as far as possible without a container engine, which is not available here. */
const root = join(import.meta.dir, '../..')
const deploy = (name: string) => join(root, 'deploy', name)
const read = (name: string) => readFileSync(deploy(name), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'di-deploy-'))
let program: RunningProgram
let metrics: string

beforeAll(async () => {
  const dataDir = filledDataDir('small')
  await storeFeeds({ url: '', dataDir }, [
    { name: 'rates', format: 'rates', url: 'http://127.0.0.1:1/x.csv', schedule: '0 0 1 1 *' },
  ])
  const port = await freePort()
  // Nothing listens there: the service logs it and counts alone.
  program = await startProgram({ DATA_DIR: dataDir, METRICS_PORT: String(port), REDIS_URL: 'redis://127.0.0.1:1' })
  metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
})
afterAll(async () => {
  if (program) await program.stop()
  rmSync(folder, { recursive: true, force: true })
})

type Rules = { groups: { rules: { alert: string; expr: string }[] }[] }
type Board = { panels: { title: string; targets: { expr: string }[] }[] }

/** The metrics in an expression: its words except functions, labels and durations. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replace(/\b(by|without)\s*\([^)]*\)/g, '')
    .replace(/\b(and|or|unless)\b/g, '')
  return [...bare.matchAll(/(?<![\w.$])[a-z_][a-z0-9_]*(?!\s*\(|\w)/g)].map(([name]) => name)
}

test('every metric in the alerts and the dashboard exists', () => {
  const kinds = new Map([...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', kind]) => [name, kind]))
  const isThere = (name: string) => {
    const [, base = ''] = /^(\w+)_(?:bucket|sum|count)$/.exec(name) ?? []
    return name === 'up' || kinds.has(name) || kinds.get(base) === 'histogram'
  }
  const rules = (Bun.YAML.parse(read('monitoring/alerts.yaml')) as Rules).groups.flatMap((group) => group.rules)
  const board = JSON.parse(read('monitoring/grafana-board.json')) as Board
  const expressions = [...rules, ...board.panels.flatMap((panel) => panel.targets)].map(({ expr }) => expr)
  expect(expressions.length).toBeGreaterThan(35)
  for (const expression of expressions) expect(metricsIn(expression).length).toBeGreaterThan(0)
  expect(expressions.flatMap(metricsIn).filter((name) => !isThere(name))).toEqual([])
})

test('every setting in deploy/ exists', async () => {
  const known = new Set((await runProgram(['config', '--json'])).stdout.match(/\b[A-Z][A-Z_]+\b/g))
  type Compose = { services: { service: { environment: Record<string, string> } } }
  const compose = Bun.YAML.parse(read('compose.yaml')) as Compose
  const [configMap] = Bun.YAML.parse(read('kubernetes/service.yaml')) as { data: Record<string, string> }[]
  const image = read('Dockerfile').match(/^ENV (.+)$/m)?.[1] ?? ''
  const unit = read('systemd/device-intelligence.service').match(/^Environment=(.+)$/gm) ?? []
  const named = [
    ...Object.keys(compose.services.service.environment),
    ...Object.keys(configMap?.data ?? {}),
    ...[image, ...unit].flatMap((line) => [...line.matchAll(/\b([A-Z_]+)=/g)].map(([, name = '']) => name)),
  ]
  expect(named.length).toBeGreaterThan(12)
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

test('containers run existing commands, as an unprivileged user, with minimal rights', async () => {
  const dockerfile = read('Dockerfile')
  expect(dockerfile).toMatch(/^USER nonroot$/m)
  expect(dockerfile).toContain('CMD ["device-intelligence", "status", "--ready"]')
  for (const [, script = ''] of dockerfile.matchAll(/npm run (\S+)/g))
    expect(Object.keys((await import('../../package.json')).scripts)).toContain(script)

  type Container = { image: string; args: string[]; securityContext: object }
  type Pods = { kind: string; spec: { template: { spec: { containers: Container[]; securityContext: object } } } }
  const documents = [Bun.YAML.parse(read('kubernetes/service.yaml'))]
  const pods = (documents.flat() as Pods[]).filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
  expect(pods.map(({ kind }) => kind)).toEqual(['Deployment'])
  for (const { spec } of pods) {
    expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true })
    for (const { image, args, securityContext } of spec.template.spec.containers) {
      expect(image).toBe(`device-intelligence:${version}`)
      expect((await runProgram([...args, '--help'])).code).toBe(0)
      expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true })
    }
  }
  const kinds = (documents.flat() as { kind: string }[]).map(({ kind }) => kind)
  expect(kinds).toContain('PodDisruptionBudget')
  type Scaler = { kind: string; spec: { minReplicas: number; scaleTargetRef: { kind: string; name: string } } }
  const scaler = (documents.flat() as Scaler[]).find(({ kind }) => kind === 'HorizontalPodAutoscaler')
  expect(scaler?.spec).toMatchObject({ minReplicas: 2, scaleTargetRef: { kind: 'Deployment' } })
})

describe('the Dockerfile', () => {
  const INSTRUCTIONS =
    /^(FROM|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|HEALTHCHECK|STOPSIGNAL|ENTRYPOINT|CMD|LABEL|ARG) /
  const EXECUTED = /^(?:(?:HEALTHCHECK .*)?CMD|ENTRYPOINT) (.+)$/
  const lines = read('Dockerfile')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))

  test('has known instructions only, and programs are started without a shell', () => {
    expect(lines.filter((line) => !INSTRUCTIONS.test(line))).toEqual([])
    const started = lines.flatMap((line) => EXECUTED.exec(line)?.[1] ?? [])
    expect(started.length).toBe(3)
    for (const command of started) expect(JSON.parse(command)).toEqual(expect.arrayContaining([expect.any(String)]))
  })

  test('builds on images with a version, and copies what exists, from stages that exist', () => {
    const stages: string[] = []
    const wrong: string[] = []
    for (const line of lines) {
      const [, image = '', stage] = /^FROM (\S+)(?: AS (\S+))?$/.exec(line) ?? []
      if (image && !/:(?!latest$)[\w.-]+$/.test(image)) wrong.push(line)
      if (stage) stages.push(stage)
      if (!line.startsWith('COPY ')) continue
      const words = line.split(' ').slice(1)
      const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length)
      const sources = words.filter((word) => !word.startsWith('--')).slice(0, -1)
      const isThere = from ? stages.includes(from) : sources.every((source) => existsSync(join(root, source)))
      if (sources.length === 0 || !isThere) wrong.push(line)
    }
    expect(wrong).toEqual([])
    expect(lines.findLast((line) => line.startsWith('USER '))).not.toMatch(/ (root|0)\b/)
  })
})

test('several processes share one SECRET_KEY, and a restart of PostgreSQL is short for PgBouncer', () => {
  type Compose = { services: { service: { environment: Record<string, string> } } }
  const { environment } = (Bun.YAML.parse(read('compose.yaml')) as Compose).services.service
  expect(environment.SECRET_KEY).toStartWith('${SECRET_KEY:?')
  type Manifest = { kind: string }
  const manifests = Bun.YAML.parse(read('kubernetes/service.yaml')) as Manifest[]
  const byKind = (kind: string) => manifests.find((manifest) => manifest.kind === kind)
  expect(JSON.stringify(byKind('Deployment'))).toContain('{"name":"device-intelligence","key":"SECRET_KEY"}')
  expect(read('pgbouncer/pgbouncer.ini')).toMatch(/^server_login_retry = 1$/m)
})

test('the container\'s health check is the exit code of "status --ready"', async () => {
  const behind = { ...program.environment, BASE_URL: 'https://devices.example' }
  expect(await runProgram(['status', '--ready'], behind)).toEqual({ code: 0, stdout: '', stderr: '' })
  const nobody = await runProgram(['status', '--ready'], { PORT: String(await freePort()) })
  expect(nobody).toEqual({ code: 1, stdout: '', stderr: '' })
})

function tool(name: string): string | undefined {
  const found = Bun.which(name) ?? undefined
  if (!found && process.env.CI === 'true')
    throw new Error(`${name} is missing, and with CI=true nothing may be left out.`)
  if (!found) console.warn(`No ${name} here: what it checks is left out.`)
  return found
}

/** Starts a proxy with the sample configuration and expects the service behind it. */
async function expectServiceBehind(command: string[], url: string): Promise<void> {
  const proxy = endWithFile(Bun.spawn(command, { stdout: 'ignore', stderr: 'ignore', env: { HOME: folder } }))
  try {
    const options = { tls: { rejectUnauthorized: false }, headers: { Host: 'devices.example' } }
    const status = async (path: string) => (await fetch(`${url}${path}`, options).catch(() => undefined))?.status
    await waitUntil(async () => (await status('/healthz')) === 200, { describe: `the service behind ${command[0]}` })
    expect(await status('/api/devices')).toBe(401)
  } finally {
    proxy.kill('SIGTERM')
    await proxy.exited
  }
}

const nginx = Bun.which('/usr/sbin/nginx') ?? tool('nginx')
if (nginx) {
  test('nginx serves the sample configuration', async () => {
    const [port, plainPort] = [await freePort(), await freePort()]
    const certificate = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem'), '-days', '1']
    const subject = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=devices.example']
    expect((await runProgram(['req', '-x509', ...subject, ...certificate], {}, ['openssl'])).code).toBe(0)
    const sample = read('proxy/nginx.conf')
      .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('127.0.0.1:3000', new URL(program.url).host)
      .replace(/\S+fullchain\.pem/, join(folder, 'cert.pem'))
      .replace(/\S+privkey\.pem/, join(folder, 'key.pem'))
    writeFileSync(join(folder, 'sample.conf'), sample)
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const file = join(folder, 'nginx.conf')
    const http = `http { access_log off; ${paths.join(' ')} include ${folder}/sample.conf; }`
    writeFileSync(file, `daemon off; pid ${folder}/pid; events { worker_connections 64; } ${http}`)
    await expectServiceBehind([nginx, '-c', file, '-p', folder, '-e', '/dev/null'], `https://127.0.0.1:${port}`)
  })
}

const caddy = tool('caddy')
if (caddy) {
  test('Caddy serves the sample configuration', async () => {
    const file = join(folder, 'Caddyfile')
    writeFileSync(file, read('proxy/Caddyfile'))
    const validated = await runProgram(['validate', '--adapter', 'caddyfile', '--config', file], { HOME: folder }, [
      caddy,
    ])
    expect({ code: validated.code, stderr: validated.code ? validated.stderr : '' }).toEqual({ code: 0, stderr: '' })
    // Without certificates and without the admin port.
    const port = await freePort()
    const sample = read('proxy/Caddyfile')
      .replace('devices.example {', `http://devices.example:${port} {`)
      .replace('127.0.0.1:3000', new URL(program.url).host)
    writeFileSync(file, `{\n\tadmin off\n}\n${sample}`)
    await expectServiceBehind([caddy, 'run', '--adapter', 'caddyfile', '--config', file], `http://127.0.0.1:${port}`)
  })
}

const systemd = tool('systemd-analyze')
if (systemd) {
  test('systemd accepts the units and rates them as hardened', async () => {
    // Checked with an existing program in place of the installed one.
    for (const name of readdirSync(deploy('systemd')))
      writeFileSync(
        join(folder, name),
        read(`systemd/${name}`).replaceAll('/usr/local/bin/device-intelligence', '/bin/true'),
      )
    const units = [
      'device-intelligence.service',
      'device-intelligence-backup.service',
      'device-intelligence-backup.timer',
    ]
    const files = units.map((name) => join(folder, name))
    expect(await runProgram(['verify', '--man=no', ...files], {}, [systemd])).toMatchObject({ code: 0, stderr: '' })
    // Exposure from 0 (hardened) to 100; a service without any hardening has 96.
    for (const file of files.slice(0, 2)) {
      const looked = await runProgram(['security', '--offline=true', '--threshold=25', file], {}, [systemd])
      expect(looked).toMatchObject({ code: 0 })
    }
  })
}

const promtool = tool('promtool')
if (promtool) {
  test('Prometheus accepts the alert rules and the settings', async () => {
    const rules = await runProgram(['check', 'rules', deploy('monitoring/alerts.yaml')], {}, [promtool])
    expect(rules).toMatchObject({ code: 0 })
    const settings = await runProgram(['check', 'config', deploy('monitoring/prometheus.yaml')], {}, [promtool])
    expect(settings).toMatchObject({ code: 0 })
  })
}
