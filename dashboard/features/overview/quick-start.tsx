import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { KEY_PREFIXES, TIERS, type Tier, tierIncludes } from '../../../src/contract/tiers.ts'
import { callApi } from '../../api.ts'
import { useApiMutation, useOperation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

const SAMPLE_IMEI = '013554006297015'

/** Example calls, each with the lowest tier that allows it. */
const CALLS: readonly {
  readonly tier: Tier
  readonly path: string
  readonly body?: string
}[] = [
  { tier: 'public', path: '/api/devices?search=iphone+13&limit=1' },
  {
    tier: 'paid',
    path: '/api/pricing?variant_id=apple-iphone-13-128gb-midnight',
  },
  {
    tier: 'enterprise',
    path: '/api/imei',
    body: `{"identifier":"${SAMPLE_IMEI}","identifier_type":"imei"}`,
  },
]

/** Example calls for the pasted key; shows only calls its tier allows. */
export function QuickStart() {
  const { t } = useTranslation('overview')
  const session = useSession()
  const keys = useOperation('GET /api/manage/keys', {})
  const change = useApiMutation()
  const [secret, setSecret] = useState('')
  const isOwner = session.role === 'owner'
  const tier = TIERS.find((candidate) => secret.startsWith(KEY_PREFIXES[candidate]))
  const known = keys.data?.data.find((key) => key.tier === tier && secret.endsWith(key.last_four))
  const make = () =>
    change.mutate(async () => {
      const body = { name: 'Quick start', tier: 'public' as const, expires_on: null }
      setSecret((await callApi('POST /api/manage/keys', { body })).data.secret ?? '')
    })
  return (
    <ol className="steps">
      <li>
        <TextField
          label={t('start.key')}
          hint={known ? t('start.known', { name: known.name }) : t('start.paste')}
          autoComplete="off"
          spellCheck={false}
          placeholder={`${KEY_PREFIXES[session.organization?.tier ?? 'public']}…`}
          value={secret}
          onValueChange={(text) => setSecret(text.trim())}
        />
        <p className="inline-actions">
          {isOwner && !secret ? (
            <Button isBusy={change.isPending} onClick={make}>
              {t('start.create')}
            </Button>
          ) : null}
          <Link to="/dashboard/keys">{t('api.allKeys')}</Link>
        </p>
        <ErrorMessage error={change.error} />
        {secret && !tier ? (
          <p className="field-error">{t('start.prefixes', { prefixes: Object.values(KEY_PREFIXES).join(', ') })}</p>
        ) : null}
      </li>
      {tier
        ? CALLS.filter((call) => tierIncludes(tier, call.tier)).map((call) => (
            <li key={call.path}>
              <p>{t(`start.call.${call.tier}`)}</p>
              <CodeBlock label={t(`start.name.${call.tier}`)} code={curl(session.base_url, secret, call)} />
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
