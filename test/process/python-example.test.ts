import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type RunningProgram, runProgram, startProgram } from '../support/program.ts'

const EXAMPLE = join(import.meta.dir, '../../docs/examples/appraise.py')
const python = Bun.which('python3')
if (!python) {
  if (process.env.CI === 'true') throw new Error('Python is missing, and with CI=true nothing may be left out.')
  console.warn('No python3 here: the example in Python is not run.')
}

if (python) {
  describe('the example in Python', () => {
    let program: RunningProgram
    let organization: string
    beforeAll(async () => {
      program = await startProgram({ LOG_LEVEL: 'error' })
      organization = (await runProgram(['org', 'create', 'Python'], program.environment)).stdout.trim()
    })
    afterAll(async () => {
      await program.stop()
    })

    async function run(tier: string, ...args: string[]) {
      const create = ['key', 'create', '--org', organization, '--tier', tier]
      const key = (await runProgram(create, program.environment)).stdout.trim()
      return runProgram([EXAMPLE, ...args], { SERVICE_URL: program.url, SERVICE_KEY: key }, [python!])
    }

    test('finds, pages, prices and appraises', async () => {
      const { code, stdout, stderr } = await run('paid', 'iphone', '13', '128gb', 'midnight')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(
        /^iPhone 13, .+ \(confidence \d+\), one of \d\d variants\nsells for \d+\.\d\d USD in grade Good \(sample\)\nwith a cracked back: \w+, offer \d+\.\d\d\n$/,
      )
    })

    test('explains an error and an unknown device', async () => {
      const rejected = await run('public')
      expect(rejected.code).toBe(1)
      expect(rejected.stderr).toStartWith('FORBIDDEN: ')
      const unsure = await run('paid', 'case', 'for', 'iphone', '13')
      expect(unsure.code).toBe(1)
      expect(unsure.stderr).toStartWith('Not sure what this is (unknown)')
    })
  })
}
