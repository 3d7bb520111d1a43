import { removeObservationsOfOrganization } from '../import/prices/observation-removal-store.ts'
import { organizationRemovalStore } from '../records/organization-removal-store.ts'
import { type Command, parseArguments, requireOption } from './command.ts'
import { CommandError } from './command-error.ts'
import { currentCommandLineActor } from './current-actor.ts'
import { repriceAll } from './reprice.ts'

const ARGUMENTS = 'ORG_ID --confirm NAME [--wait SECONDS]'
/** Longer than a running process takes to write its last usage counts. */
const WAIT_S = 35

export const orgRemove: Command = {
  name: 'org remove',
  usage: ARGUMENTS,
  help: 'Delete an organization and everything stored of it: keys, lookups, appraisals, prices, events, usage, audit trail.',
  details: [
    'This cannot be undone. Backups made before still hold the data.',
    '  --confirm   name of the organization, exactly as "org list" shows it',
    `  --wait      seconds to wait for running processes to write their last counters (${WAIT_S}; 0 if none runs)`,
    'If it is interrupted, run it again.',
  ].join('\n'),
  async run(args, context) {
    const usage = `org remove ${ARGUMENTS}`
    const text = { type: 'string' as const }
    const { values, positionals } = parseArguments(args, { confirm: text, wait: text }, { least: 1, most: 1, usage })
    const [id = ''] = positionals
    const wait = values.wait ?? String(WAIT_S)
    if (!/^\d{1,3}$/.test(wait)) throw new CommandError(`--wait takes 0 to 999 seconds. Usage: ${usage}`, 2)
    const db = await context.openExistingDatabase()
    const removal = organizationRemovalStore(db)
    await removal.endAccess(id, requireOption(values.confirm, 'confirm', usage), context.now())
    if (wait !== '0') context.report(`Access ended; waiting ${wait} s for running processes.`)
    await Bun.sleep(Number(wait) * 1_000)
    const observations = await removeObservationsOfOrganization(db, id)
    await removal.deleteData(id)
    await removal.finish(id, currentCommandLineActor(), context.now())
    if (observations > 0) await repriceAll(db, context)
    context.report(`${id} is removed. Backups made before still hold its data.`)
    return 0
  },
}
