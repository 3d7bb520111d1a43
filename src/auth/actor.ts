import type { AuthorWire } from '../contract/values.ts'
/** Who made a change, as the audit trail names them. `personId` is null if no person was signed in. */
export type Actor = {
  readonly personId: string | null
  readonly who: string
  /** Name of the shop device that the person used. */
  readonly device?: string | undefined
}

export const personActor = ({
  id,
  email,
  device,
}: {
  readonly id: string
  readonly email: string
  readonly device?: string | null | undefined
}): Actor => ({ personId: id, who: email, ...(device ? { device } : {}) })

/** An API key; management names it, so that people recognise it. */
export const keyActor = (keyId: string, name?: string): Actor => ({
  personId: null,
  who: name === undefined ? `API key ${keyId}` : `API key ${name} (${keyId})`,
})

/** An operator with a shell on the machine; the system user tells two operators apart. */
export const commandLineActor = (systemUser: string | null): Actor => ({
  personId: null,
  who: systemUser ? `command line (${systemUser})` : 'command line',
})

/** The program itself, when it sets up an empty database. */
export const FIRST_START_ACTOR: Actor = { personId: null, who: 'first start' }

/** The schedule of a feed. */
export const feedActor = (feed: string): Actor => ({ personId: null, who: `feed ${feed}` })

/** Who makes a record, as it is stored and shown. */
export const authorOf = ({ kind, id, name, device }: AuthorWire): AuthorWire => ({
  kind,
  id,
  name,
  ...(device === undefined ? {} : { device }),
})
