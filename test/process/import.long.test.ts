import { newDataDir } from '../support/program.ts'
import { testRoundTrip } from '../support/registry-round-trip.ts'

// The first import creates the whole bundled catalogue.
const emptyFolder = () => ({ DATA_DIR: newDataDir(), SAMPLE_DATA: 'off' })
for (const format of ['json', 'csv'] as const) testRoundTrip(format, emptyFolder)
