import { formatItemTable } from '../lib/text-table.ts'
import { isoInstant } from '../lib/time.ts'
import { OPERATOR } from '../risk/tac-confirmation.ts'
import { tacConfirmationStore } from '../risk/tac-confirmation-store.ts'
import { type CommandContext, command, optional, text } from './command.ts'

const openStore = async ({ openExistingDatabase }: CommandContext) => tacConfirmationStore(await openExistingDatabase())

const tacList = command({
  name: 'tac list',
  help: 'List the models that people confirmed for type allocation codes (TACs), newest first.',
  options: { org: optional(text('ORG_ID')) },
  json: true,
  async run({ org }, context) {
    const confirmations = await (await openStore(context)).list(org)
    const table = formatItemTable(confirmations, {
      TAC: ({ tac }) => tac,
      DEVICE: ({ deviceId }) => deviceId,
      'CONFIRMED BY': ({ organizationId }) => (organizationId === OPERATOR ? 'operator' : organizationId),
      DEVICES: ({ units }) => String(units),
      LAST: ({ confirmedAt }) => isoInstant(confirmedAt),
    })
    const json = confirmations.map(({ organizationId, tac, deviceId, units, confirmedAt }) => ({
      tac,
      device_id: deviceId,
      organization_id: organizationId === OPERATOR ? null : organizationId,
      units,
      confirmed_at: isoInstant(confirmedAt),
    }))
    return { json, text: table }
  },
})

const tacConfirm = command({
  name: 'tac confirm',
  help: 'Confirm the model of a TAC (the first 8 digits of an IMEI) for all organizations.',
  arguments: { tac: text('TAC'), deviceId: text('DEVICE_ID') },
  async run({ tac, deviceId }, context) {
    await (await openStore(context)).confirmForAll(tac, deviceId, context.actor, context.now())
    context.report(`TAC ${tac} now means ${deviceId} for all organizations.`)
  },
})

const tacForget = command({
  name: 'tac forget',
  help: "Delete a confirmed model of a TAC: the operator's, or that of an organization.",
  arguments: { tac: text('TAC'), deviceId: text('DEVICE_ID') },
  options: { org: optional(text('ORG_ID')) },
  async run({ tac, deviceId, org = OPERATOR }, context) {
    await (await openStore(context)).forget(org, tac, deviceId, context.actor, context.now())
    context.report(`Deleted the confirmation of TAC ${tac} as ${deviceId}.`)
  },
})

export const tacCommands = [tacList, tacConfirm, tacForget]
