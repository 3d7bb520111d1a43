import { removeObservationsOfOrganization } from '../import/prices/observation-removal-store.ts'
import { REMOVAL_WAIT_S as WAIT_S } from '../records/organization-removal-service.ts'
import { organizationRemovalStore } from '../records/organization-removal-store.ts'
import { command, text, wholeNumber, withDefault } from './command.ts'
import { repriceAll } from './reprice.ts'

export const orgRemove = command({
  name: 'org remove',
  help: 'Delete an organization and all its data: keys, lookups, appraisals, prices, events, usage, audit trail.',
  arguments: { id: text('ORG_ID') },
  options: {
    confirm: text('NAME', 'name of the organization, exactly as "org list" shows it'),
    wait: withDefault(
      wholeNumber('SECONDS', {
        min: 0,
        max: 999,
        unit: 'seconds',
        help: `time for running processes to write their last counters (${WAIT_S}; 0 if none runs)`,
      }),
      WAIT_S,
    ),
  },
  notes: ['This cannot be undone. Backups made before still hold the data.', 'If it is interrupted, run it again.'],
  async run({ id, confirm, wait }, context) {
    const db = await context.openExistingDatabase()
    const removal = organizationRemovalStore(db)
    await removal.endAccess(id, confirm, context.now())
    if (wait > 0) context.report(`Access ended; waiting ${wait} s for running processes.`)
    await Bun.sleep(wait * 1_000)
    const observations = await removeObservationsOfOrganization(db, id)
    await removal.deleteData(id)
    await removal.finish(id, context.actor, context.now())
    if (observations > 0) await repriceAll(db, context)
    context.report(`${id} is removed. Backups made before still hold its data.`)
  },
  async remote({ id, confirm }, { client }, context) {
    await client.removeOrganization(id, { confirm })
    context.report(
      `Access of ${id} ended; the service deletes its data within minutes. Backups made before still hold it.`,
    )
  },
})
