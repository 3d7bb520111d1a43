import type { ActivityWire } from '../../src/contract/account.ts'
import { go, useAddress, withQuery } from '../address.tsx'
import { useAsk } from '../ask.ts'
import { Card, Empty, PageHead, Pages, Scroll, Shown } from '../parts/basics.tsx'
import { time } from '../words.ts'

const WORDS: Readonly<Record<string, (deed: ActivityWire) => string>> = {
  'key.created': (deed) => `made the ${deed.detail.tier ?? ''} key “${deed.detail.name ?? deed.subject}”`,
  'key.rotated': (deed) => `rotated the key “${deed.detail.name ?? deed.subject}”`,
  'key.revoked': (deed) => `revoked the key “${deed.detail.name ?? deed.subject}”`,
  'member.added': (deed) => `let ${deed.subject} in as ${deed.detail.role ?? 'member'}`,
  'member.invited': (deed) => `invited ${deed.subject} as ${deed.detail.role ?? 'member'}`,
  'member.joined': () => 'accepted an invitation',
  'member.removed': (deed) => `removed ${deed.subject}`,
  'member.role_changed': (deed) => `made ${deed.subject} ${deed.detail.role ?? 'member'}`,
  'invitation.withdrawn': (deed) => `withdrew the invitation of ${deed.subject}`,
  'person.signed_in_by_link': () => 'signed in by a one-time link',
}

export const told = (deed: ActivityWire) => WORDS[deed.action]?.(deed) ?? `${deed.action} ${deed.subject}`

export function ActivityPage() {
  const { query } = useAddress()
  const asked = useAsk<ActivityWire[]>(`/account/activity?page=${Number(query.get('page') ?? 1) || 1}`)
  return (
    <>
      <PageHead title="Activity" lead="Who did what in this organization. Nothing here can be changed or deleted." />
      <Card>
        <Shown asked={asked}>
          {(deeds, { meta }) =>
            deeds.length === 0 ? (
              <Empty title="Nothing has happened yet" />
            ) : (
              <>
                <Scroll label="Activity" cards>
                  <table>
                    <thead>
                      <tr>
                        <th scope="col">When</th>
                        <th scope="col">Who</th>
                        <th scope="col">What</th>
                      </tr>
                    </thead>
                    <tbody>
                      {deeds.map((deed) => (
                        <tr key={deed.id}>
                          <td data-label="When" className="nowrap">
                            {time(deed.at)}
                          </td>
                          <td data-label="Who">{deed.who}</td>
                          <td data-label="What">{told(deed)}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </Scroll>
                {meta ? <Pages meta={meta} to={(page) => go(withQuery(query, { page: String(page) }))} /> : null}
              </>
            )
          }
        </Shown>
      </Card>
    </>
  )
}
