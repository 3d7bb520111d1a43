import { useState } from 'react'
import { Link } from 'wouter'
import type { KeyWire } from '../../../src/contract/dashboard.ts'
import { KEY_PREFIXES, TIERS, type Tier, tierIncludes } from '../../../src/contract/tiers.ts'
import { apiPost } from '../../api.ts'
import { useApiMutation, useApiQuery } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

const SAMPLE_IMEI = '013554006297015'

/** Example calls, each with the lowest tier that allows it. */
const CALLS: readonly {
  readonly tier: Tier
  readonly label: string
  readonly lead: string
  readonly path: string
  readonly body?: string
}[] = [
  { tier: 'public', label: 'Devices', lead: 'Find a device:', path: '/api/devices?search=iphone+13&limit=1' },
  {
    tier: 'paid',
    label: 'Price',
    lead: 'Get the price of a variant:',
    path: '/api/pricing?variant_id=apple-iphone-13-128gb-midnight',
  },
  {
    tier: 'enterprise',
    label: 'Identifier',
    lead: 'Check an identifier before you buy:',
    path: '/api/imei',
    body: `{"identifier":"${SAMPLE_IMEI}","identifier_type":"imei"}`,
  },
]

/** Example calls for the pasted key; shows only calls its tier allows. */
export function QuickStart() {
  const session = useSession()
  const keys = useApiQuery<KeyWire[]>('/account/keys')
  const change = useApiMutation()
  const [secret, setSecret] = useState('')
  const isOwner = session.role === 'owner'
  const tier = TIERS.find((one) => secret.startsWith(KEY_PREFIXES[one]))
  const known = keys.data?.data.find((key) => key.tier === tier && secret.endsWith(key.last_four))
  const make = () =>
    change.mutate(async () => {
      const body = { name: 'Quick start', tier: 'public', expires_on: null }
      setSecret((await apiPost<{ secret: string }>('/account/keys', body)).data.secret)
    })
  return (
    <ol className="steps">
      <li>
        <TextField
          label="Your key"
          hint={
            known
              ? `This is “${known.name}”. Store it now: it won’t be shown again.`
              : 'Paste an API key. It stays in this page and is not sent anywhere.'
          }
          autoComplete="off"
          spellCheck={false}
          placeholder={`${KEY_PREFIXES[session.organization?.tier ?? 'public']}…`}
          value={secret}
          onValueChange={(text) => setSecret(text.trim())}
        />
        <p className="inline-actions">
          {isOwner && !secret ? (
            <Button isBusy={change.isPending} onClick={make}>
              Create a public key
            </Button>
          ) : null}
          <Link to="/dashboard/keys">All keys</Link>
        </p>
        {change.error ? <ErrorMessage error={change.error} /> : null}
        {secret && !tier ? (
          <p className="field-error">Keys start with {Object.values(KEY_PREFIXES).join(', ')}.</p>
        ) : null}
      </li>
      {tier
        ? CALLS.filter((call) => tierIncludes(tier, call.tier)).map((call) => (
            <li key={call.path}>
              <p>{call.lead}</p>
              <CodeBlock label={call.label} code={curl(session.base_url, secret, call)} />
            </li>
          ))
        : null}
    </ol>
  )
}

function curl(baseUrl: string, secret: string, { path, body }: (typeof CALLS)[number]): string {
  const sent = body ? ` \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'` : ''
  return `curl '${baseUrl}${path}' \\\n  -H 'Authorization: Bearer ${secret.replaceAll("'", '')}'${sent}`
}
