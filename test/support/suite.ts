/**
 * Which part of the tests this run executes. `npm test` runs the short suite and `npm run test:long` the rest: files named
 * `*.long.test.ts` and the second database of `onDatabaseOfSuite`. `bin/bun test FILE` runs everything in that file.
 */
export const isShortRun = process.env.TEST_SUITE === 'short'
export const isLongRun = process.env.TEST_SUITE === 'long'
