import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningProgram, shownKeys, startProgram } from '../support/program.ts'

/** Runs the commands of the README. */
const root = join(import.meta.dir, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1] ?? '')

let program: RunningProgram
beforeAll(async () => {
  program = await startProgram()
})
afterAll(async () => {
  await program.stop()
})

async function shell(script: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = Bun.spawn(['sh', '-c', script], {
    cwd: root,
    env: { ...process.env, ...program.environment, KEY: shownKeys(program.stderr()).public },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, stdout, stderr }
}

test('the curl line returns the response in the README', async () => {
  const line = blocks('sh').find((block) => block.includes('curl')) ?? ''
  const script = line.replace('pk_pub_…', '$KEY').replace('curl', 'curl -s')
  const { stdout } = await shell(script.replaceAll('http://127.0.0.1:3000', program.url))
  const shown = JSON.parse((blocks('json')[0] ?? '').replaceAll('http://127.0.0.1:3000', program.url))
  expect({ ...JSON.parse(stdout), timestamp: '' }).toEqual({ ...shown, timestamp: '' })
})

test('the two commands are scripts of the package', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const line of (blocks('sh')[0] ?? '').trim().split('\n')) {
    const name = /^npm (start|test)\b/.exec(line)?.[1] ?? line
    expect(Object.keys(scripts)).toContain(name)
  }
})

test('the commands of the program do what the README says', async () => {
  const lines = (blocks('sh').find((block) => block.includes('org create')) ?? '').trim().split('\n')
  const command = (text: string) => (lines.find((line) => line.includes(text)) ?? '').split('  #')[0]?.trim() ?? ''
  const org = await shell(command('org create'))
  expect(org.stdout).toMatch(/^org_\w+\n$/)
  expect((await shell(command('key create').replace('ORG_ID', org.stdout.trim()))).stdout).toMatch(/^pk_paid_\w+\n$/)
  expect((await shell(command('--help'))).code).toBe(0)
})

test('every document that the README links to exists', () => {
  const linked = [...readme.matchAll(/\]\((docs\/[^)#]+)\)/g)].map((match) => match[1] ?? '')
  expect(linked.length).toBeGreaterThan(4)
  expect(linked.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
