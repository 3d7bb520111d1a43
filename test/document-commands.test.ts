import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadCommands } from '../src/cli/commands.ts'
import { listSettings } from '../src/config.ts'
import { endpoints } from '../src/contract/endpoints.ts'

const root = join(import.meta.dir, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const inDocs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
const documents = ['README.md', 'CONTRIBUTING.md', 'client/README.md', ...inDocs.map((name) => `docs/${name}`)]

const commands = await loadCommands()
const settings = new Set(listSettings({}).map(({ name }) => name))
const scripts = Object.keys(JSON.parse(read('package.json')).scripts)
const PROGRAM_OPTIONS = ['--help', '--version', '--json', '--url', '--key']
const NPM_WORDS = ['start', 'test']

/** Commands of the shell blocks and of inline code, without comments; a command over several lines is one. */
function commandsIn(document: string): string[] {
  const text = read(document)
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map((match) => match[1] ?? '')
  const inline = [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '')
  return [...blocks.join('\n').replaceAll('\\\n', ' ').split('\n'), ...inline]
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter(Boolean)
}

function mistakesIn(line: string): string[] {
  const mistakes: string[] = []
  const [before = '', typed] = line.split(/\bdevice-intelligence (?=[a-z-])/)
  if (typed !== undefined) {
    const words = typed.split(/[\s)]+/)
    const command = commands
      .filter(({ name }) => `${typed} `.startsWith(`${name} `))
      .sort((one, other) => other.name.length - one.name.length)[0]
    const isGroup = words.length === 1 && commands.some(({ name }) => name.startsWith(`${words[0]} `))
    if (!command && !isGroup && !words[0]?.startsWith('--')) mistakes.push(`no such command: ${typed}`)
    const known = `${command?.usage} ${command?.details} ${PROGRAM_OPTIONS.join(' ')}`
    for (const [option] of typed.matchAll(/(?<=\s)--[a-z][a-z-]*/g)) {
      if (command && !known.includes(option)) mistakes.push(`${command.name} has no ${option}`)
    }
    for (const [, name = ''] of before.matchAll(/(?:^|\s)([A-Z][A-Z0-9_]+)=(?!\$\()/g)) {
      if (!settings.has(name)) mistakes.push(`no such setting: ${name}`)
    }
  }
  const script = /^npm (?:run )?([a-z:]+)/.exec(line)?.[1]
  if (line.startsWith('npm ') && script && ![...scripts, ...NPM_WORDS, 'install', 'pack'].includes(script)) {
    mistakes.push(`no such script: ${script}`)
  }
  const [, operation] = /(?:^|device-intelligence )api ([A-Z]+ \/api\/[^\s?]+)/.exec(line) ?? []
  const isOperation = (name: string) =>
    endpoints.some(({ route }) => new RegExp(`^${route.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(name))
  if (operation && !isOperation(operation)) mistakes.push(`no such operation: ${operation}`)
  const path = /^curl .*?(\/api\/[^'"?\s]*)/.exec(line)?.[1]
  const isEndpoint = (name: string) =>
    endpoints.some((endpoint) => new RegExp(`^${endpoint.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(name))
  if (path && !isEndpoint(path)) mistakes.push(`no such endpoint: ${path}`)
  return mistakes
}

test('every command in the documents exists, with its options, settings, scripts and endpoints', () => {
  const mistakes = documents.flatMap((document) =>
    commandsIn(document).flatMap((line) => mistakesIn(line).map((mistake) => `${document}: ${mistake}`)),
  )
  expect(mistakes).toEqual([])
})

test('the check of commands finds commands that do not exist', () => {
  expect(mistakesIn('NO_SUCH=1 bin/device-intelligence serve')).toEqual(['no such setting: NO_SUCH'])
  expect(mistakesIn('device-intelligence org invent X')).toEqual(['no such command: org invent X'])
  expect(mistakesIn('device-intelligence key list --nope')).toEqual(['key list has no --nope'])
  expect(mistakesIn('device-intelligence api GET /api/nope x=1')).toEqual(['no such operation: GET /api/nope'])
  expect(mistakesIn('npm run nope')).toEqual(['no such script: nope'])
  expect(mistakesIn("curl 'http://127.0.0.1:3000/api/nope?x=1'")).toEqual(['no such endpoint: /api/nope'])
})
