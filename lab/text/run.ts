/** `npm run lab -- text COMMAND [options]`: the reader of texts. */
import { join } from 'node:path'

const COMMANDS: Readonly<Record<string, string>> = {
  train: 'learns the weights from the corpus: a quarter of an hour on two free cores',
  choose: 'fits certainties and chooses thresholds on labelled advertisements: --ads FILE',
  evaluate: 'measures the reader on texts that it was not trained on',
  read: 'shows what is read from a text: read "TEXT"',
}

const [name = '', ...options] = process.argv.slice(2)
if (!(name in COMMANDS)) {
  const list = Object.entries(COMMANDS).map(([each, about]) => `  ${each.padEnd(10)} ${about}`)
  console.error(`Usage: npm run lab -- text COMMAND [options]\n\n${list.join('\n')}`)
  process.exit(2)
}
const child = Bun.spawn([process.execPath, join(import.meta.dir, `${name}-command.ts`), ...options], {
  stdio: ['inherit', 'inherit', 'inherit'],
})
process.exit(await child.exited)
