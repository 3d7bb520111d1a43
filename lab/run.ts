/** `npm run lab -- NAME [options]`: evaluations on real data. Without a name it lists them. */
import { join } from 'node:path'

const PROGRAMS: Readonly<Record<string, { readonly file: string; readonly about: string }>> = {
  evaluate: { file: 'evaluate-pricing.ts', about: 'the price model on held-out prices' },
  'side-by-side': {
    file: 'evaluate-side-by-side.ts',
    about: 'every set beside the last release, boosted trees and medians of cells',
  },
  ablate: { file: 'ablate-pricing.ts', about: 'the price model without one of its parts' },
  calibrate: { file: 'calibrate.ts', about: 'fits the coefficients that are bundled' },
  appraisals: { file: 'evaluate-appraisals.ts', about: "offers compared with dealers' quotes" },
  match: { file: 'evaluate-matching.ts', about: 'titles matched to devices' },
  'ordinary-words': {
    file: 'write-ordinary-words.ts',
    about: 'learns the ordinary words of titles from the labelled texts',
  },
  text: { file: 'text/run.ts', about: 'the reader of texts: train, choose, evaluate, read' },
  check: { file: 'check-prices.ts', about: 'first prices that contradict their neighbours' },
  'check-catalogue': { file: 'check-catalogue.ts', about: 'the bundled catalogue compared with reference data' },
}

const [name = '', ...options] = process.argv.slice(2)
const program = PROGRAMS[name]
if (!program) {
  const list = Object.entries(PROGRAMS).map(([each, { about }]) => `  ${each.padEnd(16)} ${about}`)
  console.error(`Usage: npm run lab -- NAME [options]\n\n${list.join('\n')}`)
  process.exit(2)
}
const child = Bun.spawn([process.execPath, join(import.meta.dir, program.file), ...options], {
  stdio: ['inherit', 'inherit', 'inherit'],
})
process.exit(await child.exited)
