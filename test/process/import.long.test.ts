import { filledDataDir, newDataDir } from '../support/program.ts'
import { testRoundTrip } from '../support/registry-round-trip.ts'

// The first import creates the whole bundled catalogue.
testRoundTrip('json', () => ({ DATA_DIR: newDataDir(), SAMPLE_DATA: 'off' }))
testRoundTrip('csv', () => ({ DATA_DIR: filledDataDir(), SAMPLE_DATA: 'off' }))
