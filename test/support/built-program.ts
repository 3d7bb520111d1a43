import { mock } from 'bun:test'

// Services in the process of a test start their child processes from the executable that the runner built, which takes half
// the processor time of a start from source.
const program = process.env.TEST_PROGRAM
if (program) {
  const childProcess = await import('../../src/lib/child-process.ts')
  mock.module('../../src/lib/child-process.ts', () => ({
    ...childProcess,
    selfCommand: (...args: string[]) => [program, ...args],
  }))
}
