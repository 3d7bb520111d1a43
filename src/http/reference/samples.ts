import type { Json } from '../../contract/openapi.ts'

/** An example request. */
export type SampleRequest = {
  readonly operationId: string
  readonly method: string
  /** Path template: `/api/devices/{id}`. */
  readonly path: string
  readonly pathParameters: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | number>>
  readonly body: Json | undefined
}

/** Languages of the code samples; the first is the default. */
export const LANGUAGES = [
  { id: 'curl', name: 'curl', write: curl },
  { id: 'javascript', name: 'JavaScript', write: javascript },
  { id: 'python', name: 'Python', write: python },
] as const

function requestUrl({ path, pathParameters, query }: SampleRequest, baseUrl: string): string {
  const filledPath = Object.entries(pathParameters).reduce(
    (template, [name, value]) => template.replace(`{${name}}`, value),
    path,
  )
  const queryPairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return `${baseUrl}${filledPath}${queryPairs.length > 0 ? `?${queryPairs.join('&')}` : ''}`
}

function curl(request: SampleRequest, baseUrl: string): string {
  // curl sends POST where there is a body, and GET otherwise.
  const isDefault = request.method === (request.body === undefined ? 'GET' : 'POST')
  const method = isDefault ? '' : `-X ${request.method} `
  const lines = [`curl ${method}'${requestUrl(request, baseUrl)}'`, `-H "Authorization: Bearer $API_KEY"`]
  if (request.body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(request.body)}'`)
  }
  return lines.join(' \\\n  ')
}

/** With the typed client: methods are named like the operations and take path parameters, query and body in this order. */
function javascript({ operationId, pathParameters, query, body }: SampleRequest, baseUrl: string): string {
  const callArguments = [
    ...Object.values(pathParameters),
    ...(Object.keys(query).length > 0 ? [query] : []),
    ...(body === undefined ? [] : [body]),
  ].map((argument) => formatLiteral(argument, JAVASCRIPT))
  return [
    "import { DeviceIntelligence } from '@device-intelligence/client'",
    '',
    'const service = new DeviceIntelligence({',
    `  url: '${baseUrl}',`,
    '  key: process.env.API_KEY,',
    '})',
    `const result = await service.${operationId}(${callArguments.join(', ')})`,
    'console.log(result)',
  ].join('\n')
}

/** With the standard library only. */
function python(request: SampleRequest, baseUrl: string): string {
  const { method, body } = request
  return [
    'import json, os, urllib.request',
    '',
    ...(body === undefined ? [] : [`body = ${formatLiteral(body, PYTHON)}`]),
    'request = urllib.request.Request(',
    `    "${requestUrl(request, baseUrl)}",`,
    ...(body === undefined ? [] : ['    data=json.dumps(body).encode(),']),
    // Python sends POST where there is a body.
    ...(method === (body === undefined ? 'GET' : 'POST') ? [] : [`    method="${method}",`]),
    '    headers={',
    '        "Authorization": "Bearer " + os.environ["API_KEY"],',
    ...(body === undefined ? [] : ['        "Content-Type": "application/json",']),
    '    },',
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(json.load(response)["data"])',
  ].join('\n')
}

/** How a language writes JSON values. */
type LiteralStyle = {
  readonly indent: string
  readonly string: (value: string) => string
  readonly key: (name: string) => string
  readonly keyword: (value: number | boolean | null) => string
}

const quote = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

const JAVASCRIPT: LiteralStyle = {
  indent: '  ',
  string: quote,
  key: (name) => (/^[a-z_]\w*$/i.test(name) ? name : quote(name)),
  keyword: String,
}

const PYTHON_WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }
const PYTHON: LiteralStyle = {
  indent: '    ',
  string: (value) => JSON.stringify(value),
  key: (name) => JSON.stringify(name),
  keyword: (value) => PYTHON_WORDS[String(value)] ?? String(value),
}

const MAX_LINE_LENGTH = 48

/** A value on one line, or on several if it is long. */
function formatLiteral(value: Json, style: LiteralStyle, indent = ''): string {
  if (typeof value === 'string') return style.string(value)
  if (typeof value !== 'object' || value === null) return style.keyword(value)
  const deeperIndent = indent + style.indent
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const formatItems = (inner: string) =>
    Array.isArray(value)
      ? value.map((item) => formatLiteral(item, style, inner))
      : Object.entries(value).map(([name, field]) => `${style.key(name)}: ${formatLiteral(field, style, inner)}`)
  const line = `${open} ${formatItems(indent).join(', ')} ${close}`
  if (line.length <= MAX_LINE_LENGTH && !line.includes('\n'))
    return open === '[' ? line.replace(/^\[ | \]$/g, (edge) => edge.trim()) : line
  return `${open}\n${formatItems(deeperIndent)
    .map((part) => `${deeperIndent}${part},`)
    .join('\n')}\n${indent}${close}`
}
