import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onBothDatabases } from '../support/databases.ts'
import { newDataDir, PROGRAM, runInProcess, runProgram } from '../support/program.ts'

type Environment = Record<string, string>

const HEADER = 'make,device,model_identifiers,device_model_numbers\n'
const WAITING = 'Another import into the catalogue is running; this one starts when it has ended.\n'

/** More than the program reads to detect the format and to assign the columns. */
const PADDING = `,,${'x'.repeat(1_000)},P-1\n`.repeat(200)

/** An import whose file arrives slowly: it has begun, and ends when the test says so. */
async function slowImport(environment: Environment) {
  const child = Bun.spawn([PROGRAM, 'import', 'catalogue', '-', '--json'], {
    env: { PATH: process.env.PATH ?? '', HOME: '/', ...environment },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  child.stdin.write(`${HEADER}Acme,Turn Test,first,T-1\n${PADDING}`)
  await child.stdin.flush()
  await hasBegun(child.stderr)
  return {
    child,
    async end(rest: string) {
      child.stdin.write(rest)
      await child.stdin.end()
      return child.exited
    },
  }
}

/** A catalogue import prints what it reads once it holds the lock and has loaded the catalogue. */
async function hasBegun(stderr: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stderr.getReader()
  const decoder = new TextDecoder()
  for (let seen = ''; !seen.includes('Reading'); ) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`It ended before it began: ${seen}`)
    seen += decoder.decode(value, { stream: true })
  }
  reader.releaseLock()
}

/** Starts an import and resolves as soon as it prints that it waits. */
async function waitingImport(file: string, environment: Environment) {
  const child = Bun.spawn([PROGRAM, 'import', 'catalogue', file], {
    env: { PATH: process.env.PATH ?? '', HOME: '/', ...environment },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const reader = child.stderr.getReader()
  const first = new TextDecoder().decode((await reader.read()).value)
  reader.releaseLock()
  return { child, first }
}

function listFile(...rows: string[]): string {
  const path = join(newDataDir(), 'list.csv')
  writeFileSync(path, HEADER + rows.join('\n'))
  return path
}

onBothDatabases((store) => {
  async function newStore(): Promise<Environment> {
    const { url, dataDir } = await store.open()
    return { DATA_DIR: dataDir, DATABASE_URL: url, SAMPLE_DATA: 'off' }
  }

  async function models(environment: Environment): Promise<string[]> {
    const { stdout } = await runInProcess(['export', 'catalogue'], environment)
    const { devices } = JSON.parse(stdout) as { devices: { name: string; model_numbers: string[] }[] }
    return devices.find(({ name }) => name === 'Turn Test')?.model_numbers.sort() ?? []
  }

  describe('two imports into the catalogue', () => {
    test('run one after the other, and neither loses changes of the other', async () => {
      const environment = await newStore()
      const first = await slowImport(environment)
      const second = await waitingImport(listFile('Acme,Turn Test,second,T-2'), environment)
      expect(second.first).toBe(WAITING)
      expect(await models(environment)).toEqual([])
      expect(second.child.exitCode).toBeNull()
      expect(await first.end('Acme,Turn Test,third,T-3\n')).toBe(0)
      expect(await second.child.exited).toBe(0)
      expect(await models(environment)).toEqual(['T-1', 'T-2', 'T-3'])
    })

    test('the second continues when the first is killed', async () => {
      const environment = await newStore()
      const first = await slowImport(environment)
      const second = await waitingImport(listFile('Acme,Turn Test,second,T-2'), environment)
      expect(second.first).toBe(WAITING)
      first.child.kill('SIGKILL')
      expect(await second.child.exited).toBe(0)
      expect(await models(environment)).toEqual(['T-2'])
    })

    test('a waiting import can be stopped, and a dry run does not wait', async () => {
      const environment = await newStore()
      const first = await slowImport(environment)
      const file = listFile('Acme,Turn Test,second,T-2')
      const second = await waitingImport(file, environment)
      second.child.kill('SIGINT')
      expect(await second.child.exited).not.toBe(0)
      expect((await runProgram(['import', 'catalogue', file, '--dry-run'], environment)).code).toBe(0)
      expect(await first.end('')).toBe(0)
      expect(await models(environment)).toEqual(['T-1'])
    })
  })

  test('two imports of a list run one after the other, in parallel with a catalogue import', async () => {
    const environment = await newStore()
    const catalogue = await slowImport(environment)
    const imeis = Array.from({ length: 6_000 }, (_, at) => `35${String(at).padStart(12, '0')}`)
    const text = (part: readonly string[]) =>
      ['IMEI,reporting_date,status', ...part.map((imei) => `${imei},,`)].join('\n')
    const file = (part: readonly string[]) => {
      const path = join(newDataDir(), 'stolen.csv')
      writeFileSync(path, text(part))
      return path
    }
    const lists = [file(imeis.slice(0, 5_000)), file(imeis.slice(1_000))]
    const ran = await Promise.all(lists.map((path) => runProgram(['import', 'lists', path, '--json'], environment)))
    expect(ran.map(({ code }) => code)).toEqual([0, 0])
    const figures = ran.map(({ stdout }) => JSON.parse(stdout) as { entries: number; cleared: number })
    // The first import met an empty list; the other cleared exactly the identifiers that only the first contained.
    expect(figures.map(({ entries }) => entries)).toEqual([5_000, 5_000])
    expect(figures.map(({ cleared }) => cleared).sort()).toEqual([0, 1_000])
    expect(await catalogue.end('')).toBe(0)
  })
})
