import { type FormEvent, useState } from 'react'
import type { IdentifierType, LookupResultWire } from '../../src/contract/imei.ts'
import { go, Link } from '../address.tsx'
import { post, useChange } from '../ask.ts'
import { Button, Card, Empty, Field, PageHead, Problem } from '../parts/basics.tsx'
import { useMayUse } from '../session.tsx'
import { remember } from './lookup.tsx'

const NAMES: Readonly<Record<IdentifierType, string>> = {
  imei: 'IMEI',
  serial: 'Serial number',
  esn: 'ESN',
  meid: 'MEID',
}

export function CheckPage() {
  const [identifier, setIdentifier] = useState('')
  const [type, setType] = useState('')
  const change = useChange()
  const mayCheck = useMayUse('enterprise')

  function submit(event: FormEvent) {
    event.preventDefault()
    change.run(async () => {
      const body = { identifier, ...(type ? { identifier_type: type } : {}) }
      const answer = await post<LookupResultWire>('/account/explore/imei', body)
      remember(answer)
      go(`/dashboard/lookups/${answer.data.lookup_id}`)
    })
  }

  return (
    <>
      <PageHead
        title="Identifier check"
        lead="Type or paste an IMEI, MEID, ESN or serial number. Spaces and dashes do not matter. Every check is kept in your history."
      />
      {mayCheck ? (
        <Card>
          <form className="check" onSubmit={submit}>
            <Field label="Identifier" error={change.error?.field === 'identifier' ? change.error.message : undefined}>
              {(props) => (
                <input
                  {...props}
                  className="big"
                  required
                  autoComplete="off"
                  spellCheck={false}
                  inputMode="text"
                  maxLength={64}
                  placeholder="35 209900 176148 1"
                  value={identifier}
                  onChange={(event) => setIdentifier(event.target.value)}
                />
              )}
            </Field>
            <Field label="Kind">
              {(props) => (
                <select {...props} value={type} onChange={(event) => setType(event.target.value)}>
                  <option value="">Recognise it</option>
                  {Object.entries(NAMES).map(([one, name]) => (
                    <option key={one} value={one}>
                      {name}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Button look="main" type="submit" busy={change.busy}>
              Check
            </Button>
          </form>
          {change.error && change.error.field !== 'identifier' ? <Problem error={change.error} /> : null}
          <p className="soft">
            On a phone, dial <code>*#06#</code> to see its IMEI. A result never says “clean” unless a source that covers
            that list answered. To try every outcome, use the sandbox identifiers in the{' '}
            <Link to="/dashboard/docs">docs</Link>.
          </p>
        </Card>
      ) : (
        <Empty title="Identifier checks need the Enterprise tier" />
      )}
    </>
  )
}
