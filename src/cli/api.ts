import { readFileSync } from 'node:fs'
import { openApp } from '../app.ts'
import { authStore } from '../auth/auth-store.ts'
import { commandPrincipal } from '../auth/principals.ts'
import { baseUrlOf } from '../config.ts'
import { type Endpoint, endpoints } from '../contract/endpoints.ts'
import { matchPath } from '../contract/path-template.ts'
import { unknownId } from '../lib/errors.ts'
import { openLog } from '../lib/log.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { VERSION } from '../lib/version.ts'
import { type CommandContext, command, flag, optional, text } from './command.ts'
import { CommandError } from './command-error.ts'
import { findRemoteTarget, KEY_HELP, type RemoteTarget, URL_HELP } from './remote-target.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const MAX_SUGGESTIONS = 5

export const apiCommand = command({
  name: 'api',
  help: 'Call any operation of the API as the operator, on the database of this machine or on a running service.',
  usage: '[METHOD PATH [name=value …]] [--org ORG_ID] [--url URL --key KEY]',
  arguments: { method: optional(text('METHOD')), path: optional(text('PATH')) },
  rest: 'name=value',
  options: {
    org: optional(
      text('ORG_ID', 'organization to act for; default: the one that runs the service, or that of the key'),
    ),
    url: optional(text('URL', URL_HELP)),
    key: optional(text('KEY', KEY_HELP)),
    list: flag('list all operations, as without arguments'),
  },
  notes: [
    '',
    'Values are query parameters of GET and DELETE and fields of the JSON body of POST, PUT and PATCH:',
    '  name=value    text',
    '  name:=JSON    number, true, false, null, list or object',
    '  name=@FILE    text of a file (- for stdin)',
    '  @FILE         the whole body: JSON of a file (- for stdin)',
    'Prints the data of the response as JSON, or the file if the response is one.',
    '',
    'Examples:',
    '  api GET /api/manage/webhooks --org ORG_ID',
    '  api PATCH /api/manage/organizations/ORG_ID tier=paid limit_per_minute:=6000',
    '  api GET /api/pricing variant_id=apple-iphone-13-128gb-midnight',
  ],
  async run({ method: givenMethod, path: givenPath, rest, org, url, key, list }, context) {
    if (list || givenMethod === undefined) return { text: operationTable(endpoints) }
    if (givenPath === undefined) throw new CommandError('PATH is missing.', 2)
    const method = givenMethod.toUpperCase()
    const [path = '', query = ''] = givenPath.split('?', 2)
    const endpoint = findOperation(method, path)
    const values = await parseValues(rest, endpoint)
    const parameters = new URLSearchParams(query)
    for (const [name, value] of Object.entries(values.query)) parameters.set(name, value)
    if (org !== undefined && endpoint.actsForOrganization) parameters.set('organization_id', org)
    const call: Call = {
      endpoint,
      target: `${path}${parameters.size > 0 ? `?${parameters}` : ''}`,
      body: values.body,
    }
    const target = findRemoteTarget({ url, key }, context.environment)
    if (target) await callService(target, org, call, context)
    else await callHere(org, call, context)
    return undefined
  },
})

type Call = { readonly endpoint: Endpoint; readonly target: string; readonly body: unknown }

function operationTable(operations: readonly Endpoint[]): string {
  return formatItemTable(operations, {
    METHOD: ({ method }) => method,
    PATH: ({ path }) => path,
    SUMMARY: ({ summary }) => summary,
  })
}

function findOperation(method: string, path: string): Endpoint {
  const atPath = endpoints.filter((endpoint) => matchPath(endpoint.path, path))
  const endpoint = atPath.find((candidate) => candidate.method === method)
  if (endpoint) return endpoint
  if (!METHODS.includes(method)) throw new CommandError(`METHOD takes ${METHODS.join(', ')}, not "${method}".`, 2)
  const nearest = atPath.length > 0 ? atPath : nearestOperations(path)
  const subject = atPath.length > 0 ? `${path} has no ${method}` : `There is no operation ${method} ${path}`
  const names = nearest.map(({ route }) => route).join(', ')
  throw new CommandError(`${subject}. Nearest: ${names}. "api --list" shows all operations.`, 2)
}

/** Those that begin with the same words. */
function nearestOperations(path: string): Endpoint[] {
  const words = path.split('/')
  const sharedWords = ({ path: other }: Endpoint) => {
    const otherWords = other.split('/')
    const at = words.findIndex((word, index) => word !== otherWords[index] && !otherWords[index]?.startsWith('{'))
    if (at < 0) return words.length
    // A word that begins alike counts in part, such as /api/manage/key for /api/manage/keys.
    const isAlike = (words[at] ?? '').slice(0, 3) === (otherWords[at] ?? '').slice(0, 3)
    return isAlike ? at + 0.5 : at
  }
  return [...endpoints].sort((a, b) => sharedWords(b) - sharedWords(a)).slice(0, MAX_SUGGESTIONS)
}

type Values = { readonly query: Readonly<Record<string, string>>; readonly body: unknown }

async function parseValues(words: readonly string[], { method, body }: Endpoint): Promise<Values> {
  const query: Record<string, string> = {}
  const fields: Record<string, unknown> = {}
  let whole: unknown
  for (const word of words) {
    if (word.startsWith('@')) {
      whole = parseJson(word, await readText(word.slice(1)))
      continue
    }
    const [, name, separator, value = ''] = /^([^=:]+)(:?=)(.*)$/s.exec(word) ?? []
    if (name === undefined) throw new CommandError(`"${word}" must be name=value, name:=JSON or @FILE.`, 2)
    const content = separator === '=' && value.startsWith('@') ? await readText(value.slice(1)) : value
    if (method === 'GET' || method === 'DELETE') query[name] = content
    else fields[name] = separator === ':=' ? parseJson(word, content) : content
  }
  const hasFields = Object.keys(fields).length > 0
  if (whole !== undefined && hasFields) throw new CommandError('Give @FILE or fields, not both.', 2)
  if (body === undefined && (whole !== undefined || hasFields)) {
    throw new CommandError('This operation takes no body; parameters are written in PATH after "?".', 2)
  }
  return { query, body: body === undefined ? undefined : (whole ?? fields) }
}

function parseJson(word: string, json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new CommandError(`"${word}" is not JSON: ${(error as Error).message}`, 2, error)
  }
}

async function readText(file: string): Promise<string> {
  if (file === '-') return Bun.stdin.text()
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CommandError(`Cannot read ${file} (${(error as NodeJS.ErrnoException).code}).`, 1, error)
  }
}

function toRequest(baseUrl: string, { endpoint, target, body }: Call, headers: Record<string, string>): Request {
  return new Request(`${baseUrl}${target}`, {
    method: endpoint.method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Opens the whole service without a port, so that the operation is validated, audited and answered as always. */
async function callHere(org: string | undefined, call: Call, context: CommandContext): Promise<void> {
  const organizationId = await organizationFor(org, call.endpoint, context)
  const app = await openApp(context.config, openLog('error'), context.environment)
  try {
    const principal = commandPrincipal(context.actor, organizationId)
    const request = toRequest(baseUrlOf(context.config), call, {})
    await printResponse(await app.router.fetch(request, { requestIP: () => null, principal }), context)
    await app.finishBackgroundWork(() => context.report('Waiting for the work that the request has started.'))
  } finally {
    await app.close()
  }
}

/** The named organization, the one that runs the service, or the only one. */
async function organizationFor(
  org: string | undefined,
  { tag, actsForOrganization }: Endpoint,
  context: CommandContext,
): Promise<string> {
  const store = authStore(await context.openExistingDatabase())
  if (org !== undefined) {
    if ((await store.organizationName(org)) === null) throw unknownId('organization', org)
    return org
  }
  const operator = await store.operatorOrganization()
  if (operator !== null) return operator
  const [only, ...others] = await store.organizations()
  if (only && others.length === 0) return only.id
  // What concerns the whole service needs no organization, such as creating the first one.
  if (tag === 'Management' && !actsForOrganization) return only?.id ?? ''
  throw only
    ? new CommandError('--org is needed: no organization runs the service.', 2)
    : new CommandError('There is no organization yet. Create one with: org create NAME')
}

async function callService(
  { url, key }: RemoteTarget,
  org: string | undefined,
  call: Call,
  context: CommandContext,
): Promise<void> {
  if (org !== undefined && !call.endpoint.actsForOrganization) {
    throw new CommandError(`${call.endpoint.route} acts for the organization of the key; omit --org.`, 2)
  }
  const headers = { Authorization: `Bearer ${key}`, 'User-Agent': `device-intelligence-cli/${VERSION}` }
  const response = await fetch(toRequest(url, call, headers)).catch((error) => {
    const cause = error instanceof Error ? error.message : String(error)
    throw new CommandError(`Cannot reach the service at ${url}: ${cause} Check --url.`, 1, error, 'unreachable')
  })
  await printResponse(response, context, response.status === 401 ? ` Check --key; the service is ${url}.` : '')
}

type Envelope = {
  readonly success?: boolean
  readonly data?: unknown
  readonly meta?: { readonly has_next?: boolean; readonly next_after?: string | null; readonly page?: number }
  readonly error?: { readonly code: string; readonly message: string }
}

async function printResponse(response: Response, context: CommandContext, hint = ''): Promise<void> {
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
  if (response.ok && !isJson) {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) await context.write(decoder.decode(chunk, { stream: true }))
    return
  }
  const envelope = isJson ? ((await response.json()) as Envelope) : {}
  if (envelope.error) {
    throw new CommandError(envelope.error.message + hint, 1, undefined, envelope.error.code.toLowerCase())
  }
  if (envelope.success !== true) {
    const message = `The address did not respond as the service does (status ${response.status}). Check --url and any proxy in between.`
    throw new CommandError(message, 1, undefined, 'unexpected_response')
  }
  context.print(JSON.stringify(envelope.data, null, 2))
  const { has_next: hasNext, next_after: after, page } = envelope.meta ?? {}
  if (!hasNext) return
  context.report(`There are more: repeat it with ${after ? `after=${after}` : `page=${(page ?? 1) + 1}`}.`)
}
