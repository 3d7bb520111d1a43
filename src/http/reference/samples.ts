import type { Json } from '../../contract/openapi.ts'

/** An example request, before it is written in any language. */
export type SampleRequest = {
  readonly operationId: string
  readonly method: string
  /** With its places still open: `/api/devices/{id}`. */
  readonly path: string
  readonly places: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | number>>
  readonly body: Json | undefined
}

/** The languages that requests are shown in, the first of them unless a reader chooses another. */
export const LANGUAGES = [
  { id: 'curl', name: 'curl', write: curl },
  { id: 'javascript', name: 'JavaScript', write: javascript },
  { id: 'python', name: 'Python', write: python },
] as const

function addressOf({ path, places, query }: SampleRequest, baseUrl: string): string {
  const filled = Object.entries(places).reduce((open, [name, value]) => open.replace(`{${name}}`, value), path)
  const sent = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return `${baseUrl}${filled}${sent.length > 0 ? `?${sent.join('&')}` : ''}`
}

function curl(request: SampleRequest, baseUrl: string): string {
  const method = request.method === 'GET' || request.body !== undefined ? '' : `-X ${request.method} `
  const lines = [`curl ${method}'${addressOf(request, baseUrl)}'`, `-H "Authorization: Bearer $API_KEY"`]
  if (request.body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(request.body)}'`)
  }
  return lines.join(' \\\n  ')
}

/** With the typed client: its methods have the names of the operations, and take places, query and body in this order. */
function javascript({ operationId, places, query, body }: SampleRequest, baseUrl: string): string {
  const given = [
    ...Object.values(places),
    ...(Object.keys(query).length > 0 ? [query] : []),
    ...(body === undefined ? [] : [body]),
  ].map((one) => written(one, JAVASCRIPT))
  return [
    "import { DeviceIntelligence } from '@device-intelligence/client'",
    '',
    'const service = new DeviceIntelligence({',
    `  url: '${baseUrl}',`,
    '  key: process.env.API_KEY,',
    '})',
    `const answer = await service.${operationId}(${given.join(', ')})`,
    'console.log(answer)',
  ].join('\n')
}

/** With nothing but the standard library. */
function python(request: SampleRequest, baseUrl: string): string {
  const { method, body } = request
  return [
    'import json, os, urllib.request',
    '',
    ...(body === undefined ? [] : [`body = ${written(body, PYTHON)}`]),
    'request = urllib.request.Request(',
    `    "${addressOf(request, baseUrl)}",`,
    ...(body === undefined ? [] : ['    data=json.dumps(body).encode(),']),
    ...(method === 'GET' || body !== undefined ? [] : [`    method="${method}",`]),
    '    headers={',
    '        "Authorization": "Bearer " + os.environ["API_KEY"],',
    ...(body === undefined ? [] : ['        "Content-Type": "application/json",']),
    '    },',
    ')',
    'with urllib.request.urlopen(request) as answer:',
    '    print(json.load(answer)["data"])',
  ].join('\n')
}

/** How a language writes what JSON can say. */
type Style = {
  readonly indent: string
  readonly text: (value: string) => string
  readonly name: (name: string) => string
  readonly word: (value: number | boolean | null) => string
}

const quoted = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const JAVASCRIPT: Style = {
  indent: '  ',
  text: quoted,
  name: (name) => (/^[a-z_]\w*$/i.test(name) ? name : quoted(name)),
  word: String,
}

const PYTHON_WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }
const PYTHON: Style = {
  indent: '    ',
  text: (value) => JSON.stringify(value),
  name: (name) => JSON.stringify(name),
  word: (value) => PYTHON_WORDS[String(value)] ?? String(value),
}

const LONGEST_LINE = 48

/** A value in one line, or where that would be long one part a line. */
function written(value: Json, style: Style, before = ''): string {
  if (typeof value === 'string') return style.text(value)
  if (typeof value !== 'object' || value === null) return style.word(value)
  const deeper = before + style.indent
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const parts = (inner: string) =>
    Array.isArray(value)
      ? value.map((item) => written(item, style, inner))
      : Object.entries(value).map(([name, field]) => `${style.name(name)}: ${written(field, style, inner)}`)
  const line = `${open} ${parts(before).join(', ')} ${close}`
  if (line.length <= LONGEST_LINE && !line.includes('\n'))
    return open === '[' ? line.replace(/^\[ | \]$/g, (edge) => edge.trim()) : line
  return `${open}\n${parts(deeper)
    .map((part) => `${deeper}${part},`)
    .join('\n')}\n${before}${close}`
}
